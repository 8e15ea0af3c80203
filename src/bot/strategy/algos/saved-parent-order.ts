/** @module What a parent order keeps over a restart. */

/** What is kept over a restart: plain data. */
export interface SavedParentOrder {
  readonly symbol: string;
  readonly side: string;
  /** Lots to fill in all. */
  readonly totalLots: number;
  readonly startedAtMs: number;
  /** Lots filled so far. */
  readonly filledLots: number;
  /** Lots filled after the last save, found at the restart. */
  readonly recoveredLots: number;
  /** Sum of price times size of the fills that were seen: an integer as text. */
  readonly tickLots: string;
  /** The strategy's inventory when this was saved. */
  readonly inventoryLots: number;
  /** Why it ended; empty: it has not. */
  readonly endReason: string;
}

/** What was saved, when it is of this order and can be read. */
export function savedOf(
  saved: unknown,
  { symbol, side, totalLots }: Pick<SavedParentOrder, 'symbol' | 'side' | 'totalLots'>,
): SavedParentOrder | undefined {
  if (typeof saved !== 'object' || saved === null) return undefined;
  const known = saved as Partial<Record<keyof SavedParentOrder, unknown>>;
  if (known.symbol !== symbol || known.side !== side || known.totalLots !== totalLots) return undefined;
  const { startedAtMs, filledLots, recoveredLots, inventoryLots, tickLots, endReason } = known;
  for (const value of [startedAtMs, filledLots, recoveredLots, inventoryLots])
    if (!Number.isSafeInteger(value)) return undefined;
  if (typeof tickLots !== 'string' || !/^[0-9]+$/.test(tickLots) || typeof endReason !== 'string')
    return undefined;
  return saved as SavedParentOrder;
}
