/** @module The oracles of what leaves the bot and how often: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES as WORK } from '../../../simulation/oracles/bounded-work.ts';
import { ORACLES as PAGES } from '../../../simulation/oracles/pages.ts';
import { ORACLES as REQUESTS } from '../../../simulation/oracles/requests.ts';
import { ORACLES as RETRY } from '../../../simulation/oracles/retry-after.ts';
import { encodingsOf, ORACLES as SECRETS } from '../../../simulation/oracles/secrets.ts';
import { bytesOfCommand } from '../../../simulation/oracles/support/codec.ts';
import { readLimits } from '../../../simulation/oracles/support/limits.ts';
import type { Oracle, SimulationPlan } from '../../../simulation/types.ts';
import { ADDRESS, MadeRun, orderBody, SECRET, START_MS, switchBody } from './made-run.ts';

const STRANGER = `0x${'cc'.repeat(20)}`;

function run(oracles: readonly Oracle[]): MadeRun {
  return new MadeRun(oracles).live();
}

/** A run whose faults have just ended. */
function healed(oracles: readonly Oracle[], faults: SimulationPlan['faults']): MadeRun {
  const one = new MadeRun(oracles, { plan: { faults } }).live();
  one.isHealed = true;
  return one.tell({ kind: 'healed' });
}

describe('an own codec', () => {
  test('writes the golden bytes of exchange.md#command-bytes', () => {
    expect(bytesOfCommand({ kind: 'CancelOrder', account: 7, orderId: { market: 3, orderSeq: 42n } })).toBe(
      '0106070000002a00000000000300',
    );
    expect(
      bytesOfCommand({
        kind: 'ScheduleCancel',
        account: 5,
        triggerMs: 1_700_000_060_000,
        nowMs: 1_700_000_000_000,
      }),
    ).toBe('0116050000006052e6cf8b0100000068e5cf8b010000');
    expect(bytesOfCommand({ kind: 'SetLeverage', account: 6, market: 2, customImfPpm: 200_000 })).toBe(
      '010a060000000200400d0300',
    );
    const order = { market: 0, tif: 'gtc', reduceOnly: false } as const;
    expect(
      bytesOfCommand({
        kind: 'BatchReplace',
        account: 9,
        nowMs: 1_700_000_000_123,
        cancels: [
          { market: 0, orderSeq: 1n },
          { market: 0, orderSeq: 2n },
        ],
        orders: [
          { ...order, side: 'buy', price: 49_900, lots: 5n },
          { ...order, side: 'sell', price: 50_100, lots: 5n, tif: 'ioc' },
          { ...order, side: 'buy', price: 49_800, lots: 7n, tif: 'fok', reduceOnly: true },
        ],
      }),
    ).toBe(
      '013e090000007b68e5cf8b010000020000000100000000000000020000000000000003000000000000ecc2000005000000000000000000000001b4c300000500000000000000010000000088c2000007000000000000000301',
    );
  });
});

describe('limits', () => {
  test('are read from the text of the configuration', () => {
    const limits = readLimits(
      'risk: { capital: 10000, maxPositionNotional: 25% }\ndeadMansSwitch: { timeout: 30s }\n',
    );
    expect(limits).toMatchObject({ positionMax: 2_500_000_000n, openOrdersPerSideMax: 5, switchMs: 30_000 });
  });
});

