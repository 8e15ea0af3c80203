/**
 * @module
 * Other processes of the same owner (faults F69, F71, F72): a second bot on the bot's own nonce scopes, an old
 * version that is started beside the new one, a shared budget that somebody else uses up. A second bot with an API wallet
 * of its own (F70) stands with what the account's owner may do.
 */
import type { Random, UnixMs } from '../../../src/core/index.ts';
import { limitsOfConfig } from '../oracles/support/limits.ts';
import type { Fault, FaultId, World } from '../types.ts';
import { lasting, logUniform, openOrders, ownerOf } from './exchange-support.ts';
import { SecondWriter } from './many-bots-writer.ts';

const MINUTE_MS = 60_000;
const HEARTBEAT_MS = 5_000;
/** The time that a second bot takes between its nonce and its write: now and then somebody else is quicker. */
const HESITATION_MS = [0, 40] as const;
/** How far from the mark the old version quotes. */
const DISTANCE = 0.01;

/** One write of the second bot. */
async function writeOnce(world: World, draw: Random, id: FaultId): Promise<void> {
  const writer = SecondWriter.of(world, draw.next());
  const nonce = await writer?.nonce();
  if (writer === undefined || nonce === undefined) return;
  const isCancel = draw.chance(0.3);
  world.clock.after(draw.integer(...HESITATION_MS), () => {
    // It runs the same configuration.
    const { switchMs } = limitsOfConfig(world.plan.config);
    const triggerAtMs = (world.clock.nowMs() + switchMs) as UnixMs;
    const command = isCancel
      ? ({ kind: 'cancelAll' } as const)
      : ({ kind: 'scheduleCancel', triggerAtMs } as const);
    void writer.write(command, nonce).then((isExecuted) => {
      if (isExecuted) world.hit(id);
    });
  });
}

/** The old version quotes with the bot's own trading wallet. True when its order was taken. */
function quoteAsBefore(world: World): boolean {
  const { control } = world.exchange;
  const [agent] = world.agents();
  const [view] = control.venue.markets();
  if (agent === undefined || view === undefined) return false;
  const { market, markTicks } = view;
  const price = Math.floor(markTicks * (1 - DISTANCE));
  const lots = Math.ceil(20_000_000 / Number(market.quantumsPerTickLot) / price) * market.lotStep;
  const { status } = control.submit({ ...ownerOf(world), agent }, (account) => ({
    kind: 'BatchPlace',
    account,
    nowMs: world.clock.nowMs(),
    orders: [
      {
        market: market.signingMarketId,
        side: 'buy',
        price: price - (price % market.tickStep),
        lots: BigInt(lots),
        tif: 'gtc',
        reduceOnly: false,
      },
    ],
  }));
  return status === 'executed';
}

/** Cancels by the main wallet what the old version has left behind, as its owner would. */
function clearAway(
  world: World,
  before: ReadonlySet<bigint>,
  after: readonly { orderSeq: bigint; market: number }[],
) {
  const { control } = world.exchange;
  for (const { market, orderSeq } of after) {
    if (before.has(orderSeq) || control.venue.openOrder(market, orderSeq) === undefined) continue;
    control.submit(ownerOf(world), (account) => ({
      kind: 'CancelOrder',
      account,
      orderId: { market, orderSeq },
    }));
  }
}

/** A second bot on the same scopes, from a host that shares no lock with the first. */
const SAME_SCOPE: Fault = {
  id: 'F69',
  what: 'a second bot signs with the same API wallets',
  perMinute: 0.15,
  strike: (world, draw) => {
    for (let n = draw.integer(1, 4); n > 0; n--)
      world.clock.after(draw.integer(0, 5_000), () => void writeOnce(world, draw, 'F69'));
    return undefined;
  },
};

/** What another bot of the same main wallet writes is charged to the same budget: little or nothing is left for ours. */
const SHARED_BUDGET: Fault = {
  id: 'F71',
  what: "another bot uses up the main wallet's budget",
  perMinute: 0.3,
  strike: (world, draw) => {
    const { control, settings } = world.exchange;
    const key = world.account.address.toLowerCase();
    const untilMs = world.clock.monotonicMs() + logUniform(draw, 5_000, 2 * MINUTE_MS);
    const share = 0.2 + 0.8 * draw.next();
    const use = (): void => {
      let weight = Math.floor(settings.accountWeightLimit * share);
      while (weight >= 1 && !control.useWeight({ bucket: 'account', key, weight }).isWithin)
        weight = Math.floor(weight / 2);
      if (weight >= 1) world.hit('F71');
    };
    use();
    const timer = world.clock.every(MINUTE_MS / 4, () => {
      if (!world.isHealed && world.clock.monotonicMs() < untilMs) use();
    });
    lasting(world, 2 * MINUTE_MS, () => timer.cancel());
    return undefined;
  },
};

/** An old version comes up beside the new one: it clears the book, arms the switch and quotes until it is stopped. */
const OLD_VERSION: Fault = {
  id: 'F72',
  what: 'an old version of the bot is started beside the new one',
  perMinute: 0.1,
  strike: (world, draw) => {
    const before = new Set(openOrders(world).map(({ orderSeq }) => orderSeq));
    const forMs = draw.integer(2_000, 30_000);
    const beat = (): void => void writeOnce(world, draw, 'F72');
    const own: { orderSeq: bigint; market: number }[] = [];
    const quote = (): void => {
      const known = new Set(openOrders(world).map(({ orderSeq }) => orderSeq));
      if (!quoteAsBefore(world)) return;
      world.hit('F72');
      own.push(...openOrders(world).filter(({ orderSeq }) => !known.has(orderSeq)));
    };
    beat();
    const beats = world.clock.every(HEARTBEAT_MS, beat);
    const quotes = world.clock.every(draw.integer(500, 3_000), quote);
    lasting(world, forMs, () => {
      beats.cancel();
      quotes.cancel();
      clearAway(world, before, own);
    });
    return undefined;
  },
};

/** All faults of this file. */
export const FAULTS: readonly Fault[] = [SAME_SCOPE, SHARED_BUDGET, OLD_VERSION];
