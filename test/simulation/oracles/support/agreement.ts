/**
 * @module
 * Where the bot and the exchange must be of one mind: fills, positions, ledger, open orders. Each comparison gives the
 * first difference in words. Frames are under way all the time, in a busy world at each block. So a comparison takes a
 * position of the log: what happened up to it must be known; what happened later may be missing, and all sums must be right
 * without it.
 */
import { parseScaled } from '../../../../src/core/index.ts';
import { TOKENS } from '../../../../src/exchange/index.ts';
import type { BotView, InvariantId, OracleChecks } from '../../types.ts';
import type { Scene } from './scene.ts';
import { positionOf, signed, type TruthFill } from './truth.ts';

/** What is not alike of all that happened up to a position of the log; `undefined`: nothing is. */
export type Difference = (scene: Scene, view: BotView, upTo: number) => string | undefined;

/** Fills by id and content, as multisets, since the ledger began (I1). */
export const fillsDiffer: Difference = (scene, view, upTo) => {
  const truth = scene.truth.current;
  if (view.epoch !== truth.epoch) return `the epoch is ${truth.epoch}, the bot is in ${view.epoch}`;
  const seen = new Set<string>();
  for (const fill of view.fills) {
    const { id, symbol, side, priceTicks, sizeLots } = fill;
    if (seen.has(id)) return `fill ${id} twice`;
    seen.add(id);
    const own = truth.fills.get(id);
    if (own === undefined) return `fill ${id}, which the log does not have`;
    const isAlike = own.side === side && own.priceTicks === priceTicks && own.lots === sizeLots;
    if (!isAlike || symbolOf(scene, own.market) !== symbol) return `fill ${id} with other contents`;
  }
  const missing = [...truth.fills.keys()].find((id) => !seen.has(id) && positionOf(id) <= upTo);
  return missing === undefined ? undefined : `no fill ${missing} (${truth.fills.size} in the log)`;
};

/** Signed size of each market (I2). */
export const positionsDiffer: Difference = (scene, view, upTo) => {
  const { venue } = scene.world.exchange.control;
  const truth = new Map(venue.positions(scene.world.accountId).map(({ market, lots }) => [market, lots]));
  const underWay = fillsUnderWay(scene, view, upTo);
  for (const { market } of venue.markets()) {
    const later = underWay.filter((fill) => fill.market === market.signingMarketId);
    const lots = later.reduce((sum, fill) => sum - signed(fill), truth.get(market.signingMarketId) ?? 0);
    const believed = view.positions[market.symbol];
    if (believed === undefined ? lots !== 0 : believed !== lots)
      return `${lots} lots of ${market.symbol}, the bot believes in ${believed ?? 'none'}`;
  }
  return undefined;
};

/** Fills after a position that the bot has not heard of. */
function fillsUnderWay(scene: Scene, view: BotView, upTo: number): readonly TruthFill[] {
  const later = [...scene.truth.current.fills.values()].filter(({ id }) => positionOf(id) > upTo);
  if (later.length === 0) return later;
  const seen = new Set(view.fills.map(({ id }) => id));
  return later.filter(({ id }) => !seen.has(id));
}

/** Entries of cash by id and amount, their sum, and the cash that the fills must have moved (I3). */
export const ledgerDiffers: Difference = (scene, view, upTo) => {
  const truth = scene.truth.current;
  if (view.epoch !== truth.epoch) return `the epoch is ${truth.epoch}, the bot is in ${view.epoch}`;
  const { before } = scene.truth;
  const seen = new Set<string>();
  let [sum, sumBefore] = [0n, 0n];
  for (const { id, amount, otherToken } of view.ledger) {
    if (seen.has(id)) return `ledger entry ${id} twice`;
    seen.add(id);
    sum += amount;
    if (positionOf(id) <= before.seq) {
      sumBefore += amount;
      continue;
    }
    const own = truth.ledger.get(id);
    if (own?.amount !== amount)
      return `ledger entry ${id} over ${amount}, in the log ${own?.amount ?? 'there is none'}`;
    if (otherOf(otherToken) !== own.other?.amount || otherToken?.token !== own.other?.token)
      return `ledger entry ${id} over ${otherToken?.amount} of token ${otherToken?.token}, in the log it is ${own.other?.amount} of ${own.other?.token}`;
  }
  for (const { id, amount } of truth.ledger.values()) {
    if (seen.has(id)) continue;
    if (positionOf(id) <= upTo) return `no ledger entry ${id}`;
    sum += amount;
  }
  if (truth === scene.truth.epochs[0] && sumBefore !== before.cash)
    return `entries of ${sumBefore} from the time before, it began with ${before.cash}`;
  const { collateral } = scene.world.exchange.control.venue.account(scene.world.accountId);
  if (sum !== collateral) return `entries of ${sum} for a balance of ${collateral}`;
  return tradesDiffer(scene, view, upTo);
};

