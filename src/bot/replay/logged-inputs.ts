/** @module Inputs of a log as a bot takes them: books as one object each that is overwritten, calls as calls. */
import type { UnixMs } from '../../core/index.ts';
import type { Book, MarketSymbol } from '../../domain/index.ts';
import type { Bot, Instruction } from '../kernel/index.ts';
import type { LogEvent } from './entry.ts';

type MutableBook = { -readonly [Key in keyof Book]: Book[Key] };

/** The order books of a log's markets, as their stores kept them. */
export class LoggedBooks {
  readonly #books = new Map<MarketSymbol, MutableBook>();

  /** The book of `copy`'s market, brought to what the copy says. */
  show(copy: Book): Book {
    const book = this.#books.get(copy.symbol) ?? emptyBook(copy.symbol);
    this.#books.set(copy.symbol, book);
    book.bidCount = copy.bidCount;
    book.askCount = copy.askCount;
    book.bidTicks = copy.bidTicks;
    book.bidLots = copy.bidLots;
    book.askTicks = copy.askTicks;
    book.askLots = copy.askLots;
    book.receivedAtMs = copy.receivedAtMs;
    book.isFresh = copy.isFresh;
    return book;
  }
}

/** Asks a bot for what was asked for in the run. */
export function callBot(bot: Bot, { name, args }: Extract<LogEvent, { kind: 'call' }>): void {
  const [first, second, third] = args as readonly [never, never, never];
  switch (name) {
    case 'start':
      bot.start();
      return;
    case 'stop':
      void bot.stop(first, second);
      return;
    case 'end':
      bot.end(first);
      return;
    case 'setTrading':
      bot.setTrading(first, second, third);
      return;
    case 'stopStrategy':
      bot.stopStrategy(first, second);
      return;
    case 'halt':
      bot.halt(first satisfies Instruction);
      return;
    case 'flatten':
    case 'cancelAll':
      // A run that was logged before scopes were has none.
      bot[name](first, second);
      return;
    case 'setParameters':
      bot.setParameters(first, second, third);
      return;
    case 'recallOwners':
      bot.account.recallOwners(first, second);
      return;
  }
}

function emptyBook(symbol: MarketSymbol): MutableBook {
  const none = new Float64Array();
  return {
    symbol,
    bidCount: 0,
    askCount: 0,
    bidTicks: none,
    bidLots: none,
    askTicks: none,
    askLots: none,
    receivedAtMs: 0 as UnixMs,
    isFresh: false,
  };
}
