/** @module What a UTC day of a run brought, in words: the difference of two states of it. */
import { Decimal } from '../../core/index.ts';
import type { RunView } from '../operator/index.ts';

type Status = NonNullable<RunView['status']>;

/** A day, and the state in which it began. */
export interface DayStart {
  /** `2026-11-27`. */
  readonly day: string;
  /** Unix ms: midnight, or when the run began after it. */
  readonly sinceMs: number;
  readonly pnl: Status['pnl'];
  readonly fills: number;
}

/** The UTC day of a time, so that a later day is the greater text. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** A day that begins in this state. */
export function startOfDay(status: Status, atMs: number): DayStart {
  return { day: dayOf(atMs), sinceMs: atMs, pnl: status.pnl, fills: fillsOf(status) };
}

/** The summary of a day that ended in `status`; `incidents`: how many alerts of each kind were raised. */
export function summaryOf(
  { day, sinceMs, pnl, fills }: DayStart,
  status: Status,
  incidents: ReadonlyMap<string, number>,
): string {
  const grown = (part: keyof Status['pnl']): string => {
    const by = new Decimal(status.pnl[part]).minus(pnl[part]);
    return `${by.isPositive() && !by.isZero() ? '+' : ''}${by.toFixed()}`;
  };
  const positions = status.markets
    .filter(({ position }) => !new Decimal(position).isZero())
    .map(({ symbol, position }) => `${position} ${symbol}`);
  const losses = status.losses.map(
    ({ scope, daily, dailyMax }) => `${scope} ${daily}${dailyMax === undefined ? '' : ` of ${dailyMax}`}`,
  );
  const raised = [...incidents].map(([kind, count]) => `${count} ${kind}`);
  return [
    `${day} from ${new Date(sinceMs).toISOString().slice(11, 19)} UTC`,
    `profit ${grown('total')} (realized ${grown('realized')}, unrealized ${grown('unrealized')})`,
    `fees ${grown('fees')}, funding ${grown('funding')}`,
    `${fillsOf(status) - fills} fills`,
    `positions ${positions.join(', ') || 'none'}`,
    `equity ${status.equity ?? 'not known'}`,
    `losses of the day ${losses.join(', ') || 'none'}`,
    `incidents ${raised.join(', ') || 'none'}`,
  ].join('; ');
}

function fillsOf({ strategies }: Status): number {
  return strategies.reduce((sum, { fills }) => sum + fills, 0);
}
