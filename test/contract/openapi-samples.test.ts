import { describe, expect, test } from 'vitest';
import { type Address, lots, type MarketSymbol, type OrderSpec, ticks } from '../../src/domain/index.ts';
import {
  composeWrite,
  ENDPOINTS,
  type EndpointId,
  endpointOf,
  pathOf,
  planMainWalletWrite,
  planWrite,
} from '../../src/wire/protocol/index.ts';
import { validateAnswer, validateClientFrame, validateFrame, validateRequest } from '../support/openapi.ts';
import {
  AGENT,
  ANSWERS,
  CLIENT_FRAMES,
  OWNER,
  SERVER_FRAMES,
  WRITE_ANSWERS,
} from '../support/wire-samples.ts';
import { marketOf } from '../unit/wire/protocol/support.ts';

const HOLES = {
  symbol: 'BTC-USD',
  orderId: '1',
  clientOrderId: 'a b',
  address: OWNER,
  id: '1',
  requestId: `0x${'ab'.repeat(32)}`,
};
const pathTo = (id: EndpointId, query = {}) => pathOf(id, { path: HOLES, query });
const clone = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));

/** Every path of a value that leads to an object. */
function* objectsOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const child of Object.values(value)) yield* objectsOf(child);
}

describe('answers', () => {
  const samples = Object.entries(ANSWERS) as [EndpointId, unknown][];

  test.each(samples)('the wire type of %s agrees with the document', (id, body) => {
    expect(validateAnswer(pathTo(id), 'GET', 200, body)).toEqual([]);
  });

  test('every read that is implemented has a sample', () => {
    const later = ['ws'];
    const reads = ENDPOINTS.filter(({ method, id }) => method === 'GET' && !later.includes(id));
    expect(Object.keys(ANSWERS).sort()).toEqual(reads.map(({ id }) => id).sort());
  });

  test.each(samples)('a field of %s that is missing or not in the document is told', (id, body) => {
    // Objects whose content depends on a kind are open: event data.
    const missing = clone(body);
    const [first = ''] = Object.keys(missing);
    delete missing[first];
    expect(validateAnswer(pathTo(id), 'GET', 200, missing)).not.toEqual([]);
    const extended = clone(body);
    for (const object of objectsOf(extended)) {
      if (id === 'events' && 'price' in object) continue;
      object['extra'] = 1;
      expect(validateAnswer(pathTo(id), 'GET', 200, extended)).not.toEqual([]);
      delete object['extra'];
    }
  });

  test('a number in place of a decimal text is told', () => {
    expect(validateAnswer(pathTo('market'), 'GET', 200, { ...ANSWERS.market, tickSize: 0.5 })).not.toEqual(
      [],
    );
    expect(validateAnswer(pathTo('market'), 'GET', 200, { ...ANSWERS.market, tickSize: '5e-1' })).not.toEqual(
      [],
    );
  });

  const writes = ENDPOINTS.filter(({ method }) => method === 'POST').map(({ id }) => id);
  test.each(writes)('%s is answered with a result, with sequenced, or with an error', (id) => {
    const path = pathTo(id);
    expect(validateAnswer(path, 'POST', 200, WRITE_ANSWERS.result)).toEqual([]);
    expect(validateAnswer(path, 'POST', 202, WRITE_ANSWERS.sequenced)).toEqual([]);
    for (const status of [400, 401, 403, 404, 409, 412, 421, 422, 429, 500, 503]) {
      expect(validateAnswer(path, 'POST', status, WRITE_ANSWERS.error)).toEqual([]);
    }
    expect(validateAnswer(path, 'POST', 200, WRITE_ANSWERS.sequenced)).not.toEqual([]);
    expect(validateAnswer(path, 'POST', 422, { error: 'no' })).not.toEqual([]);
  });

  test('errors of receipts have the details of their status', () => {
    const path = pathTo('receipt');
    expect(validateAnswer(path, 'GET', 404, WRITE_ANSWERS.error)).toEqual([]);
    expect(validateAnswer(path, 'GET', 409, WRITE_ANSWERS.error)).not.toEqual([]);
    const details = { status: 'conflict', conflictingRequest: HOLES.requestId };
    expect(
      validateAnswer(path, 'GET', 409, { error: { code: 'conflict', num: 1301, message: '', details } }),
    ).toEqual([]);
  });

  test('a path that is not in the document is told', () => {
    expect(validateAnswer('/v1/nothing', 'GET', 200, {})).toEqual(['GET /v1/nothing is not in the document']);
  });
});

