/**
 * @module
 * The times in which a side of a market of a strategy had no order, counted by reason and hour. Nearly every order that comes or
 * goes is seen here, so nothing is made for one.
 */
import type { MarketSymbol, RunTally, StrategyId } from '../../domain/index.ts';

/** An hour, ms. */
export const HOUR_MS = 3_600_000;

/** What a row counts. */
export type TallyKey = Pick<RunTally, 'kind' | 'code' | 'strategyId' | 'symbol' | 'side'>;

/** A row while it is counted. */
export type Tally = { -readonly [Name in keyof RunTally]: RunTally[Name] };

/** A reason for which a side of a market has no order. */
interface CountedReason {
  /** What was said last beside its code, and the name that it is counted under. */
  about: string;
  label: string;
  /** The row that was counted in last. */
  tally: Tally | undefined;
}

/** A side of a market of a strategy. */
interface QuotedSide {
  readonly of: Pick<RunTally, 'strategyId' | 'symbol' | 'side'>;
  /** By their codes. */
  readonly reasons: Map<string, CountedReason>;
  /** Why it has no order; `undefined`: it has one. */
  reason: CountedReason | undefined;
  /** Since when. */
  fromMs: number;
}

/** See the module. */
export class GapTimes {
  readonly #now: () => number;
  readonly #tallyOf: (key: TallyKey, hourMs: number) => Tally;
  readonly #sides = new Map<
    StrategyId,
    Map<MarketSymbol, { readonly bid: QuotedSide; readonly ask: QuotedSide }>
  >();

  /** `tallyOf` gives the row of a key in an hour. */
  constructor(now: () => number, tallyOf: (key: TallyKey, hourMs: number) => Tally) {
    this.#now = now;
    this.#tallyOf = tallyOf;
  }

  /** A side has no order for this reason; `undefined`: it has one. */
  follow(
    strategyId: StrategyId,
    symbol: MarketSymbol,
    side: 'bid' | 'ask',
    reason: { readonly code: string; readonly about: string } | undefined,
  ): void {
    const quoted = this.#sideOf(strategyId, symbol, side);
    if (reason === undefined) {
      this.#gapEnds(quoted);
      return;
    }
    const { code, about } = reason;
    let counted = quoted.reasons.get(code);
    if (counted === undefined || counted.about !== about) {
      const label = withoutNumbers(about === '' ? code : `${code}: ${about}`);
      if (counted?.label !== label) counted = { about, label, tally: undefined };
      counted.about = about;
      quoted.reasons.set(code, counted);
    }
    if (counted === quoted.reason) return;
    this.#gapEnds(quoted);
    quoted.reason = counted;
    quoted.fromMs = this.#now();
  }

  /** Ends what lasts. */
  close(): void {
    for (const markets of this.#sides.values())
      for (const { bid, ask } of markets.values()) for (const quoted of [bid, ask]) this.#gapEnds(quoted);
  }

  #sideOf(strategyId: StrategyId, symbol: MarketSymbol, side: 'bid' | 'ask'): QuotedSide {
    let markets = this.#sides.get(strategyId);
    if (markets === undefined) {
      markets = new Map();
      this.#sides.set(strategyId, markets);
    }
    let sides = markets.get(symbol);
    if (sides === undefined) {
      const of = (name: 'bid' | 'ask'): QuotedSide => ({
        of: { strategyId, symbol, side: name },
        reasons: new Map(),
        reason: undefined,
        fromMs: 0,
      });
      sides = { bid: of('bid'), ask: of('ask') };
      markets.set(symbol, sides);
    }
    return sides[side];
  }

  /** A side has an order again, or another reason for none. One that is replaced is empty for no time, and not counted. */
  #gapEnds(quoted: QuotedSide): void {
    const { reason, fromMs: beganMs } = quoted;
    quoted.reason = undefined;
    if (reason === undefined) return;
    const toMs = this.#now();
    for (let fromMs = beganMs; fromMs < toMs; ) {
      const hourMs = hourOf(fromMs);
      const nextMs = Math.min(toMs, hourMs + HOUR_MS);
      let { tally } = reason;
      if (tally?.hourMs !== hourMs) {
        tally = this.#tallyOf({ kind: 'noQuotes', code: reason.label, ...quoted.of }, hourMs);
        reason.tally = tally;
      }
      if (fromMs === beganMs) tally.count++;
      tally.ms += nextMs - fromMs;
      fromMs = nextMs;
    }
  }
}

/** Start of the hour of a time, Unix ms. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

/** Reasons with values in them are one reason. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(/(?<![\w.-])-?\d[\d.,]*(?!\w)/g, '…').slice(0, 200);
}
