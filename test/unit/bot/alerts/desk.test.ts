import { describe, expect, test } from 'vitest';
import { type AlertPlan, openDesk } from '../../../../src/bot/alerts/index.ts';
import type { RunFigures } from '../../../../src/bot/operator/index.ts';
import { silentLog } from '../../../../src/core/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import { aChannel, aPlan, OtherSide, pass, settle } from '../../../support/alert-scene.ts';
import { aRig, keepArmed, strategyOf } from '../../../support/bot-rig.ts';
import { someFigures } from '../../../support/run-figures.ts';
import { BTC, ETH, LANE } from '../../../support/trading-builders.ts';

const DAY_MS = 86_400_000;

/** A desk over a bot that trades on a virtual clock; its markets get books as long as `isFed`. */
async function aDesk(changes: Partial<AlertPlan> = {}, figures: Partial<RunFigures> = {}) {
  const ill = { isIll: false };
  /** By so much the calendar is ahead of the clock. */
  const ahead = { ms: 0 };
  const maker = strategyOf((context) => ({
    onBook: (view) => {
      if (ill.isIll) throw new Error('ill');
      const priceTicks = ticks((view.bestBidTicks ?? 0) - 100);
      if (view.symbol === BTC) context.quote(BTC, { bids: [{ priceTicks, sizeLots: lots(10) }], asks: [] });
    },
  }));
  const rig = aRig(maker, { operatorLane: LANE });
  const side = new OtherSide();
  const { clock } = rig;
  const about = { ...aPlan().source, mode: 'live', config: '', folder: '', processId: 1, startedAtMs: 1 };
  const desk = openDesk(aPlan(changes), {
    ...{ clock, log: silentLog, post: side.post },
    view: () => ({
      ...{ about: about as never, status: rig.bot.status(), figures: someFigures(figures) },
      ...{ lowDiskBytes: 1_000, alerts: undefined, nowMs: clock.nowMs() + ahead.ms },
    }),
  });
  /** Lets `ms` pass, with books unless they are kept back. */
  const live = async (ms: number, isFed = true) => {
    for (const endMs = clock.monotonicMs() + ms; clock.monotonicMs() < endMs; ) {
      keepArmed(rig);
      for (const symbol of [BTC, ETH])
        if (isFed) rig.book(999_990, 1_000_010, symbol);
        else rig.feed({ type: 'MarketStale', symbol, reason: 'no frames' });
      await pass(clock, Math.min(1_000, endMs - clock.monotonicMs()));
    }
  };
  const by = (actor: string) => ({ actor, reason: 'drill' });
  return { rig, ill, ahead, side, desk, clock, live, by };
}

/** What is told, without the first word of a run, and without what `other` begins with. */
const of = (side: OtherSide, ...kinds: readonly string[]) =>
  side.told().filter((one) => kinds.some((kind) => one.startsWith(kind)));

