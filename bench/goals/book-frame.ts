/**
 * @module
 * G4: one book frame from bytes to a book of integers, beside `JSON.parse` of the same text and beside the same way with
 * decimal.js.
 */
import { Decimal } from '../../src/core/index.ts';
import { allocateBookLevels, type BookLevels, decodeFrame } from '../../src/wire/protocol/index.ts';
import { bookFrame, MARKET } from '../book-frames.ts';
import { type GroupResult, type Limit, missed, reached } from '../goal.ts';
import { compare, type Effort, loop, rounded } from '../measure.ts';
import { showTable } from '../show.ts';

const FRAMES = 128;
const LEVELS = 20;
const PARSE = 'JSON.parse of the text';
const OURS = 'bytes to integer book, ballast';
const DECIMAL = 'bytes to decimal.js book';
const LIMITS: readonly [Limit, Limit] = [
  {
    id: 'G4',
    what: 'frame to integer book, to JSON.parse of the same text',
    limit: 1.4,
    better: 'lower',
  },
  {
    id: 'G4.decimal',
    what: 'frame to integer book, to the decimal.js route',
    limit: 0.35,
    better: 'lower',
  },
];

interface WireBook {
  readonly data: { readonly bids: readonly string[][]; readonly asks: readonly string[][] };
}

/** Measures G4. */
export async function frameToBook(effort: Effort): Promise<GroupResult> {
  const texts = Array.from({ length: FRAMES }, (_, index) =>
    bookFrame(LEVELS, index, { seq: 1_000_000 + index, isSnapshot: false }),
  );
  const bytes = texts.map((text) => Buffer.from(text));
  const book = allocateBookLevels();
  for (const [index, text] of texts.entries()) {
    readInto(book, bytes[index]!);
    if (levelsText(book) !== expectedText(JSON.parse(text))) {
      return { goals: LIMITS.map((limit) => missed(limit, `another book, frame ${index}`)), figures: {} };
    }
  }
  const samples = await compare(
    {
      [PARSE]: loop((index) => JSON.parse(texts[index % FRAMES]!)),
      [OURS]: loop((index) => readInto(book, bytes[index % FRAMES]!)),
      [DECIMAL]: loop((index) => readDecimals(bytes[index % FRAMES]!)),
    },
    effort,
  );
  const length = Math.round(bytes.reduce((sum, frame) => sum + frame.length, 0) / FRAMES);
  showTable(
    `G4 one book frame, ${LEVELS} levels a side, ${length} bytes (books identical)`,
    samples.rows(PARSE),
  );
  return {
    goals: [reached(LIMITS[0], samples.ratio(OURS, PARSE)), reached(LIMITS[1], samples.ratio(OURS, DECIMAL))],
    figures: Object.fromEntries(
      samples.names().map((name) => [`G4 ${name}, us`, rounded(samples.median(name))]),
    ),
  };
}

const context = {
  market: (symbol: string) => (symbol === MARKET.symbol ? MARKET : undefined),
  collateralDecimals: 6,
};

/** The way of a frame through the client: text, arrays of ticks and lots, checked. */
function readInto(book: BookLevels, frame: Buffer): void {
  const decoded = decodeFrame(frame.toString(), context, { book: () => book });
  if (!decoded.ok) throw decoded.error;
  if (decoded.value.channel !== 'book') throw new Error(`expected a book, got ${decoded.value.channel}`);
  if (decoded.value.flaw !== undefined) throw new Error(decoded.value.flaw);
}

function readDecimals(frame: Buffer): number {
  const { data }: WireBook = JSON.parse(frame.toString());
  const side = (levels: readonly string[][]) =>
    levels.map(([price, size]) => ({ price: new Decimal(price!), size: new Decimal(size!) }));
  return side(data.bids).length + side(data.asks).length;
}

function levelsText({ bidCount, bidTicks, bidLots, askCount, askTicks, askLots }: BookLevels): string {
  const side = (count: number, prices: Float64Array, sizes: Float64Array) =>
    Array.from({ length: count }, (_, at) => `${prices[at]} ${sizes[at]}`).join();
  return `${side(bidCount, bidTicks, bidLots)} | ${side(askCount, askTicks, askLots)}`;
}

/** The levels by decimal.js alone. */
function expectedText({ data }: WireBook): string {
  const scaled = (text: string, decimals: number) => new Decimal(text).mul(10 ** decimals).toFixed();
  const side = (levels: readonly string[][]) =>
    levels
      .map(([price, size]) => `${scaled(price!, MARKET.priceDecimals)} ${scaled(size!, MARKET.sizeDecimals)}`)
      .join();
  return `${side(data.bids)} | ${side(data.asks)}`;
}
