/**
 * @module
 * I10: what could still happen stays within every limit. Open orders at the venue, and placements that have left and can
 * still be executed (in flight, unknown, in the shadow of a refusal, both sides of a replace), are added up as if all of
 * them filled. Beside it: what risk has reserved is never less than that.
 */
import type { VenueOrder } from '../../../src/exchange/engine/index.ts';
import type { BotView, FaultId, Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { type ConfiguredLimits, limitsOfConfig, money } from './support/limits.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { placesOf, type Write } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I10'], begin }];

/** Prices of this long ago may be what an order was judged by. */
const PRICE_MEMORY_MS = 15_000;
/** Blocks between two looks at what is reserved, apart from the one at each placement. */
const BLOCKS_BETWEEN = 16;

/** Faults by which others move the account's position. */
const OF_OTHERS: readonly FaultId[] = ['F46', 'F47', 'F69', 'F70'];

/** When a grant that was revoked ended. */
const GONE = -1;

/** What one market could come to. */
interface Worst {
  /** Lots that could still be traded: an old order may fill before its replacement cancels it. */
  buyLots: number;
  sellLots: number;
  /** Orders that could rest at once: what a replacement cancels is gone before its own orders come. */
  readonly buy: Resting;
  readonly sell: Resting;
}

/** Orders of one side; notional at the lowest price that could be meant. */
interface Resting {
  count: number;
  notional: bigint;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const exposure = new Exposure(scene);
  let blocks = 0;
  // What moves in the middle of a block is told at once.
  scene.onPrices(() => exposure.notePrices());
  scene.onLog(({ events }, entry, { receipt, at }) => {
    exposure.noteTime(at.blockAtMs);
    if (entry.kind === 'epoch') exposure.beginEpoch(entry.rolledBackTo);
    if (receipt?.nonceConsumed === true)
      exposure.consumed(receipt.scope, { nonce: receipt.request.nonce, seq: at.seq });
    for (const event of events) {
      if (event.kind !== 'AgentApproved' && event.kind !== 'AgentRevoked') continue;
      if (event.account !== world.accountId) continue;
      const untilMs = event.kind === 'AgentRevoked' ? GONE : event.validUntilMs;
      exposure.granted(`agent:${event.agent.toLowerCase()}`, untilMs);
    }
  });
  return {
    onSight: (sight) => {
      const lost = sight.kind === 'noAnswer' ? scene.writes.askedBy(sight.id) : undefined;
      scene.see(sight);
      if (lost !== undefined && sight.kind === 'noAnswer' && sight.why.startsWith('not sent'))
        exposure.drop(lost);
      const write = scene.writes.sentBy(sight)?.write;
      if (write === undefined || placesOf(write).length === 0) return;
      exposure.sent(write);
      exposure.check(write);
    },
    onBlock: () => {
      if (++blocks % BLOCKS_BETWEEN === 0 && world.life().state === 'running') exposure.check();
    },
  };
}

/** A nonce that was used, and the position of the log at which it was. */
interface Consumed {
  readonly nonce: bigint;
  readonly seq: number;
}

