/** @module The oracles of fills, positions, ledger, open orders and convergence: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES as CONVERGENCE, convergenceOf } from '../../../simulation/oracles/convergence.ts';
import { ORACLES as EPOCHS } from '../../../simulation/oracles/epochs.ts';
import { ORACLES as FILLS } from '../../../simulation/oracles/fills.ts';
import { ORACLES as LEDGER } from '../../../simulation/oracles/ledger.ts';
import { ORACLES as ORDERS } from '../../../simulation/oracles/open-orders.ts';
import { ORACLES as POSITIONS } from '../../../simulation/oracles/positions.ts';
import type { BotView, Oracle } from '../../../simulation/types.ts';
import { MadeRun } from './made-run.ts';

const fill = (id: string, lots: number): BotView['fills'][number] => ({
  id,
  symbol: 'BTC-USD',
  side: lots > 0 ? 'buy' : 'sell',
  priceTicks: 1_000_000,
  sizeLots: Math.abs(lots),
});

const effects = (fills: BotView['fills'], epoch = 'e1') => ({ epoch, fills, ledger: [] });

/** A run in which two fills happened. */
function twoFills(oracles: readonly Oracle[], view: Partial<BotView> = {}): MadeRun {
  return new MadeRun(oracles, { view }).live().filled('110-0-0', 30).filled('120-0-0', -10);
}

/** The same after time enough for every frame to arrive. */
function settled(run: MadeRun): readonly string[] {
  return run.quiesce().block().pass(10_000).block().end().broken;
}

describe('fills (I1)', () => {
  const both = [fill('110-0-0', 30), fill('120-0-0', -10)];

  test('agree when each is there once', () => {
    expect(settled(twoFills(FILLS, { fills: both }))).toEqual([]);
  });

  test.each([
    ['one is lost', [fill('110-0-0', 30)]],
    ['one is there twice', [...both, fill('120-0-0', -10)]],
    ['one has another size', [fill('110-0-0', 31), fill('120-0-0', -10)]],
    ['one never happened', [...both, fill('130-0-0', 1)]],
  ])('do not agree when %s', (_why, fills) => {
    expect(settled(twoFills(FILLS, { fills }))).toEqual(['I1']);
  });

  test('may differ for a moment, while frames are under way', () => {
    const run = twoFills(FILLS, { fills: [fill('110-0-0', 30)] })
      .quiesce()
      .block();
    run.view = { ...(run.view as BotView), fills: both };
    expect(run.pass(1_000).block().end().broken).toEqual([]);
  });

  test('are applied once over two lives, and a cursor leaves no gap behind', () => {
    const run = twoFills(FILLS, { fills: both });
    run
      .row('effects', effects([fill('110-0-0', 30)]))
      .lifeIs('killed')
      .live();
    expect(run.row('effects', effects([fill('120-0-0', -10)])).broken).toEqual([]);
    expect(run.row('effects', effects([fill('110-0-0', 30)])).broken).toEqual(['I1']);
    expect(twoFills(FILLS).row('effects', effects([fill('120-0-0', -10)])).broken).toEqual(['I1']);
  });

  test('that were handed over and not acknowledged may come again in the next life', () => {
    const run = twoFills(FILLS, { fills: [fill('110-0-0', 30)] });
    run
      .row('effects', effects([fill('110-0-0', 30)]), false)
      .lifeIs('killed')
      .live();
    expect(run.row('effects', effects([fill('110-0-0', 30)])).broken).toEqual([]);
  });

  test('that were durable are known to the next life (I21)', () => {
    const run = twoFills(FILLS)
      .row('effects', effects([fill('110-0-0', 30)]))
      .lifeIs('killed');
    expect(run.live().broken).toEqual(['I21']);
  });
});

