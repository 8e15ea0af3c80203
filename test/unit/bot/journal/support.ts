/** @module Records for tests of the journal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalOutcome, JournalWrite } from '../../../../src/bot/journal/index.ts';
import type { Hex, UnixMs } from '../../../../src/core/index.ts';
import type {
  AdoptedPosition,
  Cursor,
  Fill,
  LaneId,
  LedgerEntry,
  MarketSymbol,
  Nonce,
  PositionMove,
  RequestId,
  Seq,
} from '../../../../src/domain/index.ts';
import { lots, quantums, ticks } from '../../../../src/domain/index.ts';

export const SCOPE = 'agent:0x1111111111111111111111111111111111111111';
export const BINDING = { environment: '31337 test', account: '0xabc/0', instance: 'bot-1' } as const;

/** A folder that is removed by `done`. */
export function temporaryFolder(): { readonly path: string; done(): void } {
  const path = mkdtempSync(join(tmpdir(), 'ballast-journal-'));
  return { path, done: () => rmSync(path, { recursive: true, force: true }) };
}

export function requestId(n: number): RequestId {
  return `0x${n.toString(16).padStart(64, '0')}` as RequestId;
}

export function aWrite(n: number, changes: Partial<JournalWrite> = {}): JournalWrite {
  return {
    kind: 'write',
    lane: 'lane-1' as LaneId,
    scope: SCOPE,
    nonce: BigInt(n) as Nonce,
    requestId: requestId(n),
    commandHash: requestId(n + 1_000_000) as Hex,
    epoch: 'epoch-1',
    nowMs: 1_790_000_000_000 as UnixMs,
    bytes: '0x0116',
    command: { kind: 'scheduleCancel', triggerAtMs: 1_790_000_020_000 as UnixMs },
    canonical: { kind: 'CancelOrder', account: 7, orderId: { market: 3, orderSeq: (1n << 40n) + BigInt(n) } },
    ...changes,
  };
}

export function anOutcome(n: number, changes: Partial<JournalOutcome> = {}): JournalOutcome {
  return {
    requestId: requestId(n),
    lane: 'lane-1' as LaneId,
    outcome: 'executed',
    nonceConsumed: true,
    proof: 'answer',
    seq: 2n ** 63n + BigInt(n),
    ...changes,
  };
}

export function aFill(seq: number): Fill {
  return {
    id: `${seq}-0-1` as Cursor,
    orderId: String(seq << 4) as Fill['orderId'],
    symbol: 'BTC-USD' as Fill['symbol'],
    side: 'buy',
    role: 'maker',
    priceTicks: ticks(100_000),
    sizeLots: lots(5),
    fee: quantums(-12n),
    atMs: null,
  };
}

export function aMove(at: number): PositionMove {
  const changeLots = lots(-at);
  return {
    symbol: 'BTC-USD' as MarketSymbol,
    changeLots,
    ofLots: lots(at),
    cash: quantums(10n ** 20n),
    seq: BigInt(at) as Seq,
  };
}

export function anAdopted(at: number): AdoptedPosition {
  return {
    symbol: 'BTC-USD' as MarketSymbol,
    sizeLots: lots(at),
    costBasis: quantums(-(10n ** 20n)),
    seq: BigInt(at) as Seq,
  };
}

export function anEntry(seq: number): LedgerEntry {
  return {
    id: `${seq}-0-2` as Cursor,
    kind: 'trade',
    amount: quantums(-(10n ** 20n)),
    symbol: null,
    orderId: null,
    atMs: 1_790_000_000_000 as UnixMs,
  };
}
