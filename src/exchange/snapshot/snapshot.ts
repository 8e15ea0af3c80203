/**
 * @module
 * A snapshot of an exchange: how it was made, what came to it, what holds at it, and what it is like at the end. It is
 * loaded by making the same exchange again and letting the same things happen to it; what comes out is compared with
 * what was written down.
 *
 *   exchange ─▶ steps + settings ─▶ lines with a hash chain ─▶ replay ─▶ the same exchange, which continues
 */
import { BotError, seededRandom, sha256 } from '../../core/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import { CODEC_VERSION } from '../../wire/protocol/index.ts';
import type { ControlState } from '../control/index.ts';
import { createSyntheticParticipants, type SyntheticParticipantsSettings } from '../flow/index.ts';
import type { ControlledClock, ExchangeSettingsState, RecordedStep } from '../kernel/index.ts';
import { Exchange } from '../kernel/index.ts';
import type { ExchangeSettings, LogEntry } from '../state/index.ts';
import { damaged, decodeValue, encodeValue, readLines, writeLines } from './lines.ts';

const FORMAT = 'ballast-snapshot';
/** Raised whenever the shape of the head or of a step changes; the shape is pinned by a test. */
const VERSION = 2;
/** Blocks in one line. */
const BLOCKS_PER_LINE = 1_000;

/** What a snapshot says apart from its steps. */
export interface SnapshotHead {
  /** Name of the snapshot format. */
  readonly format: string;
  /** Version of the snapshot format. */
  readonly version: number;
  /** Version of the command encoding. */
  readonly codecVersion: number;
  /** Random seed, an integer. */
  readonly seed: number;
  /** Settings that differ from the defaults, and the name of the first ledger. */
  readonly settings: Partial<ExchangeSettings>;
  /** Time of the clock when it was taken, and of the first block. */
  readonly nowMs: number;
  /** Start time of the exchange, Unix ms. */
  readonly startMs: number;
  /** Settings that actions have changed. */
  readonly settingsState: ExchangeSettingsState;
  /** Accounts and participants of control actions. */
  readonly control: ControlState;
}

/** The text of a snapshot. @throws BotError `SNAPSHOT_UNAVAILABLE`. */
export function takeSnapshot(
  exchange: Exchange,
  at: { readonly seed: number; readonly nowMs: number },
): string {
  const { origin, recording } = exchange;
  const steps = recording?.steps ?? [];
  const isCode = origin.settings.requestIdOf !== undefined;
  const gap =
    recording === undefined
      ? 'it was started without'
      : isCode
        ? 'its request ids follow from code'
        : recording.gap;
  if (gap !== undefined || exchange.isDown)
    throw new BotError({
      code: 'SNAPSHOT_UNAVAILABLE',
      message: `no snapshot of this exchange: ${gap ?? 'it is down'}`,
      remedy: 'Start `ballast sim` without --tape and take the snapshot while the exchange is up.',
    });
  const head: SnapshotHead = {
    format: FORMAT,
    version: VERSION,
    codecVersion: CODEC_VERSION,
    ...at,
    settings: { ...origin.settings, epoch: origin.epoch },
    startMs: origin.startMs,
    settingsState: exchange.settingsState(),
    control: exchange.control.savedState(),
  };
  const end = {
    seq: exchange.seq,
    blockAtMs: exchange.blockAtMs,
    steps: steps.length,
    digest: digestOf(exchange),
  };
  return writeLines([head, ...packed(steps), { end }]);
}

/** Blocks that follow each other share a line. */
function* packed(steps: readonly RecordedStep[]): Generator<object> {
  let blocks: number[] = [];
  let lastAtMs = 0;
  for (const step of steps) {
    if (!('blockAtMs' in step)) {
      if (blocks.length > 0) yield { blocks };
      blocks = [];
      yield step;
      continue;
    }
    if (blocks.length > BLOCKS_PER_LINE) {
      yield { blocks };
      blocks = [];
    }
    if (blocks.length === 0) blocks.push(step.seq, step.blockAtMs);
    else blocks.push(step.blockAtMs - lastAtMs);
    lastAtMs = step.blockAtMs;
  }
  if (blocks.length > 0) yield { blocks };
}