describe('requests (I22, I24)', () => {
  test('of the configured account and market are right', () => {
    const one = run(REQUESTS);
    one.request('GET', `/v1/account/fills?address=${ADDRESS}&limit=1`);
    one.record({ nonce: 0n });
    one.post({ nonce: 0n });
    one.record(switchBody(START_MS));
    one.post(switchBody(START_MS));
    one.tell({ kind: 'sent', socket: 1, life: 1, text: '{"method":"ping"}' });
    expect(one.broken).toEqual([]);
  });

  test.each([
    ['another address', 'I22', `/v1/account?address=${STRANGER}`],
    ['another market', 'I22', '/v1/markets/ETH-USD/book'],
    ['a vault', 'I22', '/v1/account?vault=v1'],
    ['another wallet', 'I22', `/v1/agents/${STRANGER}`],
    ['a path with /v1 twice', 'I22', '/v1/v1/time'],
    ['a credential', 'I24', '/v1/account?signature=0x1'],
  ])('do not name %s', (_what, id, path) => {
    const one = run(REQUESTS);
    one.request('GET', path);
    expect(one.broken).toEqual([id]);
  });

  test.each([
    ['another account', 'I22', { account: STRANGER }],
    ['another signer', 'I22', { signer: STRANGER }],
    ['a vault', 'I22', { vault: 'v1' }],
    ['another market', 'I22', { extra: { symbol: 'SOL-USD' } }],
    ['a field of its own', 'I24', { gift: 1 }],
    ['a price off its tick', 'I24', { extra: { price: '99900.05' } }],
    ['a price as a number', 'I24', { extra: { price: 99_900 } }],
    ['an exponent', 'I24', { extra: { size: '3e-3' } }],
    ['no signature', 'I24', { signature: '0x' }],
  ])('do not post %s', (_what, id, { extra, ...fields }: Record<string, unknown>) => {
    const one = run(REQUESTS);
    const body = {
      account: ADDRESS,
      nonce: 0,
      signature: `0x${'11'.repeat(65)}`,
      signer: `0x${'b1'.repeat(20)}`,
    };
    const order = orderBody(extra as Record<string, unknown> | undefined);
    const made = (): number =>
      one.request('POST', '/v1/orders', JSON.stringify({ ...body, ...order, ...fields }));
    made();
    expect(one.broken).toContain(id);
  });

  test('do not subscribe to what is not configured, and send no orders over the stream', () => {
    const frame = (text: string): readonly string[] =>
      run(REQUESTS).tell({ kind: 'sent', socket: 1, life: 1, text }).broken;
    expect(frame('{"method":"subscribe","params":{"channel":"book","symbol":"BTC-USD"},"id":1}')).toEqual([]);
    expect(frame('{"method":"subscribe","params":{"channel":"book","symbol":"ETH-USD"},"id":1}')).toEqual([
      'I22',
    ]);
    expect(frame('{"method":"order","id":1}')).toEqual(['I24']);
  });

  test('are timed by the exchange’s clock, and placements leave before they are old', () => {
    const recorded = (offMs: number): readonly string[] => {
      const one = run(REQUESTS);
      one.record({ nonce: 0n, body: { ...orderBody(), nowMs: START_MS + offMs } });
      return one.broken;
    };
    expect(recorded(400)).toEqual([]);
    expect(recorded(-600)).toEqual(['I24']);
    const held = (forMs: number): readonly string[] => {
      const one = run(REQUESTS);
      one.record({ nonce: 0n });
      const id = one.pass(forMs).post({ nonce: 0n });
      return one.tell({ kind: 'arrived', id, times: 1 }).broken;
    };
    expect(held(3_000)).toEqual([]);
    expect(held(5_000)).toEqual(['I24']);
  });

  test('are not refused for what the client did, where no fault could be the reason', () => {
    const one = run(REQUESTS);
    one.answer(one.post({ nonce: 0n }), 401, { error: { code: 'GatewayBadSignature' } });
    expect(one.broken).toEqual(['I24']);
  });

  test('are not refused once faults and what they left have passed', () => {
    const refusedAfter = (ms: number, faults: SimulationPlan['faults'] = { F12: 1 }): readonly string[] => {
      const one = healed(REQUESTS, faults).pass(ms);
      return one.answer(one.request('GET', '/v1/time'), 400, { error: { code: 'BadRequest' } }).broken;
    };
    expect(refusedAfter(60_000)).toEqual([]);
    expect(refusedAfter(70_000)).toEqual(['I24']);
    const early = healed(REQUESTS, { F12: 1 });
    const id = early.request('GET', '/v1/time');
    expect(early.pass(70_000).answer(id, 400, { error: { code: 'BadRequest' } }).broken).toEqual([]);
  });

  test('are timed by the exchange’s clock again once clocks are healed (F54)', () => {
    const recordedAfter = (ms: number): readonly string[] => {
      const one = healed(REQUESTS, { F54: 1 }).pass(ms);
      one.record({ nonce: 0n, body: { ...orderBody(), nowMs: START_MS + ms - 600 } });
      return one.broken;
    };
    expect(recordedAfter(60_000)).toEqual([]);
    expect(recordedAfter(70_000)).toEqual(['I24']);
  });
});

