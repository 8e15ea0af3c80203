/**
 * @module
 * A whole bot on virtual time whose journal and log are put on a disk, so that what `ballast explain` says of it can be held
 * against the exchange's own records.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Explanation } from '../../src/bot/explain/explanation.ts';
import { explain } from '../../src/bot/explain/index.ts';
import type { Question } from '../../src/bot/explain/question.ts';
import { type ExplainedRun, Sources } from '../../src/bot/explain/sources.ts';
import type { JournalRow } from '../../src/bot/journal/records.ts';
import { auditRow, JournalStore } from '../../src/bot/journal/store.ts';
import { openRunLog, RUN_LOG_FILE, type RunLogWriter, readRunLog } from '../../src/bot/replay/index.ts';
import { type AuditEvent, silentLog, VirtualClock } from '../../src/core/index.ts';
import { writeLogLines } from '../../src/tape/recorder/index.ts';
import { type ExchangeFill, type ExchangeRecords, keepRecords } from './exchange-records.ts';
import { type ObservedRun, runWholeBot, type WholeBotOptions } from './whole-bot.ts';

/** A run, its files and what the exchange has of it. */
export interface ExplainedWorld {
  readonly run: ObservedRun;
  readonly records: ExchangeRecords;
  readonly files: ExplainedRun;
  readonly audit: readonly AuditEvent[];
  /** Removes the files. */
  remove(): void;
}

/** Writes rows and events as a journal on the disk; its path. */
export function journalOnDisk(
  folder: string,
  rows: readonly JournalRow[],
  audit: readonly AuditEvent[],
): string {
  const path = join(folder, 'bot.journal.sqlite');
  const store = new JournalStore({
    ...{ path, environment: 'sim', account: 'main 0', instance: 'maker', version: '0' },
    ...{ walBytes: 0, rowsMax: Number.MAX_SAFE_INTEGER },
  });
  for (let at = 0; at < rows.length; at += 1_000) store.append(rows.slice(at, at + 1_000));
  for (let at = 0; at < audit.length; at += 10_000)
    store.appendAudit(audit.slice(at, at + 10_000).map(auditRow));
  store.close();
  return path;
}

/** The same run, with a person who pauses each third of a minute and a limit that is met. */
export function disturbed(options: WholeBotOptions): WholeBotOptions {
  let bot: Parameters<NonNullable<WholeBotOptions['onBot']>>[0] | undefined;
  const by = { actor: 'ann', reason: 'drill' };
  return {
    ...options,
    edit: (yaml) => yaml.replace(/^risk:$/m, 'risk:\n  maxOpenOrdersPerSide: 1'),
    onBot: (made) => {
      bot = made;
    },
    prepare: (world) => {
      world.clock.every(20_000, () => {
        bot?.setTrading({ kind: 'account' }, 'halted', by);
        world.clock.after(5_000, () => bot?.setTrading({ kind: 'account' }, 'active', by));
      });
    },
  };
}