class Exposure {
  readonly #scene: Scene;
  readonly #limits: ConfiguredLimits;
  /** Writes with placements that have left and can still be executed. */
  readonly #alive = new Set<Write>();
  /** By scope: the nonces that the log consumed, by whomever, and where; the last one counts. */
  readonly #consumed = new Map<string, Consumed[]>();
  /** By scope: when the grant of its wallet ends. */
  readonly #grants = new Map<string, number>();
  #blockAtMs = 0;
  #isRolledBack = false;
  readonly #prices = new Map<number, { readonly atMs: number; readonly ticks: number }[]>();

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#limits = limitsOfConfig(scene.world.plan.config);
  }

  sent(write: Write): void {
    const consumed = this.#consumed.get(write.scope)?.at(-1);
    const isSpent = consumed !== undefined && write.nonce <= consumed.nonce;
    if (write.truth?.nonceConsumed !== true && !isSpent) this.#alive.add(write);
  }

  /** Counters go on in a new ledger; in one that was rolled back they stand where they stood there. */
  beginEpoch(rolledBackTo = Number.POSITIVE_INFINITY): void {
    this.#isRolledBack = rolledBackTo !== Number.POSITIVE_INFINITY;
    for (const [scope, all] of this.#consumed)
      this.#consumed.set(
        scope,
        all.filter(({ seq }) => seq <= rolledBackTo),
      );
  }

  /** The grant of a wallet ends at `untilMs`; 0: never. */
  granted(scope: string, untilMs: number): void {
    this.#grants.set(scope, untilMs);
  }

  /** The time of the newest entry of the log. */
  noteTime(blockAtMs: number): void {
    this.#blockAtMs = blockAtMs;
  }

  /** A wallet whose grant is revoked or over can execute nothing, until it is granted again. */
  #isGranted({ scope }: Write): boolean {
    const untilMs = this.#grants.get(scope) ?? 0;
    return untilMs === 0 || this.#blockAtMs <= untilMs;
  }

  /** Not one byte of it has left. */
  drop(write: Write): void {
    if (write.arrivals === 0 && write.sentAtMs.length === 1) this.#alive.delete(write);
  }

  /** No matter who used the nonce: nothing else that was signed for it can be executed any more. */
  consumed(scope: string, by: Consumed): void {
    const { nonce } = by;
    const all = this.#consumed.get(scope);
    if (all === undefined) this.#consumed.set(scope, [by]);
    else all.push(by);
    for (const write of this.#alive)
      if (write.scope === scope && write.nonce <= nonce) this.#alive.delete(write);
  }

  notePrices(): void {
    const { nowMs, world } = this.#scene;
    for (const { market, indexTicks, markTicks } of world.exchange.control.venue.markets()) {
      const known = this.#prices.get(market.signingMarketId) ?? [];
      const ticks = Math.min(...[indexTicks, markTicks].filter((price) => price > 0));
      known.push({ atMs: nowMs, ticks });
      while ((known[0]?.atMs ?? nowMs) < nowMs - PRICE_MEMORY_MS) known.shift();
      this.#prices.set(market.signingMarketId, known);
    }
  }

  /** `placing`: the write that leaves now. */
  check(placing?: Write): void {
    const worst = this.#worst();
    const view = this.#scene.world.view();
    if (view !== undefined && this.#scene.world.life().state === 'running') this.#checkReserved(worst, view);
    if (placing !== undefined) this.#checkLimits(worst, placing);
  }

  #worst(): Map<number, Worst> {
    const { venue } = this.#scene.world.exchange.control;
    const worst = new Map<number, Worst>();
    const of = (market: number): Worst => {
      const known = worst.get(market) ?? { buyLots: 0, sellLots: 0, buy: none(), sell: none() };
      worst.set(market, known);
      return known;
    };
    const open = new Map<string, VenueOrder>();
    for (const { market, orderSeq } of this.#scene.restingOrders()) {
      const order = this.#scene.openOrder(market, orderSeq);
      if (order === undefined || order.reduceOnly) continue;
      open.set(orderSeq.toString(), order);
      addLots(of(market), order.side, order.remainingLots);
      add(of(market)[order.side], this.#valueOf(market, order.remainingLots, order.priceTicks));
    }
    const ids = new Map(
      venue.markets().map(({ market }) => [market.symbol as string, market.signingMarketId]),
    );
    for (const write of this.#alive) if (this.#isGranted(write)) this.#addWrite(write, { of, open, ids });
    return worst;
  }

  #addWrite(
    write: Write,
    known: {
      readonly of: (market: number) => Worst;
      readonly open: ReadonlyMap<string, VenueOrder>;
      readonly ids: ReadonlyMap<string, number>;
    },
  ): void {
    const more = new Map<string, { market: number; side: 'buy' | 'sell'; resting: Resting }>();
    const moreOf = (market: number, side: 'buy' | 'sell'): Resting => {
      const one = more.get(`${market} ${side}`) ?? { market, side, resting: none() };
      more.set(`${market} ${side}`, one);
      return one.resting;
    };
    for (const { symbol, side, sizeLots, priceTicks, reduceOnly } of placesOf(write)) {
      const market = known.ids.get(symbol);
      if (market === undefined || reduceOnly) continue;
      addLots(known.of(market), side, sizeLots);
      add(moreOf(market, side), this.#valueOf(market, sizeLots, priceTicks));
    }
    for (const { orderId } of write.row?.command.cancels ?? []) {
      const order = known.open.get(orderId);
      if (order !== undefined)
        add(
          moreOf(order.market, order.side),
          this.#valueOf(order.market, order.remainingLots, order.priceTicks),
          -1,
        );
    }
    for (const { market, side, resting } of more.values()) {
      if (resting.count > 0) known.of(market)[side].count += resting.count;
      if (resting.notional > 0n) known.of(market)[side].notional += resting.notional;
    }
  }

  #checkReserved(worst: ReadonlyMap<number, Worst>, { reserved, epoch }: BotView): void {
    const { world, truth } = this.#scene;
    // F40: what was filled stands open again, and a bot that has not heard of the new ledger cannot know.
    if (this.#isRolledBack && epoch !== truth.current.epoch) return;
    for (const [id, { buyLots, sellLots }] of worst) {
      const { symbol } = world.exchange.control.venue.marketView(id).market;
      const own = reserved[symbol];
      if (own === undefined) continue;
      if (own.buyLots < buyLots || own.sellLots < sellLots)
        world.violate(
          'I10',
          `${symbol}: ${own.buyLots} lots bought and ${own.sellLots} sold are reserved, ${buyLots} and ${sellLots} could still be`,
        );
    }
  }

  #checkLimits(worst: ReadonlyMap<number, Worst>, placing: Write): void {
    const { world } = this.#scene;
    const limits = this.#limits;
    let [orders, notional] = [0, 0n];
    for (const [id, sum] of worst) {
      const { symbol } = world.exchange.control.venue.marketView(id).market;
      const [most, value] = [Math.max(sum.buy.count, sum.sell.count), sum.buy.notional + sum.sell.notional];
      orders += sum.buy.count + sum.sell.count;
      notional += value;
      if (most > limits.openOrdersPerSideMax)
        world.violate('I10', `${symbol}: ${most} orders of one side could rest (P6)`);
      if (value > limits.openNotionalPerMarketMax)
        world.violate('I10', `${symbol}: orders over ${money(value)} could rest (P7)`);
      const places = placesOf(placing).filter((place) => place.symbol === symbol && !place.reduceOnly);
      this.#checkPosition(id, sum, new Set(places.map(({ side }) => side)));
    }
    this.#checkGross(worst, placing);
    if (orders > limits.openOrdersMax) world.violate('I10', `${orders} orders could rest (P6)`);
    if (notional > limits.openNotionalMax)
      world.violate('I10', `orders over ${money(notional)} could rest (P7)`);
  }

  /** What others did to the account is not what risk let through, until they are gone for a while. */
  #isMovedByOthers(): boolean {
    const { isCalmAgain, struck } = this.#scene;
    return !isCalmAgain && OF_OTHERS.some((fault) => struck.has(fault));
  }

  /** All markets added up, each at the worse of its sides (P5), when an order is placed on such a side. */
  #checkGross(worst: ReadonlyMap<number, Worst>, placing: Write): void {
    if (this.#isMovedByOthers()) return;
    const { world } = this.#scene;
    const held = new Map(
      world.exchange.control.venue.positions(world.accountId).map(({ market, lots }) => [market, lots]),
    );
    const isPlaced = (id: number, side: 'buy' | 'sell'): boolean => {
      const { symbol } = world.exchange.control.venue.marketView(id).market;
      return placesOf(placing).some((one) => one.symbol === symbol && one.side === side && !one.reduceOnly);
    };
    let gross = 0n;
    let isRaised = false;
    for (const id of new Set([...held.keys(), ...worst.keys()])) {
      const lots = held.get(id) ?? 0;
      const { buyLots = 0, sellLots = 0 } = worst.get(id) ?? {};
      const [long, short] = [lots + buyLots, sellLots - lots];
      isRaised ||= isPlaced(id, long >= short ? 'buy' : 'sell');
      gross += this.#valueOf(id, Math.max(long, short), Number.POSITIVE_INFINITY);
    }
    if (isRaised && gross > this.#limits.grossMax)
      world.violate('I10', `positions over ${money(gross)} in all are possible (P5)`);
  }

  /** On the sides that are placed on: what rests on the other one was judged by the prices of its own time. */
  #checkPosition(id: number, { buyLots, sellLots }: Worst, sides: ReadonlySet<'buy' | 'sell'>): void {
    if (this.#isMovedByOthers()) return;
    const { world } = this.#scene;
    const { venue } = world.exchange.control;
    const lots = venue.positions(world.accountId).find(({ market }) => market === id)?.lots ?? 0;
    for (const [side, size] of [
      ['buy', lots + buyLots],
      ['sell', sellLots - lots],
    ] as const) {
      if (!sides.has(side)) continue;
      const value = this.#valueOf(id, size, Number.POSITIVE_INFINITY);
      if (value > this.#limits.positionMax)
        world.violate(
          'I10',
          `${venue.marketView(id).market.symbol}: a position over ${money(value)} is possible, ${size} lots (P5)`,
        );
    }
  }

  /** The least that `lots` could be worth to the bot that judged them lately. */
  #valueOf(market: number, lots: number, priceTicks: number): bigint {
    const lowest = (this.#prices.get(market) ?? []).reduce(
      (low, { ticks }) => Math.min(low, ticks),
      priceTicks,
    );
    if (!Number.isFinite(lowest)) return 0n;
    const { quantumsPerTickLot } = this.#scene.world.exchange.control.venue.marketView(market).market;
    return BigInt(lots) * BigInt(lowest) * quantumsPerTickLot;
  }
}

function none(): Resting {
  return { count: 0, notional: 0n };
}

function add(resting: Resting, value: bigint, by: 1 | -1 = 1): void {
  resting.count += by;
  resting.notional += value * BigInt(by);
}

function addLots(worst: Worst, side: 'buy' | 'sell', lots: number): void {
  if (side === 'buy') worst.buyLots += lots;
  else worst.sellLots += lots;
}
