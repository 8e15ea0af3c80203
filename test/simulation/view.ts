/**
 * @module
 * What a bot believes, as plain data for oracles. Read when asked for: a view that is kept tells what is believed later,
 * after the bot's end what it last believed.
 */

import type { Executor } from '../../src/bot/execution/index.ts';
import type { Journal } from '../../src/bot/journal/index.ts';
import type { Bot } from '../../src/bot/kernel/index.ts';
import { type Book, type MarketSymbol, seqOfCursor } from '../../src/domain/index.ts';
import type { BotView } from './types.ts';

/** The parts of a bot that know something. */
export interface ViewParts {
  readonly bot: Bot;
  readonly executor: Executor;
  readonly journal: Journal;
  readonly symbols: readonly MarketSymbol[];
  /** The red items of the health as it is now. */
  red(): BotView['red'];
}

/** The view of one life. */
export function viewOf(parts: ViewParts): BotView {
  return new LifeView(parts);
}

/** Since when items of the health vector are red. */
export class RedItems {
  readonly #sinceMs = new Map<string, number>();

  /** Looks at the health: often enough for the times to mean something. */
  look(bot: Bot, nowMs: number): void {
    for (const { id, isHealthy } of bot.health().items) {
      // H10 is for people: it holds no switch back.
      if (isHealthy || id === 'H10') this.#sinceMs.delete(id);
      else if (!this.#sinceMs.has(id)) this.#sinceMs.set(id, nowMs);
    }
  }

  list(): BotView['red'] {
    return Array.from(this.#sinceMs, ([id, sinceMs]) => ({ id, sinceMs }));
  }
}

class LifeView implements BotView {
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  get fills(): BotView['fills'] {
    return this.#parts.journal.effects().fills;
  }

  get ledger(): BotView['ledger'] {
    return this.#parts.journal.effects().ledger;
  }

  get positions(): BotView['positions'] {
    const { bot } = this.#parts;
    return this.#perSymbol((symbol) => bot.account.positionLots(symbol));
  }

  get owned(): BotView['owned'] {
    const { account } = this.#parts.bot;
    const owners = [...account.strategyIds()].map((id) => {
      return [id, this.#perSymbol((symbol) => account.positionLots(symbol, id))] as const;
    });
    return { ...Object.fromEntries(owners), '-': this.#perSymbol((symbol) => account.unownedLots(symbol)) };
  }

  get openOrders(): BotView['openOrders'] {
    const { bot, symbols } = this.#parts;
    return symbols.flatMap((symbol) => bot.account.workingOrders(symbol));
  }

  get reserved(): BotView['reserved'] {
    const { bot } = this.#parts;
    return this.#perSymbol((symbol) => {
      const { buyLots, sellLots } = bot.account.exposure(symbol);
      return { buyLots, sellLots };
    });
  }

  get candles(): BotView['candles'] {
    const { bot } = this.#parts;
    return this.#perSymbol((symbol) => bot.markets.candles(symbol, '1m'));
  }

  get trades(): BotView['trades'] {
    const { markets } = this.#parts.bot;
    return this.#perSymbol((symbol) => {
      const trade = markets.get(symbol)?.lastTrade;
      return trade && seqOfCursor(trade.id);
    });
  }

  get red(): BotView['red'] {
    return this.#parts.red();
  }

  get account(): string {
    const { sync } = this.#parts.bot.account;
    return sync.kind === 'degraded' ? sync.reason : sync.kind;
  }

  get epoch(): string {
    return this.#parts.journal.cursors()?.epoch ?? '';
  }

  get unresolved(): number {
    return this.#parts.executor.unresolved();
  }

  get state(): string {
    return this.#parts.bot.status().state;
  }

  get strategies(): BotView['strategies'] {
    return Object.fromEntries(this.#parts.bot.status().strategies.map(({ id, state }) => [id, state]));
  }

  get seen(): unknown {
    const { account, markets } = this.#parts.bot;
    const of = this.#perSymbol((symbol) => {
      const { book, bbo, prices, lastTrade, funding, staleReason } = markets.get(symbol) ?? {};
      const quotes = bbo && [bbo.bidTicks, bbo.bidLots, bbo.askTicks, bbo.askLots];
      const rest = [prices, lastTrade, funding, staleReason, account.publishedPosition(symbol)];
      return [book && levelsOf(book), quotes, rest];
    });
    return [of, account.summary, account.ledgerSum, account.armedUntilMs];
  }

  #perSymbol<Value>(read: (symbol: MarketSymbol) => Value): Readonly<Record<string, Value>> {
    return Object.fromEntries(this.#parts.symbols.map((symbol) => [symbol, read(symbol)]));
  }
}

function levelsOf({ bidCount, askCount, bidTicks, bidLots, askTicks, askLots, isFresh }: Book): unknown {
  const bids = [bidTicks, bidLots].map((side) => [...side.subarray(0, bidCount)]);
  const asks = [askTicks, askLots].map((side) => [...side.subarray(0, askCount)]);
  return [bids, asks, isFresh];
}