describe('positions (I2)', () => {
  test('are the exchange’s', () => {
    expect(settled(twoFills(POSITIONS, { positions: { 'BTC-USD': 20 } }))).toEqual([]);
    expect(settled(twoFills(POSITIONS, { positions: { 'BTC-USD': 30 } }))).toEqual(['I2']);
  });
});

describe('the ledger (I3)', () => {
  const entries = [
    { id: '110-0-1', amount: -300_000_000n },
    { id: '120-0-1', amount: 100_000_000n },
  ];
  const fills = [fill('110-0-0', 30), fill('120-0-0', -10)];

  test('agrees to the last unit', () => {
    expect(settled(twoFills(LEDGER, { ledger: entries, fills }))).toEqual([]);
  });

  test.each([
    ['an entry is lost', { ledger: entries.slice(1), fills }],
    ['an entry is there twice', { ledger: [...entries, ...entries.slice(1)], fills }],
    [
      'an amount is off by one',
      { ledger: [{ id: '110-0-1', amount: -300_000_001n }, ...entries.slice(1)], fills },
    ],
    [
      'fills moved other cash than trades booked',
      { ledger: entries, fills: [fill('110-0-0', 29), fill('120-0-0', -10)] },
    ],
  ])('does not agree when %s', (_why, view) => {
    expect(settled(twoFills(LEDGER, view))).toEqual(['I3']);
  });

  const quarter = { id: '130-0-0', amount: 0n, otherToken: { token: 1, amount: '0.250000000000000000' } };
  const other = (text: string) => ({ ...quarter, otherToken: { token: 1, amount: text } });

  test.each([
    ['is told in its own decimals', quarter, []],
    ['is told without the zeros behind it', other('0.25'), []],
    ['is taken for collateral', { id: quarter.id, amount: 250_000n }, ['I3']],
    ['has another amount', other('0.250000000000000001'), ['I3']],
    ['is told of another token', { ...quarter, otherToken: { token: 2, amount: '0.25' } }, ['I3']],
    ['is lost', undefined, ['I3']],
  ])('with what came of another token: %s', (_what, entry, broken) => {
    const ledger = entry === undefined ? entries : [...entries, entry];
    const run = twoFills(LEDGER, { ledger, fills }).paidIn(quarter.id, 1, 250_000_000_000_000_000n);
    expect(settled(run)).toEqual(broken);
  });

  test('does not balance with a residual in the report', () => {
    const run = twoFills(LEDGER, { ledger: entries, fills });
    run.report = { openOrders: 0, ledgerResidual: '0.01' };
    expect(run.end().broken).toEqual(['I3']);
  });
});

describe('open orders (I4)', () => {
  const own = {
    orderId: '77',
    symbol: 'BTC-USD',
    side: 'buy',
    priceTicks: 999_000,
    remainingLots: 30,
  } as const;

  test.each([
    ['is the same', [own], []],
    ['is not known', [], ['I4']],
    ['has another rest', [{ ...own, remainingLots: 29 }], ['I4']],
    ['is joined by a ghost', [own, { ...own, orderId: '78' }], ['I4']],
  ])('an order %s', (_what, openOrders, broken) => {
    const run = new MadeRun(ORDERS, { view: { openOrders } }).live();
    run.venue.orders.set(77n, { side: 'buy', priceTicks: 999_000, remainingLots: 30, reduceOnly: false });
    expect(settled(run)).toEqual(broken);
  });
});

describe('epochs (I18)', () => {
  test('follow each other, and a cursor does not go back in one', () => {
    const run = new MadeRun(EPOCHS).live().row('epoch', { epoch: 'e1' });
    run.row('effects', effects([fill('9-0-0', 1), fill('10-0-0', 1)])).log({ kind: 'epoch', epoch: 'e2' });
    expect(
      run.row('epoch', { epoch: 'e2' }).row('effects', effects([fill('3-0-0', 1)], 'e2')).broken,
    ).toEqual([]);
    expect(run.row('effects', effects([fill('3-0-0', 1)], 'e2')).broken).toEqual(['I18']);
    expect(run.row('effects', effects([fill('11-0-0', 1)])).broken).toEqual(['I18', 'I18']);
  });

  test('are the exchange’s', () => {
    expect(new MadeRun(EPOCHS).live().row('epoch', { epoch: 'other' }).broken).toEqual(['I18']);
  });
});