/** Runs a bot and keeps what a run on a machine keeps. */
export async function explainedRun(options: WholeBotOptions): Promise<ExplainedWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-explain-'));
  let records: ExchangeRecords | undefined;
  let writer: RunLogWriter | undefined;
  const runLog = openRunLog(
    writeLogLines({ folder, name: RUN_LOG_FILE, clock: new VirtualClock(0), log: silentLog }),
  );
  const run = await runWholeBot({
    ...options,
    runLog,
    prepare: (world, observed) => {
      records = keepRecords(world);
      writer = runLog;
      world.clock.every(10_000, () => void runLog.flush());
      options.prepare?.(world, observed);
    },
  });
  await writer?.close();
  const audit = run.journal.auditEvents();
  const journal = journalOnDisk(folder, run.journal.rows(), audit);
  if (records === undefined) throw new Error('expected the world to be shown');
  const { runId } = readRunLog(folder).header;
  return {
    ...{ run, records, audit, files: { runId, folder, journal } },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What was explained, and what was not, in words. */
export interface Explained {
  readonly orders: number;
  readonly fills: number;
  readonly denials: number;
  /** Seconds of sides without an order, each with a reason; and those in which the side was quoted. */
  readonly gapSeconds: number;
  readonly quotedSeconds: number;
  /** Seconds by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Explains every order, fill and denial and each second of both sides, and holds all against the exchange's records. */
export function explainAll(world: ExplainedWorld, symbol = 'BTC-USD'): Explained {
  // Opened once: a journal takes longer to open than a question to answer.
  const sources = new Sources(world.files);
  try {
    return new Examiner(world, sources).all(symbol);
  } finally {
    sources.close();
  }
}

class Examiner {
  readonly #world: ExplainedWorld;
  readonly #sources: Sources;
  readonly #problems: string[] = [];
  readonly #reasons: Record<string, number> = {};
  readonly #told = new Set<string>();

  constructor(world: ExplainedWorld, sources: Sources) {
    this.#world = world;
    this.#sources = sources;
  }

  all(symbol: string): Explained {
    const { records, audit } = this.#world;
    for (const id of records.orders) this.#order(id);
    for (const fill of records.fills.values()) this.#fill(fill);
    const denials = audit.filter(({ type }) => type === 'IntentDenied');
    for (const { correlationId = '', fields } of denials) {
      const found = this.#ask({ what: 'denial', id: correlationId });
      const said = `${String(fields['code'])}: ${String(fields['message'])}`;
      if (!found?.steps.some(({ step, text }) => step === 'checks' && text.includes(said)))
        this.#note(`denial ${correlationId} without ${said}`);
    }
    const { gapSeconds, quotedSeconds } = this.#seconds(symbol);
    for (const [id, { orderSeq }] of records.ledger)
      if (orderSeq !== 'undefined' && !this.#told.has(id))
        this.#note(`entry ${id} of order ${orderSeq} is of no fill`);
    const counts = { orders: records.orders.size, fills: records.fills.size, denials: denials.length };
    return { ...counts, gapSeconds, quotedSeconds, reasons: this.#reasons, problems: this.#problems };
  }

  #order(id: string): void {
    const found = this.#ask({ what: 'order', id });
    if (found === undefined) return;
    const steps = new Set(found.steps.map(({ step }) => step));
    for (const step of ['event', 'intent', 'checks', 'write', 'receipt', 'order'] as const)
      if (!steps.has(step)) this.#note(`order ${id} without ${step}: ${found.absent.join('; ')}`);
  }

  #fill(fill: ExchangeFill): void {
    const { ledger } = this.#world.records;
    const found = this.#ask({ what: 'fill', id: fill.id });
    if (found === undefined) return;
    const own = found.steps.find(({ step }) => step === 'fill')?.facts ?? {};
    const told = {
      ...{ id: own['id'], orderSeq: own['orderId'], side: own['side'], role: own['role'] },
      ...{ priceTicks: own['priceTicks'], lots: own['sizeLots'], fee: own['fee'] },
    };
    if (JSON.stringify(told) !== JSON.stringify(fill))
      this.#note(
        `fill ${fill.id} is told as ${JSON.stringify(told)}, the exchange has ${JSON.stringify(fill)}`,
      );
    // The entries of an order in one event are those of its fills there, each once.
    const place = fill.id.split('-').slice(0, 2).join('-');
    const there = [...ledger].filter(
      ([id, { orderSeq }]) => id.startsWith(`${place}-`) && orderSeq === fill.orderSeq,
    );
    const here = found.steps.filter(({ step }) => step === 'ledger');
    for (const { facts } of here) {
      const { id, amount } = facts;
      if (this.#told.has(String(id))) this.#note(`entry ${String(id)} is of two fills`);
      this.#told.add(String(id));
      if (ledger.get(String(id))?.amount !== amount)
        this.#note(`entry ${String(id)} has amount ${String(amount)}`);
    }
    if (there.length > 0 && here.length === 0)
      this.#note(`fill ${fill.id} without its entries of the ledger`);
  }

  /** Each second from the start of the strategies to their end: it was quoted, or has a reason; the exchange says the same. */
  #seconds(symbol: string): Pick<Explained, 'gapSeconds' | 'quotedSeconds'> {
    const { audit, records } = this.#world;
    const fromMs = audit.find(({ type }) => type === 'StrategyStarted')?.atMs ?? 0;
    const toMs = audit.find(({ type }) => type === 'StrategyStopped')?.atMs ?? 0;
    let [gapSeconds, quotedSeconds] = [0, 0];
    for (const side of ['bid', 'ask'] as const)
      for (let atMs = Math.ceil(fromMs); atMs < toMs; atMs += 1_000) {
        const found = this.#ask({ what: 'gap', symbol, side, atMs });
        const gap = found?.steps.find(({ step }) => step === 'gap')?.facts;
        // What happened at the exchange is heard of later.
        const { any, every } = records.restsBetween(side, atMs - 500, atMs + 500);
        if (gap === undefined) {
          quotedSeconds++;
          if (!any) this.#note(`${side} at ${atMs}: no reason, and the exchange has no order`);
          continue;
        }
        gapSeconds++;
        const code = String(gap['code']);
        this.#reasons[code] = (this.#reasons[code] ?? 0) + 1;
        if (every) this.#note(`${side} at ${atMs}: ${code}, and the exchange has an order`);
      }
    return { gapSeconds, quotedSeconds };
  }

  #ask(question: Question): Explanation | undefined {
    try {
      return explain(this.#sources, question);
    } catch (thrown) {
      this.#note(`${JSON.stringify(question)}: ${String(thrown)}`);
      return undefined;
    }
  }

  #note(what: string): void {
    if (this.#problems.length < 20) this.#problems.push(what);
  }
}
