/**
 * @module
 * The thread that owns a journal's file. It sleeps on a doorbell, takes all that waits as one transaction (a lone
 * record starts at once), says what is durable, and uses quiet moments for audit events, checkpoints and the look at
 * the free space. The first error ends it: nothing is written after a failed commit.
 */
import { statfsSync } from 'node:fs';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { BotError, messageOf, must, SystemClock } from '../../core/index.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';
import type { JournalRow } from './records.ts';
import { type HandedRow, RowRing } from './row-ring.ts';
import { type AuditRow, JournalStore } from './store.ts';
import { WakeupThread } from './thread-wakeup.ts';

/** How long the worker waits for a record before it does the work of quiet moments. */
const QUIET_MS = 20;
/** How long a record without a waiting caller may wait for one that has one: one transaction then, not two. */
const LAZY_MS = 3;
/** Audit events that are written at once: a record that comes meanwhile must not wait for long. */
const AUDIT_SLICE = 64;
/** Without a quiet moment audit events are written when this many wait, a slice after each commit. */
const AUDIT_ROWS_MAX = 2000;
/** Commits after which the write-ahead log is moved into the database at the next quiet moment. */
const CHECKPOINT_COMMITS = 250;
/** Commits after which it is done without one: beyond the laid-out log each commit would grow the file and be slow. */
const CHECKPOINT_COMMITS_MAX = 1500;
const SPACE_CHECK_MS = 5000;

interface Work {
  readonly rows: JournalRow[];
  /** A caller waits for one of {@link rows}. */
  isUrgent: boolean;
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
            message: `expected a journal that can be written in ${settings.path}, got "${messageOf(error)}"`,
            remedy: 'Check the folder, its rights and the disk.',
          };
    say({ kind: 'refused', ...named });
    return undefined;
  }
}

/** Serves until it is closed. */
function serve(store: JournalStore, settings: WorkerSettings): void {
  const clock = new SystemClock();
  const doorbell = new WakeupThread(settings.doorbell, clock);
  const rows = new RowRing(settings.rows);
  const work: Work = { rows: [], isUrgent: false, audit: [], isClosing: false };
  let commits = 0;
  let lazySinceMs: number | undefined;
  let isQuiet = false;
  let spaceAtMs = clock.monotonicMs();
  for (;;) {
    const rung = doorbell.rung();
    const waiting = work.rows.length;
    takeAll(work, rows);
    doorbell.take(work.rows.length - waiting);
    if (!work.isUrgent && !work.isClosing && doorbell.lookOut(rung)) continue;
    if (work.rows.length > 0) {
      if (!work.isUrgent && !work.isClosing) {
        lazySinceMs ??= clock.monotonicMs();
        const leftMs = lazySinceMs + LAZY_MS - clock.monotonicMs();
        if (leftMs > 0 && doorbell.sleep(rung, leftMs)) continue;
      }
      store.append(work.rows);
      if (doorbell.count(work.rows.length)) say({ kind: 'durable' });
      commits++;
      lazySinceMs = undefined;
      work.rows.length = 0;
      work.isUrgent = false;
    }
    // The more there are, the more at once: they must not become ever more.
    if (work.audit.length >= AUDIT_ROWS_MAX) writeAudit(store, work, work.audit.length >> 4);
    if (work.isClosing && work.audit.length > 0) writeAudit(store, work, work.audit.length);
    if (work.isClosing) return;
    if (commits >= CHECKPOINT_COMMITS_MAX) {
      store.checkpoint();
      commits = 0;
    }
    const hasQuietWork = work.audit.length > 0 || commits >= CHECKPOINT_COMMITS;
    const quietMs: number = hasQuietWork ? (isQuiet ? 0 : QUIET_MS) : SPACE_CHECK_MS;
    isQuiet = !doorbell.sleep(rung, quietMs);
    if (!isQuiet) continue;
    if (work.audit.length > 0) writeAudit(store, work, AUDIT_SLICE);
    else if (commits >= CHECKPOINT_COMMITS) {
      store.checkpoint();
      commits = 0;
    }
    if (clock.monotonicMs() - spaceAtMs < SPACE_CHECK_MS) continue;
    spaceAtMs = clock.monotonicMs();
    say({ kind: 'space', freeBytes: freeBytesOf(settings.path) });
  }
}

function takeAll(work: Work, rows: RowRing): void {
  for (;;) {
    const received = receiveMessageOnPort(port);
    // After the look for a message: rows that were there before one are taken before it.
    takeRows(work, rows);
    if (received === undefined) return;
    const message = received.message as ToWorker;
    if (message.kind === 'append') takeRow(work, message);
    else if (message.kind === 'audit') for (const row of message.rows) work.audit.push(row);
    else work.isClosing = true;
  }
}

function takeRows(work: Work, rows: RowRing): void {
  for (let next = rows.read(); next !== undefined; next = rows.read()) takeRow(work, next);
}

function takeRow(work: Work, { row, isLazy }: HandedRow): void {
  work.rows.push(row);
  if (!isLazy) work.isUrgent = true;
}

function writeAudit(store: JournalStore, work: Work, countMax: number): void {
  store.appendAudit(work.audit.splice(0, countMax));
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