describe('frames', () => {
  test.each(SERVER_FRAMES.map((frame) => [frame.channel, frame] as const))(
    'the wire type of a frame of %s agrees with the document',
    (_channel, frame) => {
      expect(validateFrame(frame)).toEqual([]);
      expect(validateFrame({ ...frame, extra: 1 })).not.toEqual([]);
      expect(validateFrame({ channel: frame.channel })).not.toEqual([]);
    },
  );

  test.each(CLIENT_FRAMES.map((frame) => [frame.method, frame] as const))(
    'the wire type of a client frame %s agrees with the document',
    (_method, frame) => {
      expect(validateClientFrame(frame)).toEqual([]);
      expect(validateClientFrame({ ...frame, extra: 1 })).not.toEqual([]);
    },
  );

  test.each([
    ['a channel that does not exist', { channel: 'auctions' }],
    ['a depth beyond 100', { channel: 'book', symbol: 'BTC-USD', depth: 101 }],
    ['an interval that does not exist', { channel: 'candles', symbol: 'BTC-USD', interval: '2m' }],
    ['vault and address together', { channel: 'orders', vault: 'v', address: OWNER }],
    ['vault and subaccount together', { channel: 'orders', vault: 'v', subaccount: 0 }],
    ['an account channel without account', { channel: 'orders' }],
  ])('error: a subscription with %s is told', (_name, params) => {
    expect(validateClientFrame({ method: 'subscribe', params, id: 1 })).not.toEqual([]);
  });

  test('unknown channels and methods are told', () => {
    expect(validateFrame({ channel: 'auctions' })).toEqual(['channel auctions is not in the document']);
    expect(validateClientFrame({ method: 'login' })).toEqual(['method login is not in the document']);
  });
});

