/**
 * @module
 * A misspelt field of a call was dropped without a word: an order that was not reduce-only, one without an expiry, the own
 * account in place of another. Values of a wrong type ended in internal errors, and an account given as text was ignored.
 * Every field of every call is tried here, by the table that the client itself reads its calls with.
 */
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { CALLS } from '../../src/client/calls/calls.ts';
import type { Call } from '../../src/client/calls/checked.ts';
import { type Client, type ClientOptions, ClientUsageError, createClient } from '../../src/client/index.ts';
import { toHex, VirtualClock } from '../../src/core/index.ts';
import type { HttpRequest } from '../../src/wire/gateway/index.ts';
import { identityOf, startPeopleClient } from '../support/people-client.ts';

const OTHER = '0x00000000000000000000000000000000000000aa';
const LEG = { triggerPrice: '1', price: '1' };
const ORDER = { symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.01' };
const REF = { symbol: 'BTC-USD', orderId: '9' };

/** A right value of each field, by its name. */
const RIGHT: Readonly<Record<string, unknown>> = {
  ...{ ...ORDER, ...REF, ...LEG, address: OTHER, subaccount: 0, vault: '7', id: '7', signer: OTHER },
  ...{ minSeq: 1n, limit: 5, after: '1-0-0', epoch: 'k1', upper: '2-0-0', onEpochChange: 'throw' },
  ...{ depth: 5, interval: '1m', startTime: 1, endTime: 2, clientOrderId: 'mine', from: 'now' },
  ...{ timeInForce: 'gtc', reduceOnly: true, expiresAt: 0, builder: { accountId: 1, feePpm: 1 } },
  ...{ orders: [ORDER], cancels: [REF], triggerAt: 0, triggerAbove: true, slices: 2, intervalMs: 1000 },
  ...{ priceTolerancePpm: 5, closeSide: 'sell', takeProfit: LEG, stopLoss: LEG, parentOrderId: '9' },
  ...{ requestId: `0x${'1'.repeat(64)}`, scope: 'account:1', nonce: 1n, commandHash: `0x${'1'.repeat(64)}` },
  ...{ leverage: 5, validUntil: 0, name: 'Basis', amount: '1', shares: '1', depositCap: '1', leverageMax: 3 },
  ...{ accountId: 1, feePpm: 1 },
};

const PROBES: readonly unknown[] = [
  ...[null, 5, 5.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 5n, '5', '', 'wrong', true, Symbol('x')],
  ...[{}, { wrong: 1 }, [], [5], new Date(0), new Map(), () => 5],
];

/** Values that are wrong for a field with this right value: of another type, and some of the same. */
function wrongFor(name: string, right: unknown): readonly unknown[] {
  const isDecimal = ['price', 'size', 'triggerPrice', 'amount', 'shares', 'depositCap'].includes(name);
  const isNullable = name === 'depositCap' || name === 'leverageMax';
  return PROBES.filter((probe) => {
    if (probe === null) return !isNullable;
    if (typeof probe !== typeof right) return true;
    if (typeof right === 'number') return !Number.isInteger(probe) || (probe as number) < 0;
    return isDecimal && !/^[0-9]/.test(String(probe));
  });
}

interface Function_ {
  readonly path: string;
  readonly call: Call;
}

const FUNCTIONS: readonly Function_[] = Object.entries(CALLS).flatMap(([group, calls]) =>
  Object.entries(calls as Record<string, Call>).map(([name, call]) => ({ path: `${group}.${name}`, call })),
);
const WITH_PARAMS = FUNCTIONS.filter(({ path, call }) => call.args.length > 0 && path !== 'streams.prices');

function spied(options: Partial<ClientOptions> = {}): { client: Client; asked: HttpRequest[] } {
  const asked: HttpRequest[] = [];
  const client = createClient({
    baseUrl: 'http://nowhere',
    account: OTHER,
    wallet: '11'.repeat(32),
    clock: new VirtualClock(0),
    transport: {
      request: (request) => {
        asked.push(request);
        return Promise.resolve({ kind: 'answer', status: 404, headers: {}, body: '{}' });
      },
      open: () => ({ send: () => undefined, close: () => undefined }),
    },
    ...options,
  });
  return { client, asked };
}

/** What a call refuses with; it must have sent nothing. */
async function refusal(path: string, ...given: readonly unknown[]): Promise<ClientUsageError> {
  const { client, asked } = spied();
  const args = path.startsWith('streams.') && given.length === 1 ? [...given, () => undefined] : given;
  const [group = '', name = ''] = path.split('.');
  const run = (client as unknown as Record<string, Record<string, (...all: unknown[]) => unknown>>)[group]?.[
    name
  ];
  const thrown: unknown = await (async () => run?.(...args))().catch((error: unknown) => error);
  expect(
    thrown,
    `${path} with ${args.length === 0 ? 'nothing' : Object.keys(args[0] ?? {}).join()}`,
  ).toBeInstanceOf(ClientUsageError);
  expect(asked).toEqual([]);
  await client.close();
  return thrown as ClientUsageError;
}

const listen = () => undefined;

/** The least that a call must be given, in its usual form. */
function least({ call }: Function_): Record<string, unknown> {
  const rows = call.args[0]?.argument.rows('') ?? [];
  const top = rows.filter(({ name, isRequired }) => isRequired && !/[.[]/.test(name));
  const forms = top.some(({ name }) => name === 'symbol') ? top.filter(({ name }) => name !== 'orders') : top;
  const names = forms.map(({ name }) => name).filter((name) => !['scope', 'nonce'].includes(name));
  return Object.fromEntries(names.map((name) => [name, RIGHT[name]]));
}

/** The same with one field put in, whatever form it is of. */
function withField(one: Function_, name: string, given: unknown): Record<string, unknown> {
  const base = least(one);
  if (name === 'orders' && one.path !== 'orders.replace') return { orders: given };
  if (['scope', 'nonce', 'commandHash'].includes(name) && one.path === 'requests.receipt')
    return { ...base, scope: RIGHT['scope'], nonce: RIGHT['nonce'], [name]: given };
  return { ...base, [name]: given };
}

describe('a field that a call does not know', () => {
  test.each(WITH_PARAMS)('is refused, and the nearest known one is named: $path', async (one) => {
    const names = one.call.args[0]?.argument
      .rows('')
      .map(({ name }) => name)
      .filter((name) => !/[.[]/.test(name));
    for (const name of names ?? []) {
      const typos = [name.toLowerCase(), name.replace(/(.)\1/, '$1'), `${name}s`, name.slice(0, -1)];
      for (const typo of new Set(typos)) {
        if (names?.includes(typo) || typo.length < 3) continue;
        const { message, code } = await refusal(one.path, { ...least(one), [typo]: RIGHT[name] });
        expect([code, message]).toEqual([
          'CLIENT_FIELD_UNKNOWN',
          expect.stringContaining(`did you mean ${name}?`),
        ]);
      }
    }
    const { message } = await refusal(one.path, { ...least(one), xyz: 1 });
    expect(message).toContain('"xyz"');
    expect(message).not.toContain('did you mean');
  });

  test.each([
    ['orders.place', { ...ORDER, reduceonly: true }, 'reduceOnly'],
    ['orders.place', { ...ORDER, timeInforce: 'ioc' }, 'timeInForce'],
    ['orders.place', { ...ORDER, expireAt: 1 }, 'expiresAt'],
    ['orders.place', { ...ORDER, subacount: 1 }, 'subaccount'],
    ['orders.place', { orders: [ORDER, { ...ORDER, reduceonly: true }] }, 'reduceOnly'],
    ['orders.place', { orders: [ORDER], subacount: 1 }, 'subaccount'],
    [
      'orders.tpsl',
      { symbol: 'BTC-USD', closeSide: 'sell', takeProfit: { ...LEG, triggerprice: '1' } },
      'triggerPrice',
    ],
    ['account.summary', { adress: OTHER }, 'address'],
  ])('%s with %j: %s', async (path, params, near) => {
    expect((await refusal(path, params)).message).toContain(`did you mean ${near}?`);
  });

  test('is found on a prototype, a getter, a class and a hidden property', async () => {
    class WithGetter {
      symbol = 'BTC-USD';
      side = 'buy';
      price = '20000';
      size = '0.01';
      get reduceonly() {
        return true;
      }
    }
    const objects = [
      Object.assign(Object.create({ reduceonly: true }), ORDER),
      Object.create({ ...ORDER, reduceonly: true }),
      Object.create(Object.assign(Object.create(null), ORDER, { reduceonly: true })),
      runInNewContext('({ ...order, reduceonly: true })', { order: ORDER }),
      JSON.parse(JSON.stringify({ ...ORDER, reduceonly: true })),
      Object.defineProperty({ ...ORDER }, 'reduceonly', { get: () => true }),
      Object.defineProperty({ ...ORDER }, 'reduceonly', { value: true, enumerable: false }),
      new WithGetter(),
      Object.freeze({ ...ORDER, reduceonly: true }),
    ];
    for (const object of objects)
      expect((await refusal('orders.place', object)).message).toContain('did you mean reduceOnly?');
  });

  test.each(FUNCTIONS.filter(({ call }) => call.args.length === 0))(
    'is refused by a call without parameters: $path',
    async ({ path }) => {
      for (const given of [{}, { symbol: 'BTC-USD' }, 5, null]) await refusal(path, given);
    },
  );

  test('is refused behind the parameters', async () => {
    await refusal('orders.place', ORDER, { reduceOnly: true });
    await refusal('streams.book', { symbol: 'BTC-USD' }, listen, { depth: 5 });
  });
});

describe('a value of a wrong type', () => {
  test.each(WITH_PARAMS)('is refused for each field: $path', async (one) => {
    const rows = one.call.args[0]?.argument.rows('') ?? [];
    for (const { name } of rows.filter((row) => !/[.[]/.test(row.name))) {
      expect(RIGHT, `a right value of ${name}`).toHaveProperty(name);
      for (const wrong of wrongFor(name, RIGHT[name])) {
        const { message } = await refusal(one.path, withField(one, name, wrong));
        expect(message).toContain(name);
      }
    }
  });

  test.each(WITH_PARAMS)('is refused in place of the parameters: $path', async ({ path }) => {
    for (const wrong of [
      null,
      5,
      'text',
      true,
      [],
      [ORDER],
      new Date(0),
      Promise.resolve(ORDER),
      () => ORDER,
    ])
      await refusal(path, wrong);
  });

  test.each(WITH_PARAMS)('is refused where a field is missing: $path', async (one) => {
    for (const name of Object.keys(least(one))) {
      const { [name]: _left, ...rest } = least(one);
      expect((await refusal(one.path, rest)).message).toContain(`${name} of ${one.path}`);
    }
  });

  test.each([
    { ...ORDER, reduceOnly: 1 },
    { ...ORDER, reduceOnly: 'true' },
    { ...ORDER, price: 20_000 },
    { orders: [{ ...ORDER, size: 0.01 }] },
    { orders: [] },
    { orders: { 0: ORDER } },
  ])('of an order: %j', async (params) => {
    await refusal('orders.place', params);
  });

  test.each([
    5,
    'text',
    null,
    {},
    { onupdate: listen },
    { onUpdate: 5 },
    { onUpdate: listen, onstate: listen },
  ])('of a listener: %j', async (listener) => {
    await refusal('streams.prices', listener);
    await refusal('streams.bbo', { symbol: 'BTC-USD' }, listener);
  });
});

describe('both forms of one thing', () => {
  test.each([
    ['orders.place', { ...ORDER, orders: [ORDER] }],
    ['orders.cancel', { ...REF, orders: [REF] }],
    ['orders.cancelAll', { vault: '7', subaccount: 0 }],
    ['account.summary', { vault: '7', address: OTHER }],
    ['streams.fills', { vault: '7', subaccount: 1 }],
  ])('are refused: %s with %j', async (path, params) => {
    expect(await refusal(path, params)).toMatchObject({
      code: 'CLIENT_FORM_INVALID',
    });
  });
});

describe('a read by its path', () => {
  test.each([
    [[5], 'get'],
    [[undefined], 'get'],
    [['/v1/markets', 'depth=5'], 'get'],
    [['/v1/markets/BTC-USD/book', { depth: 5 }], 'get'],
    [['/v1/markets/BTC-USD/book?depth=5', { depth: '6' }], 'once'],
    [['/v1/markets/BTC-USD/book?depth=5&depth=6'], 'once'],
    [['/v1/markets', {}, 5], 'arguments'],
  ])('refuses %j', async (args, said) => {
    const { client, asked } = spied();
    const get = client.get as (...all: unknown[]) => Promise<string>;
    const thrown = await get(...args).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ClientUsageError);
    expect(String((thrown as Error).message)).toContain(said);
    expect(asked).toEqual([]);
  });
});

describe('what createClient is given', () => {
  test.each([
    [{ resolveWithin: 5 }, 'did you mean resolveWithinMs?'],
    [{ walet: 'x' }, 'did you mean wallet?'],
    [{ resolveWithinMs: '5' }, 'resolveWithinMs'],
    [{ ack: 'Result' }, 'ack'],
    [{ journal: 'folder' }, 'journal'],
    [{ journal: { folder: 'a', lockfolder: 'b' } }, 'did you mean lockFolder?'],
    [{ account: 'me' }, 'account'],
    [{ account: '0x00000000000000000000000000000000000000Aa' }, 'account'],
    [{ account: { adress: OTHER } }, 'did you mean address?'],
    [{ account: { vault: '7', subaccount: 1 } }, 'got both'],
    [{ clock: {} }, 'clock'],
    [{ baseUrl: 5 }, 'baseUrl'],
  ])('is refused: %j', (options, said) => {
    expect(() => spied(options as never)).toThrow(ClientUsageError);
    expect(() => spied(options as never)).toThrow(said);
  });

  test('does not show a key that is none', () => {
    expect(() => spied({ wallet: ['11'.repeat(32)] as never })).toThrow(/got object$/);
    expect(() => spied({ wallet: '11'.repeat(31) })).toThrow(/64 hex digits, got string$/);
  });
});

describe('an account as text', () => {
  test('is the account of reads and writes, of its main wallet', async () => {
    const people = await startPeopleClient({ client: {} });
    const { venue, now } = people;
    const { client } = people.another({
      ...identityOf(venue, 'wallet'),
      account: venue.address.toUpperCase().replace('X', 'x'),
    });
    const { items } = await now(client.orders.place({ ...ORDER, side: 'buy' }));
    expect(items).toMatchObject([{ state: 'accepted' }]);
    expect((await now(client.account.orders())).length).toBe(1);
  });

  test('is the account that an API wallet reads and writes for', async () => {
    const people = await startPeopleClient();
    const { venue, now } = people;
    const { client } = people.another({ ...identityOf(venue, 0), account: venue.address });
    await now(client.orders.place({ ...ORDER, side: 'buy' }));
    expect((await now(people.client.account.orders())).length).toBe(1);
  });

  test("is never the key's own account: another's is read, and nothing is written for it", async () => {
    const people = await startPeopleClient();
    const other = people.venue.another();
    const { client, now, error } = people.another({
      wallet: toHex(people.venue.account.key.exposeBytes()),
      account: other.address,
    });
    const { accountId } = await now(client.account.summary());
    expect(accountId).toBe(people.venue.exchange.control.accountId(other.address, 0));
    await error(client.orders.place({ ...ORDER, side: 'buy' }));
    expect(await now(people.client.account.orders())).toEqual([]);
  });
});

test('what is right is taken: objects of classes, from prototypes, with getters and undefined fields', async () => {
  const people = await startPeopleClient();
  class Order {
    readonly symbol = 'BTC-USD';
    readonly side = 'buy';
    readonly price = '20000';
    readonly timeInForce = undefined;
    get size() {
      return '0.01';
    }
    notional() {
      return 200;
    }
  }
  const ofAnotherRealm = runInNewContext('({ ...order })', { order: ORDER });
  const bare = Object.assign(Object.create(null), ORDER);
  for (const order of [
    ...[new Order(), Object.create(ORDER), ofAnotherRealm, bare],
    { ...ORDER, clientOrderId: undefined },
  ])
    expect((await people.now(people.client.orders.place(order as never))).items).toMatchObject([
      { state: 'accepted' },
    ]);
});
