/**
 * @module
 * The thread that records a run: it takes what was handed over some fifty times a second, encodes, packs and writes it. It
 * is not woken, since to wake a thread costs the run more than to hand a frame over. What goes wrong with the disk is said
 * and counted; what throws ends the thread, which the run hears.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { assertNever, type Log, must, SystemClock } from '../../core/index.ts';
import type { Book, MarketFact } from '../../domain/index.ts';
import { continueTapeFolder, type RecordedAnswer, type TapeMarket } from '../format/index.ts';
import { type Handed, HandOverReader, RECORD } from './hand-over.ts';
import { type FromRecorder, type RecordingSettings, SharedCounts, type ToRecorder } from './messages.ts';
import { RunTape } from './run-tape.ts';
import { createSealedFile, type SealedFile } from './sealed-file.ts';

/** How often what was handed over is taken, and how often while nothing comes. */
const POLL_MS = 20;
const IDLE_POLL_MS = 100;

const port: MessagePort = must(parentPort, 'the port of the recording thread');
const say = (message: FromRecorder): void => port.postMessage(message);
const log: Log = {
  ...{ debug: saying('debug'), info: saying('info'), warn: saying('warn'), error: saying('error') },
  child: () => log,
};

function saying(level: Extract<FromRecorder, { kind: 'log' }>['level']): Log['error'] {
  return (message, fields) =>
    say({ kind: 'log', level, message, ...(fields === undefined ? {} : { fields }) });
}

serve(workerData as RecordingSettings);

function serve({ folder, description, logName, memory, counts: countsMemory }: RecordingSettings): void {
  const clock = new SystemClock();
  const head = { markets: [], feeds: [], source: { kind: 'recorded', description } } as const;
  const tape = new RunTape(continueTapeFolder(folder, head, { files: [], notes: [] }), { clock, log });
  const reader = new HandOverReader(memory);
  const counts = new SharedCounts(countsMemory);
  let runLog: SealedFile | undefined;
  let isClosed = false;
  const logFile = (): SealedFile => {
    runLog ??= createSealedFile({ folder, name: logName, clock, log });
    return runLog;
  };
  const takeAll = (): number => {
    let taken = 0;
    reader.takeAll((handed) => {
      taken++;
      takeOne(handed, tape, logFile);
    });
    counts.write(tape.stats());
    return taken;
  };
  const poll = (): void => {
    if (isClosed) return;
    const taken = takeAll();
    clock.after(taken === 0 ? IDLE_POLL_MS : POLL_MS, poll);
  };
  poll();
  port.on('message', ({ id, what }: ToRecorder) => {
    takeAll();
    void doOne(what).then(() => {
      counts.write(tape.stats());
      say({ kind: 'done', id });
    });
  });

  async function doOne(what: ToRecorder['what']): Promise<void> {
    switch (what) {
      case 'flush log':
        await runLog?.flush();
        return;
      case 'close log':
        await runLog?.close();
        return;
      case 'close':
        isClosed = true;
        await runLog?.close();
        await tape.close();
        port.unref();
        return;
    }
  }
}

function takeOne({ kind, atMs, text, lists }: Handed, tape: RunTape, logFile: () => SealedFile): void {
  switch (kind) {
    case RECORD.frame:
      tape.frame(text, atMs);
      return;
    case RECORD.answer:
      tape.answer(JSON.parse(text.toString()) as RecordedAnswer, atMs);
      return;
    case RECORD.gap:
      tape.leaveOut(Number(text.toString()));
      return;
    case RECORD.begin: {
      const { markets, feeds } = JSON.parse(text.toString()) as {
        readonly markets: readonly TapeMarket[];
        readonly feeds: readonly string[];
      };
      tape.begin(markets, feeds);
      return;
    }
    case RECORD.fact:
      tape.fact(JSON.parse(text.toString()) as MarketFact, atMs);
      return;
    case RECORD.book:
      tape.fact({ type: 'BookUpdated', book: bookIn(text.toString('latin1'), lists, atMs) }, atMs);
      return;
    case RECORD.feed: {
      const said = text.toString();
      const space = said.indexOf(' ');
      tape.feed(Number(said.slice(0, space)), said.slice(space + 1), atMs);
      return;
    }
    case RECORD.line:
      logFile().line(text, atMs);
      return;
    case RECORD.numbers:
      logFile().numbers(text, lists, atMs);
      return;
    default:
      assertNever(kind);
  }
}

function bookIn(symbol: string, lists: readonly Float64Array[], atMs: number): Book {
  const [bidTicks = NONE, bidLots = NONE, askTicks = NONE, askLots = NONE] = lists;
  return {
    symbol: symbol as Book['symbol'],
    ...{ bidTicks, bidLots, askTicks, askLots, bidCount: bidTicks.length, askCount: askTicks.length },
    receivedAtMs: atMs as Book['receivedAtMs'],
    isFresh: true,
  };
}

const NONE = new Float64Array(0);
