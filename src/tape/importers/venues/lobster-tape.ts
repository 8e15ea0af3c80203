/**
 * @module
 * LOBSTER message files, order by order, as frames of a tape. Times are seconds after midnight in New York; prices are
 * dollars times 10,000. Orders that rested before the file began are not in it: what happens to them is counted, and
 * their executions are kept as trades.
 */
import { ConfigError, must, parseInstantMs } from '../../../core/index.ts';
import { MARKET_STATUSES } from '../../../domain/index.ts';
import { EVENT, RECORDING_NAMES, type TapeMarket } from '../../format/index.ts';
import { type CsvRow, readCsv } from '../csv-table.ts';
import { filesByMarket, findFiles, type NamedFile } from '../find-files.ts';
import { type FrameRow, RANK } from '../frame.ts';
import type { FrameOrder } from '../frame-order.ts';
import { SeenAtOnce } from '../ids.ts';
import type { ImportCounts } from '../import-counts.ts';
import type { ImportRequest, OpenedImport } from '../importer.ts';
import { RESET_ROW } from '../level-changes.ts';
import { integerAt, malformed, type Place, priceAt, quoted } from '../location.ts';
import { mergeStreams } from '../merge-streams.ts';
import type { Recorded } from '../recorded.ts';
import { timeOfDayUs } from '../recorded-time.ts';

const NAMES = RECORDING_NAMES.lobster;
const EXPECTED_NAME = '<ticker>_<yyyy-mm-dd>_<start>_<end>_message_<levels>.csv';
/** Dollars times 10,000, and shares. */
const SCALE = { priceDecimals: 4, sizeDecimals: 0 };
const COLUMNS = 6;
const ZONE = 'America/New_York';

/** The event types of a message. */
const TYPE = { added: 1, reduced: 2, deleted: 3, executed: 4, hidden: 5, cross: 6, halt: 7 } as const;

/** The statistics of one ticker. */
export interface LobsterStatistics {
  /** Number of messages. */
  readonly messages: number;
  /** Messages by event type, 1 to 7. */
  readonly types: Readonly<Record<string, number>>;
  /** Traded size in shares. */
  readonly tradedShares: number;
  /** Orders that rest when the recording ends. */
  readonly restingOrders: number;
}

/** Looks for the files; their content is read by `run` only. */
export async function openLobsterImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns: NAMES,
    expected: EXPECTED_NAME,
    counts,
  });
  const byTicker = [...filesByMarket(files, request.symbol)];
  const readers = byTicker.map(([symbol], place) => new TickerReader(symbol, place, counts));
  return {
    markets: readers.map(({ market }) => market),
    files: byTicker.flatMap(([, own]) => own.map(({ path }) => path)),
    ignored,
    silenceMs: request.silenceMs ?? Number.POSITIVE_INFINITY,
    async run(order, records) {
      const streams = byTicker.map(([, own], place) => messagesOf(own, place));
      await records.read(
        mergeStreams(streams, ({ exchangeUs }) => exchangeUs),
        (message) => must(readers[message.market], 'the reader of a ticker').take(message, order),
      );
    },
    statistics: () =>
      Object.fromEntries(readers.map((reader) => [reader.market.symbol, reader.statistics()])),
  };
}

interface Message extends Recorded {
  readonly market: number;
  readonly cells: readonly string[];
}

async function* messagesOf(files: readonly NamedFile[], market: number): AsyncGenerator<Message> {
  for (const { path, parts } of files) {
    const midnightUs = midnightOf(path, parts['day'] ?? '');
    const span = { fromMs: Number(parts['fromMs']), toMs: Number(parts['toMs']) };
    for await (const row of readCsv(path, { separator: ',', header: undefined })) {
      // Some downloads have a seventh column, which is empty or names the participant.
      if (row.cells.length !== COLUMNS && row.cells.length !== COLUMNS + 1)
        throw malformed(row.place, `${COLUMNS} columns`, `${row.cells.length}`);
      const exchangeUs = midnightUs + timeOfDayUs(row.place, row.cells[0] ?? '', span);
      yield { market, exchangeUs, place: row.place, cells: row.cells };
    }
  }
}

/** Midnight of `day` in New York, Unix us: whole hours behind UTC, as they are at noon of that day. */
function midnightOf(path: string, day: string): number {
  const noonMs = parseInstantMs(`${day}T12:00Z`);
  if (noonMs === undefined) throw unknownDay(path, day);
  const hour = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', hourCycle: 'h23' });
  const hoursBehind = 12 - Number(hour.format(noonMs));
  return (noonMs - (12 - hoursBehind) * 3_600_000) * 1_000;
}

function unknownDay(file: string, day: string): ConfigError {
  return new ConfigError({
    code: 'TAPE_DAY_UNKNOWN',
    message: `expected a day that exists in the name of ${file}, got ${day}`,
    remedy: 'Give the file the name under which it was recorded: its times are of that day.',
    details: { file },
  });
}

interface Resting {
  readonly isBuy: boolean;
  size: number;
}