/** What came of another token, in its smallest unit. */
function otherOf(held: BotView['ledger'][number]['otherToken']): bigint | undefined {
  const listed = TOKENS.find(({ token }) => token === held?.token);
  return held === undefined || listed === undefined ? undefined : parseScaled(held.amount, listed.decimals);
}

/** Every quantum that a fill of the bot moved is a trade of the ledger: one figure from two independent sources. */
function tradesDiffer(scene: Scene, view: BotView, upTo: number): string | undefined {
  const { venue } = scene.world.exchange.control;
  const perTickLot = new Map(
    venue.markets().map(({ market }) => [market.symbol as string, market.quantumsPerTickLot]),
  );
  let moved = 0n;
  const move = (symbol: string, fill: Pick<TruthFill, 'side' | 'lots' | 'priceTicks'>): void => {
    moved -= BigInt(signed(fill)) * BigInt(fill.priceTicks) * (perTickLot.get(symbol) ?? 0n);
  };
  for (const { symbol, sizeLots: lots, ...fill } of view.fills) move(symbol, { ...fill, lots });
  for (const fill of fillsUnderWay(scene, view, upTo)) move(symbolOf(scene, fill.market) ?? '', fill);
  let booked = 0n;
  for (const { kind, amount } of scene.truth.current.ledger.values()) if (kind === 'trade') booked += amount;
  return moved === booked ? undefined : `fills that moved ${moved}, trades that booked ${booked}`;
}

/** Open orders by number, side, price and what remains (I4). */
export const ordersDiffer: Difference = (scene, view, upTo) => {
  const { venue } = scene.world.exchange.control;
  const believed = new Map(view.openOrders.map((order) => [order.orderId, order]));
  if (believed.size !== view.openOrders.length) return 'the same open order twice';
  const { accountId } = scene.world;
  for (const order of [...venue.openOrders(accountId), ...venue.waitingOrders(accountId)]) {
    const id = order.orderSeq.toString();
    const own = believed.get(id);
    believed.delete(id);
    if (scene.truth.changedAt(id) > upTo) continue;
    if (own === undefined) return `order ${id} is open, the bot does not know it`;
    const isAlike =
      own.symbol === symbolOf(scene, order.market) &&
      own.side === order.side &&
      // The limit of a slice follows the index price; what is shown of it is that of the last change.
      (own.priceTicks === order.priceTicks || order.waiting?.kind === 'twap') &&
      // What a leg would close follows the position, and is told when something else changes of it.
      (own.remainingLots === order.remainingLots || LEGS.has(order.waiting?.kind ?? ''));
    if (!isAlike)
      return `order ${id}: ${order.side} ${order.remainingLots} at ${order.priceTicks}, the bot believes in ${own.side} ${own.remainingLots} at ${own.priceTicks}`;
  }
  const ghost = [...believed.keys()].find((id) => scene.truth.changedAt(id) <= upTo);
  return ghost === undefined ? undefined : `order ${ghost} is not open, the bot believes in it`;
};

/** What waits to close the position, whatever that is then. */
export const LEGS: ReadonlySet<string> = new Set(['takeProfit', 'stopLoss']);

function symbolOf(scene: Scene, market: number): string | undefined {
  const { venue } = scene.world.exchange.control;
  return venue.markets().find((one) => one.market.signingMarketId === market)?.market.symbol;
}

/** How long a difference may stay when all is quiet: requotes and their frames are under way. */
const STAY_MS = 5_000;
/** A position behind the whole log. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * Checks that hold from quiescence on: the difference must be gone within {@link STAY_MS}, and at the end. All that had
 * happened by then must be known, and at each block all that happened up to the block before.
 */
export function agreesAtLast(scene: Scene, id: InvariantId, differ: Difference): OracleChecks {
  let untilMs: number | undefined;
  let restSeq = 0;
  const look = (upTo: number, isLast = false): void => {
    if (untilMs === undefined) return;
    const view = scene.world.view();
    const difference = view === undefined ? 'nothing is known of the account' : differ(scene, view, upTo);
    if (difference === undefined) untilMs = undefined;
    else if (isLast || scene.nowMs > untilMs) {
      untilMs = undefined;
      scene.world.violate(id, difference);
    }
  };
  return {
    onSight: (sight) => scene.see(sight),
    atQuiescence: () => {
      untilMs = scene.nowMs + STAY_MS;
      restSeq = scene.world.exchange.seq;
      look(ALL);
    },
    onBlock: () => look(Math.max(restSeq, scene.truth.toldUpTo)),
    atEnd: () => look(ALL, true),
  };
}
