/**
 * @module
 * A market of a tape, ready to drive the market of an exchange. What this does not do: play it.
 */
import { ConfigError, isoOfUs } from '../../core/index.ts';
import { quantums } from '../../domain/index.ts';
import { openTape, type Tape, type TapeMarket } from '../../tape/format/index.ts';
import { TapePlayback } from '../flow/index.ts';
import { perpetual } from '../state/index.ts';

/** Which market of a tape, and what it is called at the exchange. */
export interface TapeChoice {
  /** Folder of the tape. */
  readonly tape: string;
  /** Its symbol on the tape; absent: the market called `marketName` there, else the first with levels. */
  readonly symbol?: string | undefined;
  /** Its name at the exchange; absent: as on the tape. */
  readonly marketName?: string | undefined;
}

/** A market of a tape at its beginning. */
export interface PlayedMarket {
  /** The rows of the tape as a recorded flow plays them. */
  readonly source: TapePlayback;
  /** The market of the exchange: the decimals of the tape, no smallest notional, its index at the first mid. */
  readonly perpetual: ReturnType<typeof perpetual>;
  /** Lines for people. */
  readonly about: readonly string[];
}

/**
 * Opens a market of a tape. @throws ProtocolError when the folder holds no tape that can be trusted; ConfigError
 * `TAPE_SYMBOL_UNKNOWN`, `TAPE_WITHOUT_BOOK`. `onFailure` is called once when the tape cannot be read to its end.
 */
export function openTapeMarket(choice: TapeChoice, onFailure: (error: unknown) => void): PlayedMarket {
  const tape = openTape(choice.tape);
  const market = marketOf(tape, choice);
  const { symbol, priceDecimals, sizeDecimals, bookStep } = market;
  const source = new TapePlayback(tape.batches(), {
    market: tape.markets.indexOf(market),
    bookStep,
    onFailure,
  });
  const made = perpetual({
    symbol: choice.marketName ?? symbol,
    signingMarketId: 0,
    priceDecimals,
    sizeDecimals,
    indexTicks: firstMid(source),
  });
  const span = `${isoOfUs(tape.fromUs)} to ${isoOfUs(tape.toUs)}`;
  return {
    source,
    perpetual: { ...made, market: { ...made.market, minNotional: quantums(0n) } },
    about: [
      `recorded market ${symbol} of the tape ${choice.tape} (${tape.manifest.source.description}), ${span}, at its own speed`,
      ...tape.manifest.notes,
    ],
  };
}

function marketOf(tape: Tape, { tape: folder, symbol, marketName }: TapeChoice): TapeMarket {
  const playable = tape.markets.filter(({ depth }) => depth === 'levels');
  const called = (name: string | undefined) =>
    playable.find((one) => one.symbol.toUpperCase() === name?.toUpperCase());
  const market = symbol === undefined ? (called(marketName) ?? playable[0]) : called(symbol);
  if (market !== undefined) return market;
  if (playable.length > 0)
    throw new ConfigError({
      code: 'TAPE_SYMBOL_UNKNOWN',
      message: `expected a market of ${folder} with recorded levels (${playable.map((one) => one.symbol).join(', ')}), got ${symbol}`,
      remedy: 'Name one of them with --symbol, or leave it out.',
    });
  const held = tape.markets.map((one) => `${one.symbol} (depth ${one.depth})`).join(', ');
  throw new ConfigError({
    code: 'TAPE_WITHOUT_BOOK',
    message: `expected a market with recorded levels in ${folder}, got ${held === '' ? 'no market' : held}`,
    remedy:
      'Only a tape with depth levels can drive the exchange; `ballast tape info` shows what a tape holds.',
  });
}

/** The mid of the first recorded levels, in ticks; 1 without any. */
function firstMid(source: TapePlayback): number {
  const first = source.peek();
  if (first?.kind !== 'levels') return 1;
  const bid = first.bids[0]?.priceTicks ?? first.asks[0]?.priceTicks ?? 1;
  const ask = first.asks[0]?.priceTicks ?? bid;
  return Math.floor((bid + ask) / 2);
}