/** The head of a snapshot, of a version that this one can load. */
function readHead(text: string): SnapshotHead {
  const [line = ''] = text.split('\n', 1);
  const head = line.startsWith(`{"format":"${FORMAT}"`, 17)
    ? (decodeHead(line.slice(17)) as SnapshotHead)
    : undefined;
  if (head?.format !== FORMAT) throw damaged(1, `the head of a ${FORMAT}`, line.slice(0, 40));
  if (head.version !== VERSION || head.codecVersion !== CODEC_VERSION)
    throw new BotError({
      code: 'SNAPSHOT_VERSION_UNSUPPORTED',
      message: `expected a snapshot of version ${VERSION} and codec ${CODEC_VERSION}, got ${head.version} and ${head.codecVersion}`,
      remedy: 'Load it with the version of ballast that wrote it.',
    });
  return head;
}

function decodeHead(json: string): unknown {
  try {
    return decodeValue(json);
  } catch {
    // The version is unknown; the line is named where the chain is read.
    return undefined;
  }
}

/**
 * The exchange of a snapshot, not running yet: call `resume`. The clock then has the time of the snapshot; when it
 * fails, its own.
 * @throws BotError `SNAPSHOT_DAMAGED`, `SNAPSHOT_VERSION_UNSUPPORTED`; `SNAPSHOT_DIVERGED` when this version of ballast
 * makes something else of the same steps.
 */
export function loadSnapshot(
  text: string,
  parts: { readonly clock: ControlledClock; readonly crypto: Crypto },
): Exchange {
  const head = readHead(text);
  const { records, end } = readLines(text);
  const beforeMs = parts.clock.nowMs();
  // What an exchange receives before its first block has the time at which it was made, even where loading is slow.
  parts.clock.holdAt(head.startMs);
  let toMs: number = beforeMs;
  try {
    const exchange = new Exchange({
      ...parts,
      random: seededRandom(head.seed),
      settings: head.settings,
      isRecorded: true,
    });
    for (const [at, record] of records.slice(1).entries())
      for (const step of unpacked(record, at + 2)) replay(exchange, step, at + 2);
    const found = digestOf(exchange);
    if (exchange.seq !== end['seq'] || found !== end['digest'])
      throw diverged(
        records.length + 1,
        `seq ${end['seq']}, state ${end['digest']}`,
        `seq ${exchange.seq}, state ${found}`,
      );
    exchange.restoreSettings(head.settingsState, head.control);
    toMs = head.nowMs;
    return exchange;
  } finally {
    parts.clock.jumpTo(toMs);
  }
}

function* unpacked(record: Record<string, unknown>, line: number): Generator<RecordedStep> {
  const { blocks } = record;
  if (!Array.isArray(blocks)) {
    yield record as RecordedStep;
    return;
  }
  const [seq, firstAtMs, ...steps] = blocks as number[];
  if (seq === undefined || firstAtMs === undefined)
    throw damaged(line, 'a seq and a time', encodeValue(blocks));
  let atMs = firstAtMs;
  yield { seq, blockAtMs: atMs };
  for (const step of steps) {
    atMs += step;
    // The seq of the ones after the first depends on what participants did between them.
    yield { seq: Number.NaN, blockAtMs: atMs };
  }
}

function replay(exchange: Exchange, step: RecordedStep, line: number): void {
  const nextSeq = 'flow' in step ? exchange.seq : exchange.seq + 1;
  if (!Number.isNaN(step.seq) && step.seq !== nextSeq)
    throw diverged(line, `seq ${step.seq}`, `seq ${nextSeq}`);
  if ('flow' in step)
    exchange.attachParticipants(
      createSyntheticParticipants(step.flow as Partial<SyntheticParticipantsSettings>),
    );
  else if ('entry' in step) exchange.replayEntry(step.entry as LogEntry);
  else exchange.replayBlock(step.blockAtMs);
}

function diverged(line: number, expected: string, found: string): BotError {
  return new BotError({
    code: 'SNAPSHOT_DIVERGED',
    message: `line ${line} of the snapshot: expected ${expected}, got ${found}`,
    remedy:
      'Another version of ballast wrote it, whose participants or matching differ: load it with that one.',
  });
}

/** What the exchange is like, in 16 digits. */
function digestOf(exchange: Exchange): string {
  const { venue } = exchange.control;
  const state = [
    [exchange.seq, exchange.blockAtMs, exchange.epoch],
    ...venue.markets().map((view) => [view, venue.book(view.market.signingMarketId, 100)]),
    ...exchange.control
      .accountIds()
      .map((id) => [venue.account(id), venue.positions(id), venue.openOrders(id), venue.triggerOrders(id)]),
  ];
  return sha256(encodeValue(state)).slice(0, 16);
}
