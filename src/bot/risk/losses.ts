/**
 * @module
 * Losses of one profit (denials.md M4): since the start of the UTC day, from its peak, within a minute. A limit leaves only
 * what reduces; a multiple of it halts, where one is configured. What was lost is kept over a restart, so that starting again gives no new
 * allowance; only a person, or a cooldown that somebody configured, begins to count from zero.
 */
import { formatScaled, must } from '../../core/index.ts';
import type { Quantums } from '../../domain/index.ts';

/** What may be lost; `undefined`: no limit. */
export interface LossLimits {
  /** Since the start of the UTC day. */
  readonly dailyMax: Quantums | undefined;
  /** From the highest profit so far. */
  readonly drawdownMax: Quantums | undefined;
  readonly minuteMax: Quantums | undefined;
}

/** Losses as they are kept over a restart, quantums as decimal text. */
export interface SavedLosses {
  /** Days since 1970 in UTC. */
  readonly day: number;
  readonly daily: string;
  readonly drawdown: string;
  /** A limit that was passed and that nobody has let go of, and when; absent: none. */
  readonly found?: LossFound & { readonly atMs: number };
}

/** What has been lost beside what may be. */
export interface LossUsage {
  readonly daily: bigint;
  readonly drawdown: bigint;
  readonly minute: bigint;
  readonly limits: LossLimits;
}

/** What follows from a loss. */
export interface LossReaction {
  /** The multiple of a limit that halts, in parts per million; `undefined`: no loss halts. */
  readonly haltRatioPpm: bigint | undefined;
  /** After so long without a stricter finding losses count from zero; `undefined`: a person decides. */
  readonly cooldownMs: number | undefined;
  /** Decimals of the collateral, for the words of what was found. */
  readonly collateralDecimals: number;
}

/** A limit that was passed. */
export interface LossFound {
  /** `reducing` above a limit, `halted` above its multiple. */
  readonly state: 'reducing' | 'halted';
  readonly reason: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** See the module. */
export class Losses {
  readonly limits: LossLimits;
  readonly #haltRatioPpm: bigint | undefined;
  readonly #cooldownMs: number | undefined;
  readonly #collateralDecimals: number;
  #day: { readonly number: number; readonly total: bigint } | undefined;
  #peak: bigint | undefined;
  #total = 0n;
  /** Totals of the last minute, falling: what a later one reaches cannot be the highest any more. */
  #minute: { readonly atMs: number; readonly total: bigint }[] = [];
  #saved: SavedLosses | undefined;
  #found: SavedLosses['found'];

  constructor(limits: LossLimits, { haltRatioPpm, cooldownMs, collateralDecimals }: LossReaction) {
    this.limits = limits;
    this.#haltRatioPpm = haltRatioPpm;
    this.#cooldownMs = cooldownMs;
    this.#collateralDecimals = collateralDecimals;
  }

  /** What was lost before a restart; it counts from the next look on. */
  restore(saved: SavedLosses): void {
    this.#saved = saved;
    this.#found = saved.found;
  }

  /** What a restart must know; `undefined`: nothing was looked at. */
  save(): SavedLosses | undefined {
    if (this.#day === undefined || this.#peak === undefined) return this.#saved;
    return {
      day: this.#day.number,
      daily: String(this.#day.total - this.#total),
      drawdown: String(this.#peak - this.#total),
      ...(this.#found === undefined ? {} : { found: this.#found }),
    };
  }

  /** What was found and nobody has let go of; `undefined`: nothing holds it. */
  get found(): LossFound | undefined {
    return this.#found;
  }

  /** What has been lost. */
  usage(): LossUsage {
    return {
      daily: (this.#day?.total ?? this.#total) - this.#total,
      drawdown: (this.#peak ?? this.#total) - this.#total,
      minute: (this.#minute[0]?.total ?? this.#total) - this.#total,
      limits: this.limits,
    };
  }

  /** Losses count from the next look on. */
  rebase(): void {
    this.#day = undefined;
    this.#peak = undefined;
    this.#minute = [];
    this.#saved = undefined;
    this.#found = undefined;
  }

  /** True once a cooldown is over: it is for the caller to let go, and to {@link rebase}. */
  isOver(nowMs: number): boolean {
    const cooldownMs = this.#cooldownMs;
    if (this.#found === undefined || cooldownMs === undefined) return false;
    return nowMs - this.#found.atMs >= cooldownMs;
  }

  /** Takes in the profit at an instant; the strictest that was passed since the last {@link rebase}. */
  look(nowMs: number, total: bigint): LossFound | undefined {
    this.#total = total;
    const day = Math.floor(nowMs / DAY_MS);
    const saved = this.#saved;
    this.#saved = undefined;
    if (this.#day === undefined || this.#day.number !== day)
      this.#day = { number: day, total: total + (saved?.day === day ? BigInt(saved.daily) : 0n) };
    const peak = this.#peak ?? total + BigInt(saved?.drawdown ?? 0);
    this.#peak = total > peak ? total : peak;
    this.#lookAtMinute(nowMs, total);
    const { daily, drawdown, minute } = this.usage();
    const { dailyMax, drawdownMax, minuteMax } = this.limits;
    const passed = [
      this.#passed('loss of the day', daily, dailyMax),
      this.#passed('drawdown from the peak', drawdown, drawdownMax),
      this.#passed('loss within a minute', minute, minuteMax),
    ];
    const found =
      passed.find((one) => one?.state === 'halted') ?? passed.find((one) => one?.state === 'reducing');
    // What was halted is not let trade again by a profit.
    const before = this.#found;
    if (found !== undefined && before?.state !== 'halted')
      this.#found = { ...found, atMs: found.state === before?.state ? before.atMs : nowMs };
    return this.#found;
  }

  #passed(what: string, loss: bigint, limit: bigint | undefined): LossFound | undefined {
    if (limit === undefined || loss <= limit) return undefined;
    const ratio = this.#haltRatioPpm;
    const haltedAbove = ratio === undefined ? undefined : (limit * ratio) / 1_000_000n;
    if (haltedAbove === undefined || loss <= haltedAbove)
      return { state: 'reducing', reason: this.#reason(what, loss, limit) };
    return { state: 'halted', reason: `${this.#reason(what, loss, haltedAbove)}, which halts` };
  }

  #reason(what: string, loss: bigint, limit: bigint): string {
    const money = (amount: bigint): string => formatScaled(amount, this.#collateralDecimals);
    return `${what} of ${money(loss)} is above ${money(limit)}`;
  }

  #lookAtMinute(nowMs: number, total: bigint): void {
    const minute = this.#minute;
    for (let last = minute.at(-1); last !== undefined && total >= last.total; last = minute.at(-1))
      minute.pop();
    minute.push({ atMs: nowMs, total });
    while (nowMs - must(minute[0], 'this mark').atMs >= MINUTE_MS) minute.shift();
  }
}
