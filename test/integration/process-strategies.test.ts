import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { badStrategy, MISDEEDS, type Misdeed } from '../support/bad-strategy.ts';
import { LiveRig, ladder, type OpenOrder, type RigBot, TRIGGER_MS } from '../support/live-rig.ts';
import { type TestProcess, until } from '../support/processes.ts';

const isLinux = process.platform === 'linux';
let rig: LiveRig;

beforeAll(async () => {
  if (isLinux) rig = await LiveRig.start({ seed: 23, accounts: 4 });
});

afterAll(async () => {
  await rig?.end();
});

/** What is meant to end with the strategy's orders gone, and what is only denied. */
const DENIED: readonly Misdeed[] = ['unknownMarket', 'otherMarket', 'nothing'];
const FATAL: readonly Misdeed[] = ['unhandled', 'timerThrows', 'hangs'];
const CONTAINED = (Object.keys(MISDEEDS) as Misdeed[]).filter((one) => !FATAL.includes(one));

/** Each bad strategy has a size of its own, so that its orders are told apart in the book. */
const sizeOf = (misdeed: Misdeed) => `0.0${50 + CONTAINED.indexOf(misdeed)}`;
const isOf = (misdeed: Misdeed) => (order: OpenOrder) =>
  order.symbol === 'ETH-USD' && Number(order.size) === Number(sizeOf(misdeed));

/** A ladder in BTC-USD and bad strategies in ETH-USD, from plugin files outside of the project. */
async function botWith(name: string, misdeeds: readonly Misdeed[]): Promise<RigBot> {
  const bot = await rig.bot(name, {
    markets: [{ symbol: 'BTC-USD' }, { symbol: 'ETH-USD' }],
    strategies: [
      ladder('good'),
      ...misdeeds.map((misdeed) => ({
        name: misdeed.toLowerCase(),
        module: `${misdeed.toLowerCase()}.ts`,
        markets: ['ETH-USD'],
        parameters: { size: misdeeds.length === 1 ? '0.05' : sizeOf(misdeed) },
      })),
    ],
    risk: {
      ...{
        capital: 100_000,
        minSwitchTimeLeft: '1s',
        maxSameSideFillsPer10s: 1000,
        maxTurnoverPer10s: '10000%',
      },
      ...{ maxOpenOrdersPerSide: 40, maxWritesPerSecond: 100, writeBurst: 200 },
    },
  });
  for (const misdeed of misdeeds)
    writeFileSync(join(bot.folder, `${misdeed.toLowerCase()}.ts`), badStrategy(misdeed));
  return bot;
}

/** Waits for new orders in the market of the ladder: it goes on quoting. */
async function goodQuotesOn(bot: RigBot, run: TestProcess): Promise<void> {
  const btc = (orders: readonly OpenOrder[]) => orders.filter((order) => order.symbol === 'BTC-USD');
  const known = new Set((await bot.reader.orderHistory()).map((order) => order.orderId));
  for (const order of await bot.reader.openOrders()) known.add(order.orderId);
  await until(
    () => `new orders of the ladder\n${run.errors}`,
    async () => btc(await bot.reader.openOrders()).some((order) => !known.has(order.orderId)),
    { withinMs: 10_000, everyMs: 50 },
  );
}

