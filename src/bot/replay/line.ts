/**
 * @module
 * An entry of a log as one line of JSON and back, without a loss: integers beyond 2^53 are `{"$n": "..."}`. What cannot be
 * an entry of this version is an error, never a guess.
 */
import { BotError, isRecord, type UnixMs } from '../../core/index.ts';
import type { Book, Fact, LaneId, MarketSymbol, StrategyId } from '../../domain/index.ts';
import type { StopProof } from '../kernel/index.ts';
import type { RiskRequest } from '../risk/index.ts';
import type { CallName, DecisionKind, Instant, LogEntry, LogEvent } from './entry.ts';

const BIG = '$n';
const DECISIONS: readonly string[] = [
  'intent',
  'denied',
  'approved',
  'safety',
  'message',
] satisfies DecisionKind[];

/** `entry` as one line, without its end. */
export function formatEntry({ at, event }: LogEntry): string {
  const time = at === undefined ? undefined : [at.nowMs, at.monotonicMs];
  return JSON.stringify({ t: time, ...fieldsOf(event) }, writeBig);
}

/** The line of a book, of which the four lists of numbers are NULs: it comes often, and who writes it down has more time. */
export function bookTemplate(
  at: Instant | undefined,
  { book, isShown }: Extract<LogEvent, { kind: 'book' }>,
): string {
  const time = at === undefined ? '' : `"t":[${at.nowMs},${at.monotonicMs}],`;
  const shown = isShown ? '' : ',"shown":false';
  return `{${time}"book":"${book.symbol}","r":${book.receivedAtMs},"fresh":${book.isFresh}${shown},"b":[\0],"bl":[\0],"a":[\0],"al":[\0]}`;
}

/** The entry in `line`. @throws BotError `RUN_LOG_LINE_INVALID` for what is none. */
export function parseEntry(line: string): LogEntry {
  let fields: unknown;
  try {
    fields = line.includes(BIG) ? JSON.parse(line, readBig) : JSON.parse(line);
  } catch (cause) {
    throw unreadable(line, cause);
  }
  const event = isRecord(fields) ? eventOf(fields) : undefined;
  if (event === undefined) throw unreadable(line, undefined);
  const { t } = fields as { readonly t?: readonly [UnixMs, number] };
  return { at: t === undefined ? undefined : { nowMs: t[0], monotonicMs: t[1] }, event };
}

function fieldsOf(event: LogEvent): Record<string, unknown> {
  switch (event.kind) {
    case 'fact':
      return { fact: event.fact };
    case 'book':
      return bookFields(event.book, event.isShown);
    case 'timer':
      return { timer: event.number };
    case 'call':
      return { call: event.name, args: event.args };
    case 'proved':
      return { proved: event.proof };
    case 'review':
      return { review: event.requests, server: event.serverNowMs };
    case 'ready':
      return { ready: event.lane, is: event.isReady };
    case 'server':
      return { ahead: event.aheadMs };
    case 'load':
      return { load: event.strategyId, json: event.json };
    case 'stored':
      return { stored: event.isStored };
    case 'decision':
      return { [event.what]: event.text };
    case 'gap':
      return { gap: event.events };
  }
}

function bookFields(book: Book, isShown: boolean): Record<string, unknown> {
  return {
    book: book.symbol,
    r: book.receivedAtMs,
    fresh: book.isFresh,
    ...(isShown ? {} : { shown: false }),
    b: Array.from(book.bidTicks.subarray(0, book.bidCount)),
    bl: Array.from(book.bidLots.subarray(0, book.bidCount)),
    a: Array.from(book.askTicks.subarray(0, book.askCount)),
    al: Array.from(book.askLots.subarray(0, book.askCount)),
  };
}

function eventOf(fields: Readonly<Record<string, unknown>>): LogEvent | undefined {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    switch (key) {
      case 'fact':
        return { kind: 'fact', fact: value as Fact };
      case 'book':
        return { kind: 'book', book: bookOf(fields), isShown: fields['shown'] !== false };
      case 'timer':
        return { kind: 'timer', number: value as number };
      case 'call':
        return { kind: 'call', name: value as CallName, args: fields['args'] as readonly unknown[] };
      case 'proved':
        return { kind: 'proved', proof: value as StopProof };
      case 'review':
        return {
          kind: 'review',
          requests: value as readonly RiskRequest[],
          serverNowMs: fields['server'] as UnixMs,
        };
      case 'ready':
        return { kind: 'ready', lane: value as LaneId, isReady: fields['is'] === true };
      case 'ahead':
        return { kind: 'server', aheadMs: value as number };
      case 'load':
        return {
          kind: 'load',
          strategyId: value as StrategyId,
          json: fields['json'] as string | undefined,
        };
      case 'stored':
        return { kind: 'stored', isStored: value === true };
      case 'gap':
        return { kind: 'gap', events: value as number };
      default:
        if (DECISIONS.includes(key))
          return { kind: 'decision', what: key as DecisionKind, text: value as string };
    }
  }
  return undefined;
}

function bookOf(fields: Readonly<Record<string, unknown>>): Book {
  const numbers = (key: string): Float64Array => Float64Array.from(fields[key] as readonly number[]);
  const [bidTicks, bidLots, askTicks, askLots] = [numbers('b'), numbers('bl'), numbers('a'), numbers('al')];
  return {
    symbol: fields['book'] as MarketSymbol,
    receivedAtMs: fields['r'] as UnixMs,
    isFresh: fields['fresh'] === true,
    ...{ bidTicks, bidLots, askTicks, askLots, bidCount: bidTicks.length, askCount: askTicks.length },
  };
}

function writeBig(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { [BIG]: value.toString() } : value;
}

function readBig(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const text = value[BIG];
  const isBig = typeof text === 'string' && /^-?[0-9]+$/.test(text) && Object.keys(value).length === 1;
  return isBig ? BigInt(text) : value;
}

function unreadable(line: string, cause: unknown): BotError {
  return new BotError({
    code: 'RUN_LOG_LINE_INVALID',
    message: `expected an entry of a run's log, got ${JSON.stringify(line.slice(0, 80))}`,
    remedy: 'The log is damaged, or of another version of ballast.',
    ...(cause === undefined ? {} : { cause }),
  });
}
