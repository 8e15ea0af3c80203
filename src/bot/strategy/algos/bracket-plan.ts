/** @module What a bracket is asked for and keeps: its plans, and how it may end. */
import type { Lots, Side, Ticks } from '../../../domain/index.ts';
import type { OrderDraft } from '../intents.ts';

/** What both kinds of brackets say. */
export interface GuardPlan {
  /** The side of the position: `buy` is long. */
  readonly side: Side;
  readonly sizeLots: Lots;
  /** Index price at which the position is closed at a loss. */
  readonly stopTicks: Ticks;
  /** Index price at which a limit order closes it with a profit; absent: only the stop ends it. */
  readonly takeProfitTicks?: Ticks;
}

/** A position that is to be opened. */
export interface BracketPlan extends GuardPlan {
  /** The limit of the entry. */
  readonly entryTicks: Ticks;
  /** Default `postOnly`. */
  readonly timeInForce?: OrderDraft['timeInForce'];
}

/** How a bracket ended: by an exit, without any fill of its entry, or without exits (then nothing was entered). */
export type BracketEnd = 'stop' | 'take profit' | 'not entered' | 'refused';

/** What is kept over a restart. */
export interface SavedBracket {
  readonly plan: GuardPlan;
  readonly openLots: number;
}

/** A plan out of what an earlier run has saved; `undefined`: none. */
export function savedPlanOf(saved: unknown): GuardPlan | undefined {
  const plan =
    typeof saved === 'object' && saved !== null ? (Reflect.get(saved, 'plan') as unknown) : undefined;
  if (typeof plan !== 'object' || plan === null) return undefined;
  const { side, sizeLots, stopTicks, takeProfitTicks } = plan as Partial<Record<keyof GuardPlan, unknown>>;
  if (side !== 'buy' && side !== 'sell') return undefined;
  if (!isCount(sizeLots) || !isCount(stopTicks)) return undefined;
  const exit = isCount(takeProfitTicks) ? { takeProfitTicks: takeProfitTicks as Ticks } : {};
  return { side, sizeLots: sizeLots as Lots, stopTicks: stopTicks as Ticks, ...exit };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** Of a plan, what guards it: an entry is placed once, its exits as often as they are needed. */
export function guardOf({ side, sizeLots, stopTicks, takeProfitTicks }: GuardPlan): GuardPlan {
  return { side, sizeLots, stopTicks, ...(takeProfitTicks === undefined ? {} : { takeProfitTicks }) };
}
