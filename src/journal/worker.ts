/**
 * @module
 * The thread that owns a journal's file. It sleeps on a doorbell, takes all that waits as one transaction (a lone
 * record starts at once), says what is durable, and uses quiet moments for audit events, checkpoints and the look at
 * the free space. The first error ends it: nothing is written after a failed commit.
 */
import { statfsSync } from 'node:fs';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BotError, messageOf, must, SystemClock } from '../core/index.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';
import type { JournalRow } from './records.ts';
import { type AuditRow, JournalStore } from './store.ts';

/** How long the worker waits for a record before it does the work of quiet moments. */
const QUIET_MS = 20;
/** Audit events are written at the latest when this many wait. */
const AUDIT_ROWS_MAX = 2000;
/** Rows after which the write-ahead log is moved into the database at the next quiet moment. */
const CHECKPOINT_ROWS = 500;
const SPACE_CHECK_MS = 5000;

interface Work {
  readonly rows: JournalRow[];
  readonly audit: AuditRow[];
  isClosing: boolean;
}

const port: MessagePort = must(parentPort, 'the port of the journal worker');
const say = (message: FromWorker): void => port.postMessage(message);

run(workerData as WorkerSettings);

function run(settings: WorkerSettings): void {
  const store = open(settings);
  if (store === undefined) return;
  try {
    serve(store, settings);
    store.close();
    say({ kind: 'closed' });
  } catch (error) {
    say({ kind: 'failed', why: messageOf(error) });
  }
}

function open(settings: WorkerSettings): JournalStore | undefined {
  try {
    const store = new JournalStore(settings);
    say({ kind: 'opened', image: store.state.image(), freeBytes: freeBytesOf(settings.path) });
    return store;
  } catch (error) {
    const named =
      error instanceof BotError
        ? { code: error.code, message: error.message, remedy: error.remedy }
        : {
            code: 'JOURNAL_UNWRITABLE',
            message: `expected a journal that can be written in ${settings.path}, was "${messageOf(error)}"`,
            remedy: 'Check the folder, its rights and the disk.',
          };
    say({ kind: 'refused', ...named });
    return undefined;
  }
}

/** Serves until it is told to close. */
function serve(store: JournalStore, settings: WorkerSettings): void {
  const clock = new SystemClock();
  const doorbell = new Int32Array(settings.doorbell);
  const work: Work = { rows: [], audit: [], isClosing: false };
  let rowsSinceCheckpoint = 0;
  let spaceAtMs = clock.monotonicMs();
  for (;;) {
    const rung = Atomics.load(doorbell, 0);
    takeAll(work);
    if (work.rows.length > 0) {
      store.append(work.rows);
      say({ kind: 'durable', count: work.rows.length });
      rowsSinceCheckpoint += work.rows.length;
      work.rows.length = 0;
    }
    if (work.audit.length > 0 && (work.isClosing || work.audit.length >= AUDIT_ROWS_MAX))
      writeAudit(store, work);
    if (work.isClosing) return;
    const hasQuietWork = work.audit.length > 0 || rowsSinceCheckpoint >= CHECKPOINT_ROWS;
    if (Atomics.wait(doorbell, 0, rung, hasQuietWork ? QUIET_MS : SPACE_CHECK_MS) !== 'timed-out') continue;
    if (work.audit.length > 0) writeAudit(store, work);
    else if (rowsSinceCheckpoint >= CHECKPOINT_ROWS) {
      store.checkpoint();
      rowsSinceCheckpoint = 0;
    }
    if (clock.monotonicMs() - spaceAtMs < SPACE_CHECK_MS) continue;
    spaceAtMs = clock.monotonicMs();
    say({ kind: 'space', freeBytes: freeBytesOf(settings.path) });
  }
}

function takeAll(work: Work): void {
  for (;;) {
    const received = receiveMessageOnPort(port);
    if (received === undefined) return;
    const message = received.message as ToWorker;
    if (message.kind === 'append') work.rows.push(message.row);
    else if (message.kind === 'audit') for (const row of message.rows) work.audit.push(row);
    else work.isClosing = true;
  }
}

function writeAudit(store: JournalStore, work: Work): void {
  store.appendAudit(work.audit);
  work.audit.length = 0;
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
