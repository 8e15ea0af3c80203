/**
 * @module
 * A take-profit and stop-loss of a position as strategies ask for them, to one order spec a leg. They are orders of the exchange
 * that follow the position: what is counted of them is their number, for they can only close what is held.
 */
import { isRecord, type JsonObject } from '../../core/index.ts';
import {
  formatSize,
  type IntentId,
  type Lots,
  type Market,
  type OrderSpec,
  type PositionLeg,
  type Side,
} from '../../domain/index.ts';
import type { TpslDraft, TpslIntents } from '../strategy/index.ts';
import { IntentProblem, priceOf } from './levels.ts';
import { type SpecNames, specOf } from './order-spec.ts';

const LEGS = ['takeProfit', 'stopLoss'] as const satisfies readonly PositionLeg[];

/** What is held in a market, lots with a sign. */
export interface HeldPosition {
  /** By the account. */
  readonly accountLots: Lots;
  /** By the strategy that asks. */
  readonly ownLots: Lots;
  /** True if another strategy of the run may trade there. */
  readonly isShared: boolean;
}

/** What legs are read with. */
export interface TpslContext {
  readonly names: SpecNames;
  /** Of a take-profit and stop-loss: the ids of its legs, and what there is to close. */
  readonly legs?: { readonly ids: TpslIntents; readonly held: HeldPosition } | undefined;
}

/** The ids of the legs that a draft asks for; both where it cannot be read. */
export function askedLegs(draft: TpslDraft, ids: TpslIntents): readonly IntentId[] {
  try {
    const asked = LEGS.filter((leg) => draft[leg] !== undefined);
    return (asked.length === 0 ? LEGS : asked).map((leg) => ids[leg]);
  } catch {
    return LEGS.map((leg) => ids[leg]);
  }
}

/** The legs as specs, the take-profit first. */
export function readTpsl(
  market: Market,
  draft: JsonObject,
  { names: { strategyId }, legs }: TpslContext,
): readonly OrderSpec[] | IntentProblem {
  const { side } = draft;
  if (side !== 'buy' && side !== 'sell') return malformed('a side of buy or sell');
  if (legs === undefined) return malformed('a position');
  const { ids, held } = legs;
  const sizeLots = closable(market, side, held);
  if (typeof sizeLots === 'object') return sizeLots;
  const specs: OrderSpec[] = [];
  for (const leg of LEGS) {
    const given = draft[leg];
    if (given === undefined) continue;
    if (!isRecord(given)) return malformed(`a ${leg} with trigger and price`);
    const triggerTicks = priceOf(market, given['triggerTicks'], given['triggerPrice']);
    if (typeof triggerTicks === 'object') return triggerTicks;
    const priceTicks = priceOf(market, given['priceTicks'], given['price']);
    if (typeof priceTicks === 'object') return priceTicks;
    const terms = {
      symbol: market.symbol,
      side,
      timeInForce: 'gtc',
      reduceOnly: true,
      expiresAtMs: 0,
    } as const;
    const isAbove = (leg === 'takeProfit') === (side === 'sell');
    const spec = specOf({ intentId: ids[leg], strategyId }, terms, { priceTicks, sizeLots });
    specs.push({ ...spec, trigger: { priceTicks: triggerTicks, isAbove, leg } });
  }
  const [profit, loss] = specs;
  if (profit === undefined) return malformed('a takeProfit or a stopLoss');
  if (loss === undefined) return specs;
  const [profitTicks, lossTicks] = [profit.trigger?.priceTicks ?? 0, loss.trigger?.priceTicks ?? 0];
  const isCrossed = side === 'sell' ? profitTicks <= lossTicks : profitTicks >= lossTicks;
  return isCrossed
    ? malformed(`a takeProfit that fires ${side === 'sell' ? 'above' : 'below'} the stopLoss`)
    : specs;
}

/** What an order of `side` would close: all that is held, and that must be the strategy's alone. */
function closable(market: Market, side: Side, held: HeldPosition): Lots | IntentProblem {
  const { accountLots, ownLots, isShared } = held;
  const text = (lots: number) => `${formatSize(market, lots as Lots)} ${market.symbol}`;
  const lots = (side === 'sell' ? ownLots : -ownLots) as Lots;
  if (lots <= 0)
    return new IntentProblem(
      'INTENT_POSITION_MISSING',
      `expected a ${side === 'sell' ? 'long' : 'short'} position to close with a ${side}, got ${text(ownLots)}`,
    );
  if (isShared)
    return new IntentProblem(
      'INTENT_POSITION_SHARED',
      `expected no other strategy in ${market.symbol}, since what closes a position closes all of it`,
    );
  if (accountLots !== ownLots)
    return new IntentProblem(
      'INTENT_POSITION_SHARED',
      `expected the position to be the strategy's alone, got ${text(accountLots)}, of which ${text(ownLots)} are its own`,
    );
  return lots;
}

function malformed(expected: string): IntentProblem {
  return new IntentProblem('INTENT_MALFORMED', `expected ${expected}, got something else`);
}
