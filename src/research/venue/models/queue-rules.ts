/**
 * @module
 * Queue position of other participants' cancels: the models of queue position for books of levels, in which a
 * level only shows its sum (R. Cont, A. de Larrard 2012; the forms that nkaz001/hftbacktest publishes). An order has
 * `ahead` lots before it; when the level shrinks by more than was traded, the rest was canceled, before it or behind it.
 *
 *   risk-averse   all behind it, as long as there is something behind it
 *   power, log    behind it with p = f(behind) / (f(behind) + f(ahead)), f(x) = x^n or ln(1 + x)
 */

/** The queue ahead of an order after `canceled` lots left its level, which showed `before` and shows `after` now. */
export type QueueRule = (
  ahead: number,
  canceled: number,
  level: { readonly before: number; readonly after: number },
) => number;

/** Cancels happen after the order: nothing is gained by them but that the queue is never longer than the level. */
export const riskAverseRule: QueueRule = (ahead, _canceled, { after }) => Math.min(ahead, after);

/** Cancels behind with f(x) = x^n. */
export function powerRule(exponent: number): QueueRule {
  return (ahead, canceled, level) => shared(ahead, canceled, { ...level, weigh: (x) => x ** exponent });
}

/** Cancels behind with f(x) = ln(1 + x). */
export const logRule: QueueRule = (ahead, canceled, level) =>
  shared(ahead, canceled, { ...level, weigh: Math.log1p });

/** As published: what does not fit behind the order is taken from before it. May be below 0: then none is left. */
function shared(
  ahead: number,
  canceled: number,
  {
    before,
    after,
    weigh,
  }: { readonly before: number; readonly after: number; readonly weigh: (lots: number) => number },
): number {
  const behind = before - ahead;
  const [weightBehind, weightAhead] = [weigh(Math.max(0, behind)), weigh(Math.max(0, ahead))];
  const total = weightBehind + weightAhead;
  const partBehind = total === 0 ? 1 : weightBehind / total;
  const missingBehind = Math.min(0, behind - partBehind * canceled);
  return Math.min(ahead - (1 - partBehind) * canceled + missingBehind, after);
}