describe.skipIf(!isLinux).concurrent('a strategy that misbehaves beside a good one', () => {
  test('is denied or stopped and its orders go, while the other one quotes on (F64, I17)', async () => {
    const bot = await botWith('contained', CONTAINED);
    const run = bot.run();
    const seen = new Set<Misdeed>();
    await until(
      () => `orders of ${CONTAINED.filter((one) => !seen.has(one)).join(', ')}\n${run.errors}`,
      async () => {
        const orders = await bot.reader.openOrders();
        for (const misdeed of CONTAINED) if (orders.some(isOf(misdeed))) seen.add(misdeed);
        return seen.size === CONTAINED.length;
      },
      { withinMs: 30_000, everyMs: 50 },
    );
    const left = (orders: readonly OpenOrder[]) =>
      CONTAINED.filter((misdeed) => !DENIED.includes(misdeed) && orders.some(isOf(misdeed)));
    let still: readonly Misdeed[] = [];
    await until(
      () => `the orders of ${still.join(', ')} to be gone\n${run.errors}`,
      async () => {
        still = left(await bot.reader.openOrders());
        return still.length === 0;
      },
      { withinMs: 30_000, everyMs: 50 },
    );
    await goodQuotesOn(bot, run);
    const denials = await until(
      'the denials of all markets that are not theirs',
      () => {
        const events = bot.journal((journal) => journal.audit({ type: 'IntentDenied' }));
        const by = (misdeed: Misdeed) =>
          events.filter((event) => event.fields['strategy'] === misdeed.toLowerCase());
        return DENIED.every((misdeed) => by(misdeed).length > 0) ? by : undefined;
      },
      { withinMs: 10_000, everyMs: 100 },
    );
    for (const misdeed of DENIED)
      expect(denials(misdeed).map((event) => event.fields['code'])).toContain('INTENT_MARKET_UNKNOWN');
    run.signal('SIGTERM');
    const { code } = await run.toEnd(20_000);
    expect(run.document(), run.errors).toMatchObject({ openOrders: 0, unresolved: 0, reconciled: true });
    // It ends in order, and does not hide that a strategy of it had failed, unless all of them had just started again.
    const states = Object.values<{ state: string }>(run.document().strategies).map((one) => one.state);
    expect(code, run.errors).toBe(states.includes('failed') ? 79 : 143);
    expect(run.document().strategies.good.fills).toBeGreaterThanOrEqual(0);
    const flood = `at most 250 intents and messages in one call`;
    for (const what of ['onBook threw: on purpose', 'returned a promise', flood])
      expect(run.errors).toContain(what);
  });

  test.each(['unhandled', 'timerThrows'] as const)(
    'ends the run in order when nobody catches its error: %s',
    async (misdeed) => {
      const bot = await botWith(misdeed.toLowerCase(), [misdeed]);
      const run = bot.run();
      await until(
        () => `orders of both\n${run.errors}`,
        async () => new Set((await bot.reader.openOrders()).map((order) => order.symbol)).size === 2,
        { withinMs: 30_000, everyMs: 25 },
      );
      expect(await run.toEnd(30_000)).toMatchObject({ code: 1, signal: null });
      expect(await bot.reader.openOrders()).toEqual([]);
      expect(run.document()).toMatchObject({ openOrders: 0, unresolved: 0, reconciled: true });
      expect(run.document().stopReason).toMatch(/^halt: uncaught error: /);
    },
  );

  test('loses all orders to the switch when it hangs the whole bot', async () => {
    const bot = await botWith('hangs', ['hangs']);
    const run = bot.run();
    const isHanging = async () => {
      const orders = await bot.reader.openOrders();
      return orders.length > 0 && run.errors.includes('run is quoting');
    };
    await until(() => `orders\n${run.errors}`, isHanging, { withinMs: 30_000, everyMs: 25 });
    // It hangs after twenty books, and then nothing renews the switch.
    await until('no open orders', async () => (await bot.reader.openOrders()).length === 0, {
      withinMs: 20_000 + TRIGGER_MS,
      everyMs: 50,
    });
    const triggers = bot.journal((journal) =>
      [...journal.records()].flatMap((record) =>
        record.type === 'write' && record.value.command.kind === 'scheduleCancel'
          ? [Number(record.value.command.triggerAtMs)]
          : [],
      ),
    );
    expect(await bot.reader.serverNowMs()).toBeLessThanOrEqual(Math.max(...triggers) + 1_000);
    expect(run.end).toBeUndefined();
    await run.kill();
  });
});