describe('the desk', () => {
  test('says that a run begins, and whether the one before it had ended in order', async () => {
    const first = await aDesk();
    first.desk.began(undefined);
    await settle();
    expect(first.side.told()).toEqual(['run-started run event']);
    const again = await aDesk();
    again.desk.began('run 7 before it has not ended itself');
    await settle();
    expect(again.side.told()).toEqual(['run-restarted run event']);
    expect(again.side.came[0]?.body.text).toContain('run 7 before it has not ended itself');
  });

  test('says a halt once, again while it lasts, and once that it is over', async () => {
    const { rig, side, desk, live, by } = await aDesk({ repeatMs: 600_000 });
    desk.began(undefined);
    await live(5_000);
    rig.bot.setTrading({ kind: 'account' }, 'halted', by('ann'));
    await live(300_000);
    expect(of(side, 'halted')).toEqual(['halted account raised']);
    await live(400_000);
    expect(of(side, 'halted')).toEqual(['halted account raised', 'halted account lasts']);
    rig.bot.setTrading({ kind: 'account' }, 'active', by('ann'));
    await live(60_000);
    expect(of(side, 'halted')).toEqual([
      ...['halted account raised', 'halted account lasts', 'halted account cleared'],
    ]);
    expect(desk.document().active.filter(({ kind }) => kind === 'halted')).toEqual([]);
  });

  test('does not repeat what somebody has acknowledged, and says it when it comes again', async () => {
    const { rig, side, desk, live, by } = await aDesk({ repeatMs: 60_000 });
    desk.began(undefined);
    rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', by('ann'));
    await live(5_000);
    const halted = desk.document().active.find(({ kind }) => kind === 'halted');
    expect(halted).toMatchObject({ about: BTC, severity: 'critical' });
    expect(desk.acknowledge(999, 'bob')).toEqual([]);
    expect(desk.acknowledge(halted?.id ?? 0, 'bob')).toEqual([`halted ${BTC}`]);
    expect(desk.document().active.find(({ kind }) => kind === 'halted')?.acknowledgedBy).toBe('bob');
    await live(300_000);
    expect(of(side, 'halted')).toEqual([`halted ${BTC} raised`]);
    rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'active', by('ann'));
    await live(60_000);
    rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', by('ann'));
    await live(5_000);
    expect(of(side, 'halted')).toEqual([
      ...[`halted ${BTC} raised`, `halted ${BTC} cleared`, `halted ${BTC} raised`],
    ]);
  });

  test('says a stale market after its time, not earlier, and one that flickers not at all', async () => {
    const { side, desk, live } = await aDesk({ staleMarketMs: 30_000 });
    desk.began(undefined);
    await live(5_000);
    for (let at = 0; at < 10; at++) {
      await live(8_000, false);
      await live(3_000);
    }
    expect(of(side, 'stale-market')).toEqual([]);
    await live(45_000, false);
    expect(of(side, 'stale-market').toSorted()).toEqual(
      [`stale-market ${BTC} raised`, `stale-market ${ETH} raised`].toSorted(),
    );
    await live(60_000);
    expect(of(side, 'stale-market').filter((one) => one.endsWith('cleared')).length).toBe(2);
  });

  test('says a failed strategy, a guardian that is gone, a low disk, a grant at each of its marks', async () => {
    let guardian: 'watching' | 'gone' = 'watching';
    let freeBytes = 5_000;
    let leftMs = 8 * DAY_MS;
    const { ill, side, desk, live } = await aDesk(
      {},
      {
        guardian: () => guardian,
        freeDiskBytes: () => freeBytes,
        counted: () => ({ counters: {}, gauges: { grant_time_left_ms: leftMs }, summaries: {} }),
      },
    );
    desk.began(undefined);
    await live(5_000);
    expect(of(side, 'strategy-failed', 'guardian-gone', 'disk-low', 'grant-')).toEqual([]);
    guardian = 'gone';
    freeBytes = 10;
    for (const left of [7 * DAY_MS, DAY_MS, 3_600_000]) {
      leftMs = left;
      await live(60_000);
    }
    ill.isIll = true;
    await live(2_000);
    const raised = side.told().filter((one) => one.endsWith('raised'));
    for (const one of ['guardian-gone guardian', 'disk-low journal', 'strategy-failed maker'])
      expect(raised).toContain(`${one} raised`);
    const grants = raised.filter((one) => one.startsWith('grant-'));
    expect(grants).toEqual(['grant-week grant raised', 'grant-day grant raised', 'grant-hour grant raised']);
  });

  test('says each firing of the switch', async () => {
    let firings = 0;
    const { side, desk, live } = await aDesk({}, { switchFirings: () => firings });
    desk.began(undefined);
    await live(3_000);
    firings = 1;
    await live(5_000);
    firings = 2;
    await live(5_000);
    expect(of(side, 'switch-fired')).toEqual(['switch-fired switch event', 'switch-fired switch event']);
  });

  test('sums up each UTC day once, from what it brought', async () => {
    const { rig, ahead, side, desk, clock, live, by } = await aDesk();
    desk.began(undefined);
    await live(2_000);
    const order = rig.bot.account.workingOrders(BTC)[0];
    if (order !== undefined) rig.fill(order.orderId);
    rig.bot.setTrading({ kind: 'account' }, 'halted', by('ann'));
    await live(5_000);
    const untilMidnightMs = DAY_MS - (clock.nowMs() % DAY_MS);
    ahead.ms = untilMidnightMs - 3_000;
    await live(10_000);
    const days = () =>
      side.came.flatMap(({ body }) =>
        body.alerts.filter((one: { kind: string }) => one.kind === 'daily-summary'),
      );
    expect(days().length).toBe(1);
    const { text } = days()[0];
    expect(text).toContain('; 1 fills; positions ');
    expect(text).toMatch(
      /profit [+-]?[0-9.]+ \(realized .*fees .*funding .*losses of the day .*incidents .*1 halted/,
    );
    await live(60_000);
    expect(days().length).toBe(1);
  });

  test('beats only while the run is ready', async () => {
    const heartbeat = { url: 'http://127.0.0.1:1/beat/very-secret-beat', intervalMs: 60_000 };
    const { rig, side, desk, live, by } = await aDesk({ channels: [], heartbeat });
    desk.began(undefined);
    await live(181_000);
    const beats = side.came.length;
    expect(beats).toBeGreaterThanOrEqual(3);
    expect(side.came[0]).toMatchObject({ method: 'GET', url: heartbeat.url, body: undefined });
    rig.bot.setTrading({ kind: 'account' }, 'halted', by('ann'));
    await live(300_000);
    expect(side.came.length).toBe(beats);
    rig.bot.setTrading({ kind: 'account' }, 'active', by('ann'));
    await live(61_000);
    expect(side.came.length).toBeGreaterThan(beats);
    // A service that hangs or refuses is asked on, and nothing piles up.
    side.always = 'silence';
    const before = side.came.length;
    await live(120_000);
    expect(side.came.length - before).toBeLessThanOrEqual(13);
    expect(desk.document().heartbeat?.failures).toBeGreaterThan(0);
    desk.ended({ reason: 'time limit', isProven: true, isAsked: true });
    const last = side.came.length;
    await live(120_000);
    expect(side.came.length).toBe(last);
  });

  test('says the end, waits for it as long as it may, and leaves nothing behind', async () => {
    const asked = await aDesk();
    asked.desk.began(undefined);
    asked.desk.ended({ reason: 'SIGTERM', isProven: true, isAsked: true, code: 143 });
    const told = asked.desk.told(3_000);
    await pass(asked.clock, 100);
    await told;
    expect(asked.side.told().at(-1)).toBe('run-ended run event');
    expect(asked.side.came.at(-1)?.body.text).toContain('exit code 143');

    const held = await aDesk({ channels: [aChannel()] });
    held.desk.began(undefined);
    await settle();
    const why = { reason: 'me stopped it', isProven: true, isAsked: true, code: 79 };
    held.desk.ended({ ...why, halted: 'account by M9: lost 100 of 100' });
    const heldTold = held.desk.told(3_000);
    await pass(held.clock, 100);
    await heldTold;
    expect(held.side.told().at(-1)).toBe('run-failed run event');
    expect(held.side.came.at(-1)?.body.text).toContain('halted by then: account by M9');

    const halted = await aDesk({ channels: [aChannel(), aChannel({ name: 'other' })] });
    halted.desk.began(undefined);
    await settle();
    halted.side.always = 'silence';
    halted.desk.ended({ reason: 'halt: lost', isProven: true, isAsked: false, code: 69 });
    let isTold = false;
    void halted.desk.told(3_000).then(() => {
      isTold = true;
    });
    await pass(halted.clock, 2_900);
    expect(isTold).toBe(false);
    await pass(halted.clock, 200);
    expect(isTold).toBe(true);
    expect(of(halted.side, 'run-failed').length).toBe(2);
    expect(halted.desk.document().channels.map(({ dropped }) => dropped)).toEqual([1, 1]);
  });
});
