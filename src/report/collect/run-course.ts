/**
 * @module
 * Collects the course of a run: denials, rejections, holds of trading and times without quotes, counted by hour; how each
 * strategy ended; the lines that strategies log. Memory is bounded by {@link TALLIES_MAX} and {@link LOG_LINES_MAX}.
 */
import { formatJson, type UnixMs } from '../../core/index.ts';
import type {
  AccountChange,
  Denial,
  MarketState,
  MarketSymbol,
  RunCourse,
  RunLogLine,
  RunTally,
  StrategyId,
  StrategyOutcome,
} from '../../domain/index.ts';
import { GapTimes, HOUR_MS, hourOf, type Tally, type TallyKey, withoutNumbers } from './gap-times.ts';
import { type ObservedStrategy, unheardOf } from './unheard.ts';

/** How many different rows are kept; what comes beyond them is counted in rows of the code `other`. */
const TALLIES_MAX = 5_000;
/** How many lines are kept, from the first. */
const LOG_LINES_MAX = 5_000;

/** A control that holds a strategy for more than this fraction of its time makes its result one of the control. */
const HELD_FRACTION_MAX = 0.5;
/** What the kernel says of a market in which no quote was ever asked for. */
const NOT_ASKED = 'notAsked';

/** A control that holds trading, or lets go of it (`active`). */
export interface TradingHeld {
  /** Id of the control, or `operator`, who also lets go for all others. */
  readonly control: string;
  readonly state: 'active' | 'throttled' | 'reducing' | 'halted';
  /** `null`: all. */
  readonly strategyId: StrategyId | null;
  readonly symbol: MarketSymbol | null;
}

/** How an instance of a strategy ended. */
export interface StrategyEnd {
  readonly state: 'failed' | 'stopped';
  readonly reason: string;
  /** What it threw; `undefined`: it did not throw. */
  readonly error: { readonly name: string; readonly message: string } | undefined;
  /** False: the run ended. */
  readonly isOwn: boolean;
}

/** Something that lasts. */
interface Span {
  readonly key: TallyKey;
  readonly fromMs: number;
  /** Holds that only slow a strategy down are no halt of it. */
  readonly isStopping: boolean;
}

interface Fate {
  accepted: number;
  failures: number;
  error: StrategyOutcome['error'];
  end: { readonly state: 'failed' | 'stopped'; readonly reason: string; readonly atMs: number } | undefined;
}