describe('the wait after a 429 (I14, I26)', () => {
  const refused = (bucket: string): MadeRun => {
    const one = new MadeRun(RETRY, { plan: { faults: { F35: 1 } } }).live();
    const body = { error: { code: 'RateLimited', details: { bucket } } };
    return one.answer(one.request('GET', '/v1/time'), 429, body, { 'retry-after': '5' });
  };

  test('is kept for the bucket', () => {
    const early = refused('ip').pass(4_000);
    early.request('GET', '/v1/time');
    expect(early.broken).toEqual(['I14']);
    const late = refused('ip').pass(5_000);
    late.request('GET', '/v1/time');
    expect(late.broken).toEqual([]);
    const read = refused('account').pass(1_000);
    read.request('GET', '/v1/time');
    expect(read.broken).toEqual([]);
    read.post({ nonce: 0n });
    expect(read.broken).toEqual(['I14']);
  });

  test('that is told as a date is as sure as the clock of the exchange (F49)', () => {
    const earlyBy = (ms: number, faults: SimulationPlan['faults']): readonly string[] => {
      const one = new MadeRun(RETRY, { plan: { faults: { F35: 1, ...faults } } }).live();
      const body = { error: { code: 'RateLimited', details: { bucket: 'ip' } } };
      const until = new Date(START_MS + 20_000).toUTCString();
      one.answer(one.request('GET', '/v1/time'), 429, body, { 'retry-after': until });
      one.pass(20_000 - ms).request('GET', '/v1/time');
      return one.broken;
    };
    expect(earlyBy(1_000, {})).toEqual(['I14']);
    expect(earlyBy(0, {})).toEqual([]);
    expect(earlyBy(5_000, { F49: 1 })).toEqual([]);
    expect(earlyBy(6_000, { F49: 1 })).toEqual(['I14']);
  });

  test('is for the process that heard it, and for new streams too', () => {
    const next = refused('ip').lifeIs('killed').live();
    next.request('GET', '/v1/time');
    expect(next.broken).toEqual([]);
    expect(refused('ip').tell({ kind: 'opening', socket: 1, life: 1 }).broken).toEqual(['I14']);
  });

  test('ends with one probe: nothing goes beside it until it has come back without a 429 (O115)', () => {
    const beside = refused('ip').pass(5_000);
    beside.request('GET', '/v1/time');
    expect(beside.broken).toEqual([]);
    beside.request('GET', '/v1/markets');
    expect(beside.broken).toEqual(['I14']);
    const behind = refused('ip').pass(5_000);
    behind.answer(behind.request('GET', '/v1/time'), 200, {});
    behind.request('GET', '/v1/time');
    behind.request('GET', '/v1/markets');
    expect(behind.broken).toEqual([]);
  });

  test('may be probed earlier where it is told as a date and clocks are wrong (F49)', () => {
    const one = new MadeRun(RETRY, { plan: { faults: { F35: 1, F49: 1 } } }).live();
    const body = { error: { code: 'RateLimited', details: { bucket: 'ip' } } };
    const until = new Date(START_MS + 20_000).toUTCString();
    one.answer(one.request('GET', '/v1/time'), 429, body, { 'retry-after': until });
    one.pass(16_000);
    one.answer(one.request('GET', '/v1/time'), 200, {});
    one.pass(5_000).request('GET', '/v1/time');
    one.request('GET', '/v1/markets');
    expect(one.broken).toEqual([]);
  });

  test('may be probed by a stream that opens, and one that fails has proven nothing (O115)', () => {
    const opening = (kind: 'opened' | 'closed', why = 'ECONNRESET'): readonly string[] => {
      const one = refused('ip').pass(5_000).tell({ kind: 'opening', socket: 1, life: 1 });
      one.tell({ kind, socket: 1, life: 1, why });
      one.request('GET', '/v1/time');
      one.request('GET', '/v1/markets');
      return one.broken;
    };
    expect(opening('opened')).toEqual([]);
    expect(opening('closed')).toEqual(['I14']);
    expect(opening('closed', 'the upgrade was refused with status 403')).toEqual([]);
    expect(opening('closed', 'the upgrade was refused with status 429')).toEqual(['I14']);
    const beside = refused('ip').pass(5_000).tell({ kind: 'opening', socket: 1, life: 1 });
    beside.request('GET', '/v1/time');
    expect(beside.broken).toEqual(['I14']);
  });

  test('never comes once faults and the windows of their time have passed', () => {
    const refusedAfter = (ms: number): readonly string[] => {
      const one = healed(RETRY, { F71: 1 }).pass(ms);
      const body = { error: { code: 'RateLimited', details: { bucket: 'ip' } } };
      return one.answer(one.request('GET', '/v1/time'), 429, body, { 'retry-after': '5' }).broken;
    };
    expect(refusedAfter(60_000)).toEqual([]);
    expect(refusedAfter(70_000)).toEqual(['I26']);
  });

  test('never comes where nobody touches the budgets', () => {
    const one = run(RETRY);
    const body = { error: { code: 'RateLimited', details: { bucket: 'ip' } } };
    one.answer(one.request('GET', '/v1/time'), 429, body, { 'retry-after': '5' });
    expect(one.broken).toEqual(['I26']);
  });
});