describe('requests', () => {
  const market = marketOf(ANSWERS.market);
  const context = { signingAccountId: 7, market: () => market, marketById: () => market };
  const symbol = 'BTC-USD' as MarketSymbol;
  const order: OrderSpec = {
    intentId: 'i' as OrderSpec['intentId'],
    strategyId: 's' as OrderSpec['strategyId'],
    symbol,
    side: 'buy',
    priceTicks: ticks(1_000_000),
    sizeLots: lots(5),
    timeInForce: 'postOnly',
    reduceOnly: false,
    clientOrderId: 'maker-1' as OrderSpec['clientOrderId'],
    expiresAtMs: 0,
  };
  const ref = { symbol, orderId: '42' as never };
  const envelope = { account: OWNER as Address, nonce: 3n, signature: `0x${'11'.repeat(65)}` } as const;
  const plans = [
    planWrite({ kind: 'place', orders: [{ ...order, expiresAtMs: 5 as never }] }, context, 1),
    planWrite({ kind: 'place', orders: [order, order] }, context, 1),
    planWrite({ kind: 'cancel', orders: [ref] }, context, 1),
    planWrite({ kind: 'cancelAll' }, context, 1),
    planWrite({ kind: 'replace', symbol, cancels: [ref], orders: [order] }, context, 1),
    planWrite({ kind: 'scheduleCancel', triggerAtMs: 0 }, context, 1),
    planWrite({ kind: 'setLeverage', symbol, leverage: 5 }, context, 1),
  ];
  const grants = [
    planMainWalletWrite({ kind: 'ApproveAgent', account: 7, agent: AGENT, validUntilMs: 0 }),
    planMainWalletWrite({ kind: 'RevokeAgent', account: 7, agent: AGENT }),
    planMainWalletWrite({ kind: 'CreateSubaccount', account: 7 }),
    planMainWalletWrite({ kind: 'CreateVault', account: 7, name: 'Basis trade' }),
    planMainWalletWrite({ kind: 'ClaimVault', account: 7, vault: 9 }),
    planMainWalletWrite({ kind: 'DepositVault', account: 7, vault: 9, amount: 1_500_000n }),
    planMainWalletWrite({ kind: 'RedeemVault', account: 7, vault: 9, shares: 1n }),
    planMainWalletWrite({ kind: 'ConfigureVault', account: 7, vault: 9, depositCap: 5n, leverageMax: 3 }),
    planMainWalletWrite({ kind: 'ConfigureVault', account: 7, vault: 9, depositCap: 0n, leverageMax: 0 }),
  ];
  const bodyOf = (plan: { readonly body: Readonly<Record<string, unknown>> }, signer?: Address) =>
    clone(JSON.parse(composeWrite(plan.body, { ...envelope, signer, subaccount: 2 })));

  test.each(plans.map((plan) => [plan.path, plan] as const))(
    'a write to %s agrees with the document, signed by either wallet',
    (path, plan) => {
      for (const signer of [AGENT as Address, undefined]) {
        expect(validateRequest(`${path}?ack=result`, 'POST', bodyOf(plan, signer))).toEqual([]);
      }
      expect(validateRequest(path, 'POST', { ...bodyOf(plan), extra: 1 })).not.toEqual([]);
      const { signature: _signature, ...unsigned } = bodyOf(plan);
      expect(validateRequest(path, 'POST', unsigned)).not.toEqual([]);
    },
  );

  test.each(grants.map((plan) => [plan.path, plan] as const))(
    'a write to %s agrees with the document, and has no signer (obligation O51)',
    (path, plan) => {
      expect(validateRequest(path, 'POST', bodyOf(plan))).toEqual([]);
      expect(validateRequest(path, 'POST', bodyOf(plan, AGENT as Address))).not.toEqual([]);
    },
  );

  test('a vault excludes the subaccount (obligation O38)', () => {
    const body = bodyOf({ body: {} });
    expect(validateRequest('/v1/orders/cancel-all', 'POST', { ...body, vault: 'v' })).not.toEqual([]);
  });

  test.each<[string, EndpointId, object]>([
    ['a selection', 'account', { address: OWNER, subaccount: 0 }],
    [
      'a page',
      'fills',
      { address: OWNER, after: '9-0-1', epoch: 'k1-2', upper: '10-65535-4294967295', limit: 1000 },
    ],
    ['a receipt', 'receipt', { scope: `agent:${AGENT}`, nonce: 2n ** 53n, commandHash: HOLES.requestId }],
    ['a book', 'book', { depth: 100 }],
    ['candles', 'candles', { interval: '1m', limit: 10 }],
  ])('the query of %s agrees with the document', (_name, id, query) => {
    expect(validateRequest(pathTo(id, query), endpointOf(id).method)).toEqual([]);
  });

  test.each<[string, EndpointId, object]>([
    ['an unknown parameter', 'account', { user: OWNER }],
    ['an address that is none', 'account', { address: '0x12' }],
    ['a negative subaccount', 'account', { subaccount: -1 }],
    ['a depth of 0', 'book', { depth: 0 }],
    ['a page of 1001', 'fills', { limit: 1001 }],
    ['no interval', 'candles', {}],
    ['an unknown acknowledgement', 'cancelAll', { ack: 'maybe' }],
  ])('error: a query with %s is told', (_name, id, query) => {
    const body = endpointOf(id).method === 'POST' ? bodyOf({ body: {} }) : undefined;
    expect(validateRequest(pathTo(id, query), endpointOf(id).method, body)).not.toEqual([]);
  });
});