/** See the module. */
export class CourseCollector {
  readonly #now: () => number;
  readonly #tallies = new Map<string, Tally>();
  readonly #spans = new Map<string, Span>();
  readonly #gaps: GapTimes;
  readonly #held: Span[] = [];
  readonly #heldUntilMs: number[] = [];
  readonly #fates = new Map<StrategyId, Fate>();
  readonly #log: RunLogLine[] = [];
  #logDropped = 0;
  #fromMs = 0;
  /** Between the start of strategies and the end of the market. */
  #isOn = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#gaps = new GapTimes(now, (key, hourMs) => this.#tallyOf(key, hourMs));
  }

  /** Strategies start. */
  begin(strategies: readonly ObservedStrategy[]): void {
    this.#isOn = true;
    this.#fromMs = this.#now();
    for (const { id, symbols } of strategies)
      for (const symbol of symbols)
        for (const side of ['bid', 'ask'] as const)
          this.noQuotes(id, symbol, side, { code: NOT_ASKED, about: '' });
  }

  /** Risk denied something. */
  denied({ code, strategyId, symbol }: Denial): void {
    if (this.#isOn) this.#count({ kind: 'denial', code, strategyId, symbol: symbol ?? null });
  }

  /** An order has changed. */
  changed(change: Extract<AccountChange, { type: 'OrderChanged' }>): void {
    const { status, strategyId, symbol, reason, orderId } = change;
    if (strategyId === undefined) return;
    if (status === 'rejected')
      this.#count({
        kind: 'rejection',
        code: withoutNumbers(reason ?? 'no reason given'),
        strategyId,
        symbol,
      });
    else if (orderId !== undefined) this.#fateOf(strategyId).accepted++;
  }

  /** A control holds trading or lets go of it. */
  trading({ control, state, strategyId, symbol }: TradingHeld): void {
    const scope = `halt ${strategyId ?? ''} ${symbol ?? ''} `;
    for (const name of [...this.#spans.keys()])
      if (name.startsWith(scope) && (control === 'operator' || name === scope + control)) this.#end(name);
    if (state === 'active') return;
    const code = state === 'halted' ? control : `${control} (${state})`;
    this.#begin(scope + control, { kind: 'halt', code, strategyId, symbol }, state !== 'throttled');
  }

  /** A strategy has no order on a side of a market for this reason; `undefined`: it has one. */
  noQuotes(
    strategyId: StrategyId,
    symbol: MarketSymbol,
    side: NonNullable<RunTally['side']>,
    reason: { readonly code: string; readonly about: string } | undefined,
  ): void {
    if (this.#isOn) this.#gaps.follow(strategyId, symbol, side, reason);
  }

  /** An instance of a strategy has ended. */
  ended(strategyId: StrategyId, { state, reason, error, isOwn }: StrategyEnd): void {
    const fate = this.#fateOf(strategyId);
    const atMs = Math.floor(this.#now()) as UnixMs;
    if (state === 'failed') {
      fate.failures++;
      fate.error ??= { name: error?.name ?? 'Error', message: reason, atMs };
    }
    if (isOwn) fate.end = { state, reason, atMs };
  }

  /** A failed strategy runs again. */
  restarted(strategyId: StrategyId): void {
    this.#fateOf(strategyId).end = undefined;
  }

  /** A strategy logs a line. */
  log(strategyId: StrategyId, level: RunLogLine['level'], message: string, fields: object | undefined): void {
    if (this.#log.length >= LOG_LINES_MAX) {
      this.#logDropped++;
      return;
    }
    const more = fields === undefined ? '{}' : textOf(fields);
    const text = more === '{}' ? message : `${message} ${more}`;
    this.#log.push({ atMs: Math.floor(this.#now()) as UnixMs, strategyId, level, text });
  }

  /** Ends what lasts: nothing is counted any more. */
  close(): void {
    this.#isOn = false;
    for (const name of [...this.#spans.keys()]) this.#end(name);
    this.#gaps.close();
  }

  /** The course up to `toMs`. */
  finish(strategies: readonly ObservedStrategy[], markets: MarketState | undefined, toMs: number): RunCourse {
    this.close();
    const outcomes = strategies.map((one) => this.#outcomeOf(one, markets, toMs));
    const placing = new Set(
      outcomes.filter(({ state }) => state !== 'neverQuoted').map((one) => one.strategyId),
    );
    // Who only places single orders never asks for quotes.
    const isNoise = ({ kind, code, strategyId, ms }: Tally): boolean =>
      kind === 'noQuotes' &&
      (ms === 0 || (code === NOT_ASKED && strategyId !== null && placing.has(strategyId)));
    const tallies = [...this.#tallies.values()].filter((one) => !isNoise(one));
    return { tallies, outcomes, log: this.#log, logDropped: this.#logDropped };
  }

  #outcomeOf(one: ObservedStrategy, markets: MarketState | undefined, toMs: number): StrategyOutcome {
    const fate = this.#fateOf(one.id);
    const { accepted, failures, error, end } = fate;
    const endMs = end?.atMs ?? toMs;
    const { control, heldMs } = this.#heldOf(one, endMs);
    const heldFraction = heldMs / Math.max(1, endMs - this.#fromMs);
    const unheard = unheardOf(one, markets);
    const of = { strategyId: one.id, error, failures, control, unheard };
    const rest = {
      ...of,
      heldFraction: rounded(heldFraction),
      endedAtMs: end === undefined ? null : (end.atMs as UnixMs),
    };
    if (failures > 0) {
      const now = end === undefined ? 'it was started again' : 'it did not run to the end';
      return {
        ...rest,
        state: 'failed',
        reason: `${error?.message ?? 'it failed'} (failed ${failures} times; ${now})`,
      };
    }
    if (heldFraction > HELD_FRACTION_MAX && control !== null)
      return {
        ...rest,
        state: 'halted',
        reason: `${control} held it for ${percent(heldFraction)} of its time`,
      };
    if (accepted === 0)
      return {
        ...rest,
        state: 'neverQuoted',
        reason: [...this.#whyNot(one.id), ...unheard, ...endWords(end)].join('; '),
      };
    if (end !== undefined) return { ...rest, state: 'stopped', reason: end.reason };
    return { ...rest, state: 'completed', reason: '' };
  }

  /** Why a strategy sent nothing: what it was denied, and why it had no quotes for the longest time. */
  *#whyNot(strategyId: StrategyId): Generator<string> {
    const own = [...this.#tallies.values()].filter((one) => one.strategyId === strategyId);
    for (const kind of ['denial', 'rejection'] as const)
      for (const [code, { count }] of summed(own.filter((one) => one.kind === kind)))
        yield `${kind === 'denial' ? 'denied' : 'rejected'} ${count} times: ${code}`;
    for (const [code, { ms }] of summed(own.filter((one) => one.kind === 'noQuotes')))
      yield `no quotes for ${Math.round(ms / 1_000)} s: ${code}`;
  }

  /** The control that held a strategy for the longest time, and how long it was held by any. */
  #heldOf({ id, symbols }: ObservedStrategy, untilMs: number): { control: string | null; heldMs: number } {
    const spans = this.#held
      .map((span, at) => ({ ...span, toMs: Math.min(untilMs, this.#heldUntilMs[at] ?? untilMs) }))
      .filter(({ key: { strategyId, symbol } }) =>
        strategyId === null
          ? symbol === null || (symbols.length === 1 && symbols[0] === symbol)
          : strategyId === id,
      )
      .sort((a, b) => a.fromMs - b.fromMs);
    const byControl = new Map<string, number>();
    let heldMs = 0;
    let coveredMs = Number.NEGATIVE_INFINITY;
    for (const { key, fromMs, toMs } of spans) {
      byControl.set(key.code, (byControl.get(key.code) ?? 0) + toMs - fromMs);
      heldMs += Math.max(0, toMs - Math.max(fromMs, coveredMs));
      coveredMs = Math.max(coveredMs, toMs);
    }
    const [longest] = [...byControl].sort(([, a], [, b]) => b - a);
    return { control: longest?.[0] ?? null, heldMs };
  }

  #fateOf(strategyId: StrategyId): Fate {
    let fate = this.#fates.get(strategyId);
    if (fate === undefined) {
      fate = { accepted: 0, failures: 0, error: null, end: undefined };
      this.#fates.set(strategyId, fate);
    }
    return fate;
  }

  #begin(name: string, key: TallyKey, isStopping: boolean): void {
    const fromMs = this.#now();
    this.#spans.set(name, { key, fromMs, isStopping });
    this.#count(key);
  }

  #end(name: string): void {
    const span = this.#spans.get(name);
    if (span === undefined) return;
    this.#spans.delete(name);
    const toMs = this.#now();
    for (let fromMs = span.fromMs; fromMs < toMs; ) {
      const nextMs = Math.min(toMs, hourOf(fromMs) + HOUR_MS);
      this.#tallyOf(span.key, hourOf(fromMs)).ms += nextMs - fromMs;
      fromMs = nextMs;
    }
    if (!span.isStopping) return;
    this.#held.push(span);
    this.#heldUntilMs.push(toMs);
  }

  #count(key: TallyKey): void {
    this.#tallyOf(key, hourOf(this.#now())).count++;
  }

  #tallyOf(key: TallyKey, hourMs: number): Tally {
    const isFull = this.#tallies.size >= TALLIES_MAX;
    const name = ({ kind, code, strategyId, symbol, side }: TallyKey) =>
      [kind, code, strategyId ?? '', symbol ?? '', side ?? '', hourMs].join(' ');
    const known = this.#tallies.get(name(key));
    if (known !== undefined) return known;
    const kept = isFull ? { ...key, code: 'other' } : key;
    const tally = this.#tallies.get(name(kept)) ?? { ...kept, hourMs, count: 0, ms: 0 };
    this.#tallies.set(name(kept), tally);
    return tally;
  }
}

/** Rows of one code added up, the largest first. */
function summed(tallies: readonly Tally[]): readonly (readonly [string, { count: number; ms: number }])[] {
  const sums = new Map<string, { count: number; ms: number }>();
  for (const { code, count, ms } of tallies) {
    const sum = sums.get(code) ?? { count: 0, ms: 0 };
    sum.count += count;
    sum.ms += ms;
    sums.set(code, sum);
  }
  return [...sums].sort(([, a], [, b]) => b.ms - a.ms || b.count - a.count);
}

function endWords(end: Fate['end']): readonly string[] {
  return end === undefined ? [] : [`it ended before the run: ${end.reason}`];
}

/** Fields as JSON, without stacks: those name places of one machine, and a record is the same on all. */
function textOf(fields: object): string {
  try {
    return formatJson(Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'stack')));
  } catch {
    return '(fields that are no JSON)';
  }
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`;
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}