describe('convergence (I13)', () => {
  const healed = (view: Partial<BotView> = {}): MadeRun =>
    new MadeRun(CONVERGENCE, { view: { ...view } }).live().tell({ kind: 'healed' });

  test('takes until the books agree and an order stands, and is measured', () => {
    const run = healed().pass(4_000).block();
    const write = { nonce: 0n };
    run.record(write);
    run.post(write);
    run.rests(write, 77n);
    run.view = {
      ...(run.view as BotView),
      openOrders: [{ orderId: '77', symbol: 'BTC-USD', side: 'buy', priceTicks: 999_000, remainingLots: 30 }],
    };
    expect(run.block().pass(60_000).block().broken).toEqual([]);
    expect(convergenceOf(run.world)).toEqual({ sinceHealingMs: 4_000, sinceFreeMs: 4_000 });
  });

  test('is missing when nothing is quoted, or the account is not synced, for 30 s', () => {
    expect(healed().pass(30_000).block().broken).toEqual([]);
    expect(healed().pass(30_001).block().broken).toEqual(['I13']);
    expect(healed({ account: 'lagging' }).pass(30_001).block().broken).toEqual(['I13']);
  });

  test('is not missing while a grant comes to the end that a fault gave it (obligation O52)', () => {
    const red = [{ id: 'H9', sinceMs: 0 }];
    const struck = (view: Partial<BotView>): MadeRun => {
      const run = new MadeRun(CONVERGENCE, { view: { ...view } }).live();
      return run.tell({ kind: 'fault', id: 'F45', what: 'begun' }).tell({ kind: 'healed' });
    };
    expect(struck({ red }).pass(30_001).block().broken).toEqual([]);
    expect(struck({}).pass(30_001).block().broken).toEqual(['I13']);
    expect(healed({ red }).pass(30_001).block().broken).toEqual(['I13']);
  });

  test('counts from the end of a wait that the exchange had ordered, not of one ordered later (I14)', () => {
    const refused = (isBefore: boolean, headers: Readonly<Record<string, string>>): MadeRun => {
      const run = new MadeRun(CONVERGENCE).live();
      const body = { error: { code: 'RateLimited', details: { bucket: 'ip' } } };
      if (!isBefore) run.tell({ kind: 'healed' });
      run.answer(run.request('GET', '/v1/time'), 429, body, headers);
      return isBefore ? run.tell({ kind: 'healed' }) : run;
    };
    const told = { 'retry-after': '9' };
    expect(refused(true, told).pass(39_000).block().broken).toEqual([]);
    expect(refused(true, told).pass(39_001).block().broken).toEqual(['I13']);
    expect(refused(false, told).pass(30_001).block().broken).toEqual(['I13']);
    const untold = { 'retry-after': 'soon', ratelimit: '"ip";r=0;t=12' };
    expect(refused(true, untold).pass(42_000).block().broken).toEqual([]);
    expect(refused(true, untold).pass(42_001).block().broken).toEqual(['I13']);
    // It ended with the life that heard it.
    const next = refused(true, told).lifeIs('killed').live();
    expect(next.pass(30_001).block().broken).toEqual(['I13']);
  });

  test('counts from the end of a window that was spent before the healing, not of one the life spent itself', () => {
    const ip = (left: number, quota: number) => ({
      ratelimit: `"ip";r=${left};t=40`,
      'ratelimit-policy': `"ip";q=${quota};w=60`,
    });
    const told = (before: readonly object[], after: readonly object[] = []): MadeRun => {
      const run = new MadeRun(CONVERGENCE).live();
      const answer = (headers: object) => run.answer(run.request('GET', '/v1/time'), 200, {}, { ...headers });
      for (const headers of before) answer(headers);
      run.tell({ kind: 'healed' });
      for (const headers of after) answer(headers);
      return run;
    };
    const at = (run: MadeRun, ms: number) => run.pass(ms).block().broken;
    expect(at(told([ip(3, 18)]), 70_000)).toEqual([]);
    expect(at(told([ip(3, 18)]), 70_001)).toEqual(['I13']);
    // The first answer of the next window does not undo the wait for its beginning.
    const later = told([ip(3, 18)]).pass(40_000);
    later.answer(later.request('GET', '/v1/time'), 200, {}, ip(5_990, 6_000));
    expect(at(later, 30_000)).toEqual([]);
    expect(at(later, 1)).toEqual(['I13']);
    // Enough is left beside the reserve of 15 %, and what is told last is what is left.
    expect(at(told([ip(20, 100)]), 30_001)).toEqual(['I13']);
    expect(at(told([ip(3, 18), ip(5_990, 6_000)]), 30_001)).toEqual(['I13']);
    // What others used shows in the first answer after the healing; what it used itself does not excuse it.
    expect(at(told([ip(900, 1_000)], [ip(140, 1_000)]), 70_000)).toEqual([]);
    expect(at(told([], [ip(900, 1_000), ip(140, 1_000)]), 30_001)).toEqual(['I13']);
    // No quota is told of the wallet's budget: the most that was ever left stands for it.
    const wallet = (left: number) => ({ 'x-ratelimit-account': `"account";r=${left};t=40` });
    expect(at(told([wallet(5_999), wallet(154)]), 70_000)).toEqual([]);
    expect(at(told([wallet(154)]), 30_001)).toEqual(['I13']);
    const next = told([ip(3, 18)])
      .lifeIs('killed')
      .live();
    expect(at(next, 30_001)).toEqual(['I13']);
  });

  test('counts from the end of the pause of M5 after rejections that were forced before the healing', () => {
    const paused = (struck: 'F37' | 'F4', isBefore: boolean): MadeRun => {
      const run = new MadeRun(CONVERGENCE).live().tell({ kind: 'fault', id: struck, what: 'begun' });
      if (!isBefore) run.tell({ kind: 'healed' });
      const fields = { control: 'M5', state: 'halted', reason: 'M5: 5 rejections within 10000 ms' };
      run.tell({ kind: 'audit', life: 1, event: { type: 'TradingStateChanged', atMs: 0, fields } });
      return isBefore ? run.tell({ kind: 'healed' }) : run;
    };
    expect(paused('F37', true).pass(91_000).block().broken).toEqual([]);
    expect(paused('F37', true).pass(91_001).block().broken).toEqual(['I13']);
    expect(paused('F37', false).pass(30_001).block().broken).toEqual(['I13']);
    expect(paused('F4', true).pass(30_001).block().broken).toEqual(['I13']);
    expect(paused('F37', true).lifeIs('killed').live().pass(30_001).block().broken).toEqual(['I13']);
  });

  describe('in a world in which each fill is told with the end of the next block (A18=blocks-first)', () => {
    const BLOCKS = 40;
    const REST_AT = 10;
    const number = (at: number): bigint => 1_000n + BigInt(at);
    const order = (orderId: bigint): BotView['openOrders'][number] => {
      const rest = { symbol: 'BTC-USD', side: 'buy', priceTicks: 999_000, remainingLots: 30 } as const;
      return { orderId: `${orderId}`, ...rest };
    };

    /** What the bot believes when it has heard of this many fills, and of the ends of as many orders. */
    function heard(blocks: number) {
      const ats = Array.from({ length: blocks }, (_none, at) => at);
      return {
        fills: ats.map((at) => fill(`${200 + 10 * at}-0-0`, at + 1)),
        ledger: ats.map((at) => ({ id: `${200 + 10 * at}-0-1`, amount: -BigInt(at + 1) * 10_000_000n })),
        positions: { 'BTC-USD': (blocks * (blocks + 1)) / 2 },
        openOrders: Array.from({ length: BLOCKS + 1 - blocks }, (_none, at) => order(number(at + blocks))),
      };
    }

    /** A block a second; just before each one a fill happens and an order is dropped, of which the bot hears after it. */
    function busy(tell: (blocks: number) => Partial<BotView>): readonly string[] {
      const run = new MadeRun([...CONVERGENCE, ...FILLS, ...POSITIONS, ...LEDGER, ...ORDERS], {
        view: tell(0),
      });
      run.live().tell({ kind: 'healed' });
      for (let at = 0; at <= BLOCKS; at++) {
        run.record({ nonce: BigInt(at) });
        run.post({ nonce: BigInt(at) });
        run.rests({ nonce: BigInt(at) }, number(at));
      }
      for (let at = 0; at < BLOCKS; at++) {
        run
          .pass(1_000)
          .filled(`${200 + 10 * at}-0-0`, at + 1)
          .dropped(number(at));
        if (at === REST_AT) run.quiesce();
        run.block().with(tell(at + 1));
      }
      return [...run.pass(1_000).block().end().broken].sort();
    }

    test('is there when all is told in its time', () => {
      expect(busy(heard)).toEqual([]);
    });

    type Heard = ReturnType<typeof heard>;
    /** What the bot believes when from the start on one of its books is wrong. */
    const wrong = (change: (view: Heard) => Partial<BotView>) => (blocks: number) => {
      const view = heard(blocks);
      return blocks > 0 ? { ...view, ...change(view) } : view;
    };
    const off = (lots: number) => (view: Heard) => ({
      positions: { 'BTC-USD': view.positions['BTC-USD'] + lots },
    });
    const late = (blocks: number): Heard => heard(Math.max(0, blocks - 1));

    test.each([
      ['a fill is lost', wrong(({ fills }) => ({ fills: fills.slice(1) })), ['I1', 'I13', 'I3']],
      [
        'a fill is lost, and missing in the position',
        wrong((view) => ({ fills: view.fills.slice(1), ...off(-1)(view) })),
        ['I1', 'I13', 'I2', 'I3'],
      ],
      [
        'a fill is counted twice',
        wrong(({ fills }) => ({ fills: [...fills, ...fills.slice(0, 1)] })),
        ['I1', 'I13', 'I3'],
      ],
      ['a fill is counted twice in the position', wrong(off(1)), ['I13', 'I2']],
      ['an entry of cash is lost', wrong(({ ledger }) => ({ ledger: ledger.slice(1) })), ['I13', 'I3']],
      [
        'the end of an order is lost',
        wrong(({ openOrders }) => ({ openOrders: [...openOrders, order(number(0))] })),
        ['I13', 'I4'],
      ],
      ['all is told a block later than it may be', late, ['I1', 'I13', 'I2', 'I3', 'I4']],
      [
        'the position always is that of a block ago',
        (blocks: number) => ({ ...heard(blocks), positions: late(blocks).positions }),
        ['I13', 'I2'],
      ],
      // Later than the bot agreed for the first time: of that the books at rest must tell.
      [
        'the fill is lost that was under way at rest',
        (blocks: number) => {
          const isLost = ({ sizeLots }: { readonly sizeLots: number }): boolean => sizeLots === REST_AT + 1;
          const view = heard(blocks);
          return { ...view, fills: view.fills.filter((one) => !isLost(one)) };
        },
        ['I1', 'I3'],
      ],
    ])('is missing when %s', (_why, tell, broken) => {
      expect(busy(tell)).toEqual(broken);
    });
  });

  test('counts from the start of a life that comes later', () => {
    const run = healed().lifeIs('killed').pass(20_000).live();
    expect(run.pass(29_000).block().broken).toEqual([]);
  });
});
