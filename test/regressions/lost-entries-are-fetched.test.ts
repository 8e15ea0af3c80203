/**
 * Symptom: a fill, a ledger entry or an end of an order that was lost in silence, on the stream or in a page, halted the bot
 * for good or was never noticed; a restart hid it. One wrong position in a frame kept an account from ever syncing
 * again (obligations O97, O102, O109).
 */
import { describe, expect, test } from 'vitest';
import { createInMemoryJournal, type InMemoryJournal } from '../../src/bot/journal/index.ts';
import { must } from '../../src/core/index.ts';
import { lots, type Pnl, quantums, ticks } from '../../src/domain/index.ts';
import { type RunningBot, startBot } from '../contract/bot.ts';
import { BTC, during } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

/** A bid and an ask far from each other, always. */
const maker = strategyOf((context) => {
  const quote = (): void =>
    context.quote(BTC, {
      bids: [{ priceTicks: ticks(998_000), sizeLots: lots(500) }],
      asks: [{ priceTicks: ticks(1_002_000), sizeLots: lots(500) }],
    });
  return { onBook: quote, onFill: quote };
});

interface Rig {
  readonly venue: TestExchange;
  readonly taker: TestExchange;
  journal: InMemoryJournal;
  bot: RunningBot;
  /** The taker sells 0.01 to the bid, or buys from the ask. */
  hit(side?: 'buy' | 'sell'): void;
  advance(ms: number): Promise<void>;
  end(): Promise<void>;
  start(): Promise<void>;
}

async function aRig(): Promise<Rig> {
  const venue = await startTestExchange();
  const taker = venue.another();
  taker.place([
    { side: 'buy', price: '99500.0', size: '1.0000' },
    { side: 'sell', price: '100500.0', size: '1.0000' },
  ]);
  const commit = { clock: venue.clock, delayMs: 1 };
  const journal = createInMemoryJournal({ commit });
  const rig: Rig = {
    venue,
    taker,
    journal,
    bot: await startBot(venue, { a: maker }, { journal }),
    hit: (side = 'sell') => {
      const price = side === 'sell' ? '99800.0' : '100200.0';
      taker.place([{ side, price, size: '0.0100', timeInForce: 'ioc' }]);
    },
    advance: (ms) => venue.clock.advanceAsync(ms),
    end: async () => {
      await during(venue.clock, rig.bot.stop('restart'));
      await rig.bot.close();
    },
    start: async () => {
      rig.journal = createInMemoryJournal({ rows: rig.journal.rows(), commit });
      rig.bot = await startBot(venue, { a: maker }, { journal: rig.journal });
    },
  };
  await rig.advance(3_000);
  expect(rig.bot.bot.account.workingOrders(BTC)).toHaveLength(2);
  return rig;
}

/** Bot and exchange agree, entry by entry, and the bot quotes. */
function expectHealed({ bot, venue, journal }: Rig): void {
  const { account } = bot.bot;
  const venueAccount = must(venue.exchange.control.accountId(venue.address), 'the account');
  const view = venue.exchange.control.venue;
  const [position] = view.positions(venueAccount);
  expect(account.sync.kind).toBe('synced');
  expect(account.positionLots(BTC)).toBe(position?.lots ?? 0);
  expect(account.ledgerSum).toBe(view.account(venueAccount).collateral);
  const shown = (path: string): readonly { readonly id: string }[] =>
    venue.get(`/v1/account/${path}?address=${venue.address}&limit=1000`).json.data;
  const { fills, ledger } = journal.effects();
  expect(fills.map(({ id }) => id as string).sort()).toEqual(
    shown('fills')
      .map(({ id }) => id)
      .sort(),
  );
  expect(ledger.map(({ id }) => id as string).sort()).toEqual(
    shown('ledger')
      .map(({ id }) => id)
      .sort(),
  );
  expect(
    account
      .workingOrders(BTC)
      .map(({ orderId }) => String(orderId))
      .sort(),
  ).toEqual(
    view
      .openOrders(venueAccount)
      .map(({ orderSeq }) => String(orderSeq))
      .sort(),
  );
  expect(account.workingOrders(BTC)).toHaveLength(2);
}

