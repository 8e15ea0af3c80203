/** @module What a run decided and was filled with, out of its log, told so that two runs can be held side by side. */
import type { RunLog } from '../../src/runtime/index.ts';

/** What one leg decided and was filled with: one line each, without names that only this leg has. */
export interface Story {
  readonly lines: readonly { readonly atMs: number; readonly text: string }[];
  readonly fills: readonly string[];
  /** What trading did to the cash, quantums. */
  readonly cash: bigint;
}

/** What a log says was decided between two times, with orders named by what they came of. */
export function storyOf(
  entries: ReturnType<RunLog['take']>,
  {
    runId,
    beganAtMs,
    untilMs,
  }: { readonly runId: string; readonly beganAtMs: number; readonly untilMs: number },
): Story {
  const names = new Map<string, string>();
  const lines: { atMs: number; text: string }[] = [];
  const fills: string[] = [];
  let cash = 0n;
  const bare = (text: string): string => text.replaceAll(`${runId}-`, '#');
  let atMs = 0;
  let first: number | undefined;
  // Numbers of intents count from the first one of the strategies.
  const renumbered = (text: string): string =>
    text.replaceAll(/#([0-9]+)/g, (_whole, number: string) => {
      first ??= Number(number);
      return `#${Number(number) - first}`;
    });
  for (const { at, event } of entries) {
    if (at !== undefined) atMs = at.nowMs;
    if (atMs > untilMs) break;
    if (event.kind === 'fact' && event.fact.type === 'OrderAccepted')
      names.set(event.fact.orderId, renumbered(bare(event.fact.spec.intentId)));
    if (event.kind === 'fact' && event.fact.type === 'FillRecorded') {
      const { orderId, side, role, priceTicks, sizeLots, fee } = event.fact.fill;
      fills.push(`${names.get(orderId)} ${side} ${sizeLots} at ${priceTicks} ${role} fee ${fee}`);
    }
    if (event.kind === 'fact' && event.fact.type === 'LedgerRecorded' && event.fact.entry.kind !== 'deposit')
      cash += event.fact.entry.amount;
    if (event.kind !== 'decision' || event.what === 'safety' || atMs < beganAtMs) continue;
    const named = event.text.replace(
      /^\S+ (place|replace) cancels \[([^\]]*)\]/,
      (_all, kind, ids: string) =>
        `${kind} cancels [${ids
          .split(' ')
          .map((id) => names.get(id) ?? id)
          .join(' ')}]`,
    );
    lines.push({ atMs: atMs - beganAtMs, text: `${event.what} ${renumbered(bare(named))}` });
  }
  return { lines, fills, cash };
}

/** The first places at which two stories differ, in words; times may differ by the rounding of a millisecond. */
export function partingOf(a: Story, b: Story): readonly string[] {
  const parting: string[] = [];
  const length = Math.max(a.lines.length, b.lines.length);
  for (let at = 0; at < length && parting.length < 3; at++) {
    const [one, two] = [a.lines[at], b.lines[at]];
    if (one?.text === two?.text && Math.abs((one?.atMs ?? 0) - (two?.atMs ?? 0)) <= 1) continue;
    parting.push(`decision ${at}: ${one?.atMs} ${one?.text}\n against  ${two?.atMs} ${two?.text}`);
  }
  for (let at = 0; at < Math.max(a.fills.length, b.fills.length) && parting.length < 6; at++)
    if (a.fills[at] !== b.fills[at]) parting.push(`fill ${at}: ${a.fills[at]} against ${b.fills[at]}`);
  if (a.cash !== b.cash) parting.push(`cash: ${a.cash} against ${b.cash}`);
  return parting;
}
