/**
 * @module
 * What is kept of a bot on a stage: its decisions with the number of the event, the largest orders, how its strategy ended;
 * and what is wrong with its intents as soon as they are made.
 */
import type { BotOptions } from '../../bot/kernel/index.ts';
import { formatJson } from '../../core/index.ts';
import type { TradingCommand } from '../../domain/index.ts';
import { type FaultOptions, faultOf } from './faults.ts';
import type { StageMarket } from './stage-market.ts';

/** What a record is made of. */
export interface StageRecordParts extends FaultOptions {
  readonly markets: ReadonlyMap<string, StageMarket>;
  /** Decisions are not kept. */
  readonly isUnrecorded: boolean;
  /** Number of the event that is under way. */
  eventNumber(): number;
  /** Something is wrong with the strategy. */
  fail(expected: string, got: string): void;
}

/** How the instance of a strategy ended. */
export interface StrategyEnd {
  readonly state: 'failed' | 'stopped';
  readonly reason: string;
  /** True if it threw an error of the configuration: words for its user. */
  readonly isConfigError: boolean;
}

/** See the module. */
export class StageRecord {
  /** Everything that was decided. */
  readonly decisions: string[] = [];
  /** Approved commands so far. */
  writeCount = 0;
  /** Intents so far. */
  intentCount = 0;
  /** The largest order that was sent, lots by market. */
  readonly largestOrder = new Map<string, number>();
  /** `undefined`: it runs. */
  ended: StrategyEnd | undefined;
  readonly #parts: StageRecordParts;

  constructor(parts: StageRecordParts) {
    this.#parts = parts;
  }

  /** The taps of a bot that is recorded here. */
  taps(): Pick<BotOptions, 'decisions' | 'collector'> {
    return {
      decisions: {
        intent: (_strategy, _ids, intent) => {
          this.intentCount++;
          if (intent.kind === 'quote') this.#lookAtTarget(intent.symbol, intent.target);
          this.#decided('intent', intent);
        },
        denied: (denial) => {
          this.#decided('denied', denial.code);
          const expected = faultOf(denial, this.#parts);
          if (expected !== undefined) this.#parts.fail(expected, denial.message);
        },
        approved: ({ command }) => this.#decided('sent', command),
        safety: (command) => this.#decided('safety', command),
        message: ({ topic, json }) => this.#decided('message', `${topic} ${json}`),
      },
      collector: {
        ...{
          join: ignore,
          begin: ignore,
          intent: ignore,
          leaveEpoch: ignore,
          observe: ignore,
          change: ignore,
        },
        course: {
          ...{ denied: ignore, trading: ignore, noQuotes: ignore, restarted: ignore, log: ignore },
          ended: (_id, { state, reason, error }) => {
            this.ended = { state, reason, isConfigError: error?.name === 'ConfigError' };
          },
        },
      },
    };
  }

  /** A command leaves. */
  wrote(command: TradingCommand): void {
    this.writeCount++;
    if (command.kind === 'setLeverage') return;
    for (const { symbol, sizeLots } of command.orders)
      this.largestOrder.set(symbol, Math.max(sizeLots, this.largestOrder.get(symbol) ?? 0));
  }

  #decided(what: string, value: unknown): void {
    if (!this.#parts.isUnrecorded)
      this.decisions.push(`${this.#parts.eventNumber()} ${what} ${safeText(value)}`);
  }

  /** Own sides that meet, as the strategy states them. */
  #lookAtTarget(symbol: string, target: unknown): void {
    const prices = (side: unknown): number[] =>
      Array.isArray(side)
        ? side.map((level: unknown) => this.#ticksOf(symbol, level)).filter((one) => !Number.isNaN(one))
        : [];
    const { bids, asks } = (target ?? {}) as { readonly bids?: unknown; readonly asks?: unknown };
    const [bid, ask] = [Math.max(...prices(bids)), Math.min(...prices(asks))];
    if (bid >= ask)
      this.#parts.fail('own bids below own asks', `a bid at ${bid} and an ask at ${ask} ticks in ${symbol}`);
  }

  #ticksOf(symbol: string, level: unknown): number {
    if (typeof level !== 'object' || level === null) return Number.NaN;
    const { priceTicks, price } = level as { readonly priceTicks?: unknown; readonly price?: unknown };
    const decimals = this.#parts.markets.get(symbol)?.market.priceDecimals ?? 0;
    return Number(priceTicks ?? Math.round(Number(price) * 10 ** decimals));
  }
}

function ignore(): void {
  // Of what a run leaves for reports nothing is needed.
}

function safeText(value: unknown): string {
  try {
    return formatJson(value);
  } catch {
    return 'not plain data';
  }
}