describe('what is lost in silence on the stream', () => {
  test.each([
    ['one fill', ['fills'], 1],
    ['many fills', ['fills'], 3],
    ['a fill and its position', ['fills', 'positions'], 1],
    ['one ledger entry', ['ledger'], 1],
    ['events of orders', ['orders'], 2],
    ['a position', ['positions'], 1],
  ] as const)('%s: is booked once, and quoted on', async (_what, channels, times) => {
    const rig = await aRig();
    for (const channel of channels) rig.venue.exchange.control.frameFault({ kind: 'lose', channel, times });
    for (let i = 0; i < 3; i++) {
      rig.hit(i === 1 ? 'buy' : 'sell');
      await rig.advance(300);
    }
    await rig.advance(12_000);
    expectHealed(rig);
    // Nothing is to be found by the next audits.
    await rig.advance(65_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test('two fills that cancel out are found by the audit of every half minute', async () => {
    const rig = await aRig();
    rig.venue.exchange.control.frameFault({ kind: 'lose', channel: 'fills', times: 2 });
    rig.venue.exchange.control.frameFault({ kind: 'lose', channel: 'positions', times: 2 });
    rig.hit('sell');
    rig.hit('buy');
    await rig.advance(40_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test('a fill that is lost before a restart is booked behind it', async () => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    control.frameFault({ kind: 'lose', channel: 'fills' });
    control.frameFault({ kind: 'lose', channel: 'positions' });
    rig.hit('sell');
    await rig.advance(50);
    rig.hit('buy');
    await rig.advance(500);
    await rig.end();
    await rig.start();
    await rig.advance(10_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test.each([
    ['that was compared with the exchange', 40_000],
    ['that never was', 0],
  ])('two fills that cancel out, before a restart behind a later fill, in a run %s', async (_what, forMs) => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    rig.hit('sell');
    await rig.advance(forMs);
    control.frameFault({ kind: 'lose', channel: 'fills', times: 2 });
    control.frameFault({ kind: 'lose', channel: 'positions', times: 2 });
    rig.hit('sell');
    rig.hit('buy');
    await rig.advance(50);
    rig.hit('buy');
    await rig.advance(500);
    expect(rig.journal.effects().fills).toHaveLength(2);
    await rig.end();
    await rig.start();
    await rig.advance(10_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test('two entries of the ledger that cancel out, before a restart behind a later one', async () => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    const account = must(control.accountId(rig.venue.address), 'the account');
    control.frameFault({ kind: 'lose', channel: 'ledger', times: 2 });
    control.frameFault({ kind: 'lose', channel: 'account', times: 2 });
    control.deposit(rig.venue.address, 5_000_000n);
    control.append({ kind: 'withdrawal', account, amount: quantums(5_000_000n) });
    await rig.advance(50);
    rig.hit('buy');
    await rig.advance(500);
    const kinds = rig.journal.effects().ledger.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'deposit')).toHaveLength(1);
    await rig.end();
    await rig.start();
    await rig.advance(10_000);
    expectHealed(rig);
    await rig.bot.close();
  });
});

describe('what a page of a history leaves out', () => {
  test.each([
    ['fills', 'lag'],
    ['ledger', 'lag'],
    ['fills', 'restart'],
    ['ledger', 'restart'],
  ] as const)('of %s behind a %s: is booked once, and quoted on', async (_history, how) => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    control.dropFrames();
    const first = control.seq + 1;
    rig.hit('sell');
    const last = control.seq;
    await rig.advance(200);
    rig.hit('buy');
    rig.hit('buy');
    await rig.advance(200);
    control.historyGaps({ gaps: [{ first, last }], silent: true });
    rig.venue.clock.after(800, () => control.historyGaps({ gaps: [] }));
    if (how === 'lag') control.lagStreams();
    else {
      await rig.end();
      await rig.start();
    }
    await rig.advance(12_000);
    expectHealed(rig);
    await rig.bot.close();
  });
});

test.each([
  ['fill', ['fills']],
  ['ledger entry', ['ledger']],
  ['fill with its cash', ['fills', 'ledger']],
  ['fill with its cash and position', ['fills', 'ledger', 'positions']],
] as const)(
  'a lost %s that the history read in full leaves out as well is booked by the next audit that can',
  async (_what, channels) => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    for (const channel of channels) control.frameFault({ kind: 'lose', channel, times: 1 });
    const first = control.seq + 1;
    rig.hit('sell');
    control.historyGaps({ gaps: [{ first, last: control.seq }], silent: true });
    await rig.advance(200);
    rig.hit('buy');
    await rig.advance(12_000);
    control.historyGaps({ gaps: [] });
    await rig.advance(25_000);
    expectHealed(rig);
    await rig.bot.close();
  },
);

test.each([
  ['a page', 40_000, 70_000],
  ['the exchange itself', 400_000, 620_000],
])(
  'a lost ledger entry that %s leaves out for long is booked once it is there',
  async (_what, forMs, thenMs) => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    control.frameFault({ kind: 'lose', channel: 'ledger', times: 1 });
    const first = control.seq + 1;
    rig.hit('sell');
    control.historyGaps({ gaps: [{ first, last: control.seq }], silent: true });
    await rig.advance(forMs);
    control.historyGaps({ gaps: [] });
    await rig.advance(thenMs);
    expectHealed(rig);
    await rig.bot.close();
  },
);

test.each([
  ['opened', 'sell', 10_000],
  ['opened', 'sell', 400_000],
  ['closed', 'buy', 40_000],
  ['closed', 'buy', 400_000],
] as const)(
  'a fill that %s a position, and that pages leave out at a first start, is part of what was taken over: %s, %d ms',
  async (_what, side, forMs) => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    rig.hit('sell');
    await rig.advance(1_000);
    const first = control.seq + 1;
    rig.hit(side);
    const gaps = [{ first, last: control.seq }];
    await rig.advance(1_000);
    rig.hit('sell');
    await rig.advance(1_000);
    await rig.end();
    rig.journal = createInMemoryJournal({ commit: { clock: rig.venue.clock, delayMs: 1 } });
    control.historyGaps({ gaps, silent: true });
    await rig.start();
    await rig.advance(forMs);
    rig.hit('sell');
    await rig.advance(100);
    rig.hit('buy');
    control.historyGaps({ gaps: [] });
    await rig.advance(620_000);
    expectHealed(rig);
    const pnl = (): Pnl => rig.bot.bot.account.pnl(() => ticks(1_000_000));
    const before = pnl();
    await rig.end();
    await rig.start();
    expect(before).toEqual(pnl());
    await rig.advance(3_000);
    expectHealed(rig);
    await rig.bot.close();
  },
);

describe('fills that cancel out, and that a page leaves out as well', () => {
  /** One is sold and one bought, and neither comes by the stream or in a page. */
  async function lose(rig: Rig): Promise<void> {
    const { control } = rig.venue.exchange;
    control.frameFault({ kind: 'lose', channel: 'fills', times: 2 });
    control.frameFault({ kind: 'lose', channel: 'positions', times: 2 });
    const first = control.seq + 1;
    rig.hit('sell');
    rig.hit('buy');
    control.historyGaps({ gaps: [{ first, last: control.seq }], silent: true });
    await rig.advance(50);
    rig.hit('buy');
    await rig.advance(500);
  }

  test.each([
    ['for one audit: are booked by the next', 35_000],
    ['for minutes: are booked once it has them', 400_000],
  ])('%s', async (_what, forMs) => {
    const rig = await aRig();
    await lose(rig);
    await rig.advance(forMs);
    rig.venue.exchange.control.historyGaps({ gaps: [] });
    await rig.advance(forMs < 60_000 ? 30_000 : 620_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test('while one wrong balance has the history read in full: are booked by the next audit that can', async () => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    await lose(rig);
    control.fault({
      kind: 'edit',
      method: 'GET',
      path: '/v1/account',
      set: { collateral: '1.000000' },
    });
    await rig.advance(35_000);
    control.historyGaps({ gaps: [] });
    await rig.advance(60_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test('over a restart: are booked behind it', async () => {
    const rig = await aRig();
    await lose(rig);
    await rig.end();
    await rig.start();
    await rig.advance(5_000);
    rig.venue.exchange.control.historyGaps({ gaps: [] });
    await rig.advance(20_000);
    expectHealed(rig);
    await rig.bot.close();
  });
});

describe('one wrong position costs seconds', () => {
  const FAR = 900_000_000;
  test.each([
    ['orders', { seq: FAR }],
    ['positions', { seq: FAR }],
    ['account', { seq: FAR }],
    ['fills', { seq: FAR, 'data.id': `${FAR}-0-0` }],
    ['ledger', { seq: FAR, 'data.id': `${FAR}-0-0` }],
  ] as const)('in a frame of %s', async (channel, set) => {
    const rig = await aRig();
    rig.venue.exchange.control.frameFault({ kind: 'change', channel, set });
    for (let i = 0; i < 3; i++) {
      rig.hit(i === 1 ? 'buy' : 'sell');
      await rig.advance(300);
    }
    await rig.advance(15_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test.each(['orders', 'positions', 'account'])('in a snapshot of %s after a reconnect', async (channel) => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    control.frameFault({ kind: 'change', channel, set: { seq: FAR } });
    control.disconnect();
    await rig.advance(20_000);
    rig.hit('sell');
    await rig.advance(5_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test.each(['orders', 'positions', 'account'])('in the first snapshot of %s of a run', async (channel) => {
    const rig = await aRig();
    await rig.end();
    rig.venue.exchange.control.frameFault({ kind: 'change', channel, set: { seq: FAR } });
    await rig.start();
    await rig.advance(5_000);
    rig.hit('sell');
    await rig.advance(5_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test('in the bound of a lagged frame', async () => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    const upper = `${FAR}-65535-4294967295`;
    control.frameFault({ kind: 'change', channel: 'lagged', set: { 'data.upper': upper } });
    control.lagStreams({ dropped: 1 });
    rig.hit('sell');
    await rig.advance(15_000);
    expectHealed(rig);
    await rig.bot.close();
  });

  test('in the bound of a page, and in an answer of the audit', async () => {
    const rig = await aRig();
    const { control } = rig.venue.exchange;
    rig.hit('sell');
    await rig.advance(500);
    const upper = `${FAR}-65535-4294967295`;
    control.fault({ kind: 'edit', method: 'GET', path: '/v1/account/fills', set: { upper } });
    control.fault({ kind: 'edit', method: 'GET', path: '/v1/account/positions', set: { seq: FAR } });
    control.lagStreams({ dropped: 1 });
    control.disconnect();
    await rig.advance(45_000);
    expectHealed(rig);
    await rig.bot.close();
  });
});