describe('bounded work (I15, I29)', () => {
  test('asks a resource at most twice a second', () => {
    const slow = run(WORK);
    for (let i = 0; i < 400; i++) slow.pass(600).answer(slow.request('GET', '/v1/time'), 200, {});
    expect(slow.broken).toEqual([]);
    const fast = run(WORK);
    for (let i = 0; i < 400; i++) fast.pass(100).answer(fast.request('GET', '/v1/time'), 200, {});
    expect(fast.broken).toEqual(['I29']);
  });

  test('opens no stream a second, keeps few requests under way and 200 subscriptions', () => {
    const streams = run(WORK);
    for (let i = 0; i < 61; i++) streams.pass(100).tell({ kind: 'opening', socket: i, life: 1 });
    expect(streams.broken).toEqual(['I29']);
    const requests = run(WORK);
    for (let i = 0; i < 65; i++) requests.request('GET', `/v1/orders/${i}`);
    expect(requests.broken).toEqual(['I15']);
    const subscriptions = run(WORK);
    for (let i = 0; i < 201; i++)
      subscriptions.tell({ kind: 'sent', socket: 1, life: 1, text: '{"method":"subscribe"}' });
    expect(subscriptions.broken).toEqual(['I15']);
  });
});

describe('secrets (I16)', () => {
  test.each(encodingsOf(SECRET).map((text) => [text.replaceAll('\\s*', ' ').replace(/\[\+-\]/g, '-')]))(
    'are found as %s',
    (text) => {
      const said = run(SECRETS).tell({
        kind: 'log',
        life: 1,
        level: 'info',
        message: 'key',
        fields: { text },
      });
      expect(said.broken).toEqual(['I16']);
    },
  );

  test('are found wherever the bot writes, and nowhere else', () => {
    const hex = SECRET.slice(2).toUpperCase();
    const sent = run(SECRETS);
    sent.request('GET', `/v1/time?key=${hex}`);
    expect(sent.broken).toEqual(['I16']);
    expect(run(SECRETS).row('trigger', { hex }).broken).toEqual(['I16']);
    const event = { type: 'X', atMs: 0, fields: { hex } };
    expect(run(SECRETS).tell({ kind: 'audit', life: 1, event }).broken).toEqual(['I16']);
    const right = run(SECRETS);
    right.post({ nonce: 0n });
    expect(right.tell({ kind: 'frame', socket: 1, life: 1, text: hex }).broken).toEqual([]);
  });
});

describe('the question for a receipt that a replica had not reached (I24, obligation O19)', () => {
  test.each([
    ['the same', '20', []],
    ['a lower', '19', ['I24']],
    ['no', undefined, ['I24']],
  ])('is asked again with %s position', (_which, seq, broken) => {
    const ask = (one: MadeRun, id: number, minSeq: string | undefined): MadeRun =>
      one.tell({
        ...{
          kind: 'request',
          id,
          life: 1,
          method: 'GET',
          path: '/v1/requests/0x1?scope=a&nonce=1',
          body: '',
        },
        headers: minSeq === undefined ? {} : { 'x-svc-min-seq': minSeq },
      });
    const behind = ask(run(PAGES), 901, '20').answer(901, 412, { error: { code: 'ReplicaBehind' } });
    expect(ask(behind, 902, seq).broken).toEqual(broken);
  });
});
