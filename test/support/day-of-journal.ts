/** @module The journal of a day of a maker that replaces two quotes a second, made without a run. */

import { join } from 'node:path';
import { encodeRecord, type JournalRecord, type JournalRow } from '../../src/bot/journal/records.ts';
import { auditRow, JournalStore } from '../../src/bot/journal/store.ts';
import type { AuditEvent } from '../../src/core/index.ts';

/** Where it is, and questions that it has answers to. */
export interface DayOfJournal {
  readonly runId: string;
  readonly journal: string;
  readonly fromMs: number;
  readonly questions: readonly (readonly string[])[];
}

const FROM_MS = 1_767_700_000_000;
const RUN_ID = 'day0';
/** Between two writes, ms, and of how many one is filled, and one leaves a gap. */
const EVERY_MS = 500;
const FILLED = 20;
const BATCH = 5_000;

/** Writes `hours` of a journal into `folder`. */
export function dayOfJournal(folder: string, hours: number): DayOfJournal {
  const journal = join(folder, 'day.journal.sqlite');
  const store = new JournalStore({
    ...{ path: journal, environment: 'sim', account: 'main 0', instance: 'maker', version: '0' },
    ...{ walBytes: 0, rowsMax: Number.MAX_SAFE_INTEGER },
  });
  const count = Math.floor((hours * 3_600_000) / EVERY_MS);
  let rows: JournalRow[] = [];
  let audit: AuditEvent[] = [];
  const flush = (): void => {
    store.append(rows);
    store.appendAudit(audit.map(auditRow));
    rows = [];
    audit = [];
  };
  for (let n = 1; n <= count; n++) {
    addWrite(n, rows, audit);
    if (n % BATCH === 0) flush();
  }
  flush();
  store.checkpoint();
  store.close();
  const middle = Math.floor(count / 2 / FILLED) * FILLED;
  const atMs = FROM_MS + middle * EVERY_MS;
  return {
    ...{ runId: RUN_ID, journal, fromMs: FROM_MS },
    questions: [
      ['order', `${middle * 2}`],
      ['order', `${count * 2}`],
      ['fill', `${middle}-0-1`],
      ['write', requestId(middle)],
      ['denial', `${RUN_ID}-d${middle}`],
      ['gap', 'BTC-USD', 'bid', `${atMs + 100}`],
      ['gap', 'ETH-USD', 'ask', `${atMs}`],
    ],
  };
}

function requestId(n: number): string {
  return `0x${n.toString(16).padStart(64, '0')}`;
}

function addWrite(n: number, rows: JournalRow[], audit: AuditEvent[]): void {
  const atMs = FROM_MS + n * EVERY_MS;
  const id = requestId(n);
  const orders = (['buy', 'sell'] as const).map((side, at) => ({
    ...{ intentId: `${RUN_ID}-${n * 2 - 1 + at}`, strategyId: 'maker', symbol: 'BTC-USD', side },
    ...{
      priceTicks: 1_000_000 + at,
      sizeLots: 30,
      timeInForce: 'postOnly',
      reduceOnly: false,
      expiresAtMs: 0,
    },
    clientOrderId: `${RUN_ID}-${n * 2 - 1 + at}`,
  }));
  const write = {
    ...{ kind: 'write', lane: 'trading', scope: 'scope', nonce: BigInt(n), requestId: id, commandHash: id },
    ...{ epoch: 'e', nowMs: atMs, bytes: `0x${'ab'.repeat(120)}`, command: { kind: 'place', orders } },
    canonical: { kind: 'place', orders },
  };
  const outcome = {
    ...{ requestId: id, lane: 'trading', outcome: 'executed', nonceConsumed: true, proof: `answer:${id}` },
    ...{
      seq: BigInt(n),
      placed: orders.map(({ intentId }, at) => ({
        orderId: `${n * 2 - 1 + at}`,
        strategyId: 'maker',
        intentId,
      })),
    },
  };
  for (const record of [
    { type: 'write', value: write },
    { type: 'outcome', value: outcome },
  ])
    rows.push(encodeRecord(record as unknown as JournalRecord));
  const add = (type: string, fields: AuditEvent['fields'], correlationId?: string): void => {
    audit.push({
      type,
      atMs,
      causationId: `fact-${n}`,
      fields,
      ...(correlationId === undefined ? {} : { correlationId }),
    });
  };
  add(
    'CommandApproved',
    { strategy: 'maker', lane: 'trading', kind: 'place', cancels: [], orders },
    orders[0]?.intentId,
  );
  for (const [at, { intentId }] of orders.entries())
    add(
      'OrderChanged',
      { strategy: 'maker', symbol: 'BTC-USD', orderId: `${n * 2 - 1 + at}`, status: 'working', proof: id },
      intentId,
    );
  add('WriteResolved', { lane: 'trading', requestId: id, outcome: 'executed', seq: `${n}` }, id);
  const orderId = `${n * 2}`;
  if (n % FILLED === 0) {
    const of = { strategy: 'maker', orderId, symbol: 'BTC-USD' };
    const fill = {
      ...of,
      id: `${n}-0-1`,
      fillId: `${n}-0-1`,
      side: 'sell',
      role: 'maker',
      priceTicks: 1,
      sizeLots: 30,
      fee: '3',
    };
    add('FillApplied', fill, orders[1]?.intentId);
    add('LedgerApplied', { id: `${n}-0-2`, kind: 'trade', amount: '30', symbol: 'BTC-USD', orderId });
    const gap = {
      strategy: 'maker',
      symbol: 'BTC-USD',
      side: 'bid',
      code: 'inFlight',
      detail: 'an order',
      sinceMs: atMs,
      forMs: 300,
    };
    add('QuoteGapEnded', gap, 'gap maker BTC-USD bid');
    add(
      'IntentDenied',
      { strategy: 'maker', symbol: 'BTC-USD', code: 'RISK_SELF_TRADE', message: 'expected 1, got 2' },
      `${RUN_ID}-d${n}`,
    );
  }
  add(
    'OrderChanged',
    { strategy: 'maker', symbol: 'BTC-USD', orderId, status: 'canceled', proof: `${n}-0-3` },
    orders[1]?.intentId,
  );
  if (n === 1)
    add(
      'QuoteGapBegan',
      { strategy: 'maker', symbol: 'ETH-USD', side: 'ask', code: 'notAsked', detail: 'never', sinceMs: atMs },
      'gap maker ETH-USD ask',
    );
}