/** Turns the messages of one ticker into frames. */
class TickerReader {
  readonly market: TapeMarket;
  readonly #place: number;
  readonly #counts: ImportCounts;
  readonly #orders = new Map<number, Resting>();
  readonly #types: Record<string, number> = {};
  readonly #files = new Set<string>();
  readonly #seen: SeenAtOnce<string>;
  #messages = 0;
  #tradedShares = 0;

  constructor(symbol: string, place: number, counts: ImportCounts) {
    this.market = { symbol, ...SCALE, tickStep: 1, lotStep: 1, depth: 'orders', hasOneTime: true };
    this.#place = place;
    this.#counts = counts;
    this.#seen = new SeenAtOnce(counts);
  }

  statistics(): LobsterStatistics {
    const { size } = this.#orders;
    return {
      messages: this.#messages,
      types: this.#types,
      tradedShares: this.#tradedShares,
      restingOrders: size,
    };
  }

  take(row: Message, order: FrameOrder): void {
    const { place, cells, exchangeUs: atUs } = row;
    const isFirst = !this.#files.has(place.file);
    if (isFirst) this.#orders.clear();
    this.#files.add(place.file);
    this.#seen.take(cells.join(), atUs);
    const type = integerAt(place, cells[1] ?? '', 'the event type');
    this.#messages++;
    this.#types[type] = (this.#types[type] ?? 0) + 1;
    const rows = this.#rowsOf(row, type);
    const all = isFirst ? [RESET_ROW, ...rows] : rows;
    if (all.length === 0) return;
    order.sawBook(this.#place, atUs, atUs);
    // One rank for all: messages of one instant keep their order.
    order.add({ exchangeUs: atUs, receivedUs: atUs, rank: RANK.levels, market: this.#place, rows: all });
  }

  #rowsOf({ place, cells }: Pick<CsvRow, 'place' | 'cells'>, type: number): readonly FrameRow[] {
    if (type === TYPE.halt) return haltRows(place, cells[4] ?? '');
    if (type === TYPE.cross) {
      this.#counts.add('tradesOffBook');
      return [];
    }
    const id = integerAt(place, cells[2] ?? '', 'the order');
    const size = integerAt(place, cells[3] ?? '', 'the size');
    const price = priceAt(place, cells[4] ?? '', 0, 'price');
    const isBuy = directionAt(place, cells[5] ?? '');
    if (type === TYPE.added) return [this.#added(place, id, { isBuy, size, price })];
    if (type === TYPE.hidden) return [this.#trade(isBuy, price, size)];
    if (type === TYPE.executed) {
      const executed = this.#changed(place, id, { kind: EVENT.orderExecuted, size, price });
      return [this.#trade(isBuy, price, size), ...executed];
    }
    if (type === TYPE.reduced) return this.#changed(place, id, { kind: EVENT.orderReduced, size, price });
    if (type === TYPE.deleted) return this.#changed(place, id, { kind: EVENT.orderDeleted, size, price });
    throw malformed(place, 'an event type from 1 to 7', `${type}`);
  }

  #added(
    place: Place,
    id: number,
    { isBuy, size, price }: { readonly isBuy: boolean; readonly size: number; readonly price: number },
  ): FrameRow {
    if (this.#orders.has(id)) throw malformed(place, 'a new order', `order ${id}, which rests already`);
    this.#orders.set(id, { isBuy, size });
    return [isBuy ? EVENT.bidOrder : EVENT.askOrder, price, size, id];
  }

  /** A change of an order that rests; nothing when it rested before the file began. */
  #changed(
    place: Place,
    id: number,
    { kind, size, price }: { readonly kind: FrameRow[0]; readonly size: number; readonly price: number },
  ): readonly FrameRow[] {
    const resting = this.#orders.get(id);
    if (resting === undefined) {
      this.#counts.add('unknownOrders');
      return [];
    }
    if (size > resting.size)
      throw malformed(place, `at most ${resting.size} of order ${id}, which is what rests`, `${size}`);
    resting.size -= size;
    if (resting.size === 0 || kind === EVENT.orderDeleted) this.#orders.delete(id);
    return [[kind, price, size, id]];
  }

  /** The taker is on the other side of the order that was executed. */
  #trade(isBuyOrder: boolean, price: number, size: number): FrameRow {
    this.#tradedShares += size;
    return [isBuyOrder ? EVENT.sellTrade : EVENT.buyTrade, price, size, this.#messages];
  }
}

function directionAt(place: Place, text: string): boolean {
  if (text === '1' || text === '-1') return text === '1';
  throw malformed(place, 'a direction of 1 or -1', quoted(text));
}

/** A halt has the price -1; quotes come back with 0, trading with 1. */
function haltRows(place: Place, price: string): readonly FrameRow[] {
  if (price === '-1') return [[EVENT.marketStatus, 0, MARKET_STATUSES.indexOf('Paused'), 0]];
  if (price === '0') return [];
  if (price === '1') return [[EVENT.marketStatus, 0, MARKET_STATUSES.indexOf('Active'), 0]];
  throw malformed(place, 'a halt with -1, 0 or 1', quoted(price));
}
