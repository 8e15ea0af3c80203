/**
 * Symptom: a pong made a book look new. Quotes were placed on books that came seconds late with their true times, that
 * had stopped coming, or that stood still while trades were printed (P16, I25); a clock set back, or frames of the account,
 * must not decide either.
 */
import { describe, expect, test } from 'vitest';
import { type Log, silentLog } from '../../src/core/index.ts';
import { lots } from '../../src/domain/index.ts';
import { createSyntheticParticipants } from '../../src/exchange/index.ts';
import { type RunningBot, startBot } from '../contract/bot.ts';
import { BTC } from '../contract/client.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

/** Two quotes near the middle, again with each book and ten times a second. */
const maker = strategyOf((context) => {
  const quote = (): void => {
    const mid = context.market(BTC).midTicks;
    if (mid === undefined) return;
    const away = Math.round(mid / 1_000);
    context.quote(BTC, {
      bids: [{ priceTicks: context.market(BTC).floorTicks(mid - away), sizeLots: lots(10) }],
      asks: [{ priceTicks: context.market(BTC).ceilTicks(mid + away), sizeLots: lots(10) }],
    });
  };
  return { onBook: quote, onTrade: quote };
});

interface Watched {
  readonly venue: TestExchange;
  readonly running: RunningBot;
  /** Whether the market may be quoted on now (P16), and why not. */
  staleFor(): string | undefined;
  close(): Promise<void>;
}

async function aBot({ isIdle = false } = {}): Promise<Watched> {
  const venue = await startTestExchange();
  if (!isIdle) venue.exchange.attachParticipants(createSyntheticParticipants());
  else {
    const other = venue.another();
    other.place([{ side: 'buy', price: '90000.0', size: '1.0000' }]);
    other.place([{ side: 'sell', price: '110000.0', size: '1.0000' }]);
  }
  await venue.clock.advanceAsync(5_000);
  const log: Log = silentLog;
  const running = await startBot(venue, { a: maker }, { log });
  await venue.clock.advanceAsync(10_000);
  const staleFor = (): string | undefined => {
    const record = running.bot.markets.get(BTC);
    if (record?.staleReason !== undefined) return record.staleReason;
    const ageMs = record?.dataAtMs === undefined ? Number.POSITIVE_INFINITY : venue.nowMs - record.dataAtMs;
    return ageMs > 2_000 ? `${ageMs} ms old` : undefined;
  };
  expect(staleFor()).toBeUndefined();
  return { venue, running, staleFor, close: () => running.close() };
}

const QUOTES = ['book', 'bbo'] as const;

describe('a market in motion', () => {
  test.each([
    ['late quotes with true times', [...QUOTES, 'trades', 'prices'], { kind: 'delay', delay: 5_000 }],
    ['silent quotes', QUOTES, { kind: 'lose' }],
    ['times an hour old', QUOTES, { kind: 'change', add: { 'data.ts': -3_600_000 } }],
    ['a silent book', ['book'], { kind: 'lose' }],
    ['a book that stands still', ['book'], { kind: 'change', freeze: ['data.bids', 'data.asks'] }],
    [
      'quotes that stand still',
      QUOTES,
      { kind: 'change', freeze: ['data.bids', 'data.asks', 'data.bid', 'data.ask'] },
    ],
  ] as const)('is not quoted on after 2 s of %s, and again after', async (_what, channels, fault) => {
    const { venue, running, staleFor, close } = await aBot();
    const { control } = venue.exchange;
    for (const channel of channels) control.frameFault({ ...fault, channel, times: 0 });
    await venue.clock.advanceAsync(4_500);
    for (let second = 0; second < 20; second++) {
      await venue.clock.advanceAsync(1_000);
      expect(staleFor()).toBeDefined();
    }
    control.clearFaults();
    // What was held back comes first.
    await venue.clock.advanceAsync(6_000);
    expect(staleFor()).toBeUndefined();
    await venue.clock.advanceAsync(2_000);
    expect(running.bot.account.workingOrders(BTC)).not.toEqual([]);
    await close();
  });
});

describe('an idle market', () => {
  test('stays quotable, and is asked for about once a second', async () => {
    const { venue, running, staleFor, close } = await aBot({ isIdle: true });
    for (let at = 0; at < 60; at++) {
      await venue.clock.advanceAsync(250);
      expect(staleFor()).toBeUndefined();
    }
    expect(running.bot.account.workingOrders(BTC)).toHaveLength(2);
    await close();
  });

  test('whose quotes are held back is stale, however soon pings are answered', async () => {
    const { venue, staleFor, close } = await aBot({ isIdle: true });
    for (const channel of QUOTES)
      venue.exchange.control.frameFault({ kind: 'delay', delay: 5_000, channel, times: 0 });
    await venue.clock.advanceAsync(3_000);
    for (let at = 0; at < 20; at++) {
      await venue.clock.advanceAsync(500);
      expect(staleFor()).toBeDefined();
    }
    await close();
  });
});
