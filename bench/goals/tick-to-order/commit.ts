/**
 * @module
 * The durable commit that every stack of G5 holds before its order leaves: the same worker, the same file settings and
 * a record of the same content as the framework's lane writes. As there, what became of an order goes to the disk with
 * the order after it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalOutcome, type JournalWrite, openJournal } from '../../../src/bot/journal/index.ts';
import { toHex, type UnixMs } from '../../../src/core/index.ts';
import type {
  Address,
  ClientOrderId,
  IntentId,
  LaneId,
  Lots,
  Nonce,
  RequestId,
  StrategyId,
  Ticks,
} from '../../../src/domain/index.ts';
import { MARKET } from '../../book-frames.ts';

const LANE = 'bench' as LaneId;

/** An order as a bare stack knows it. */
export interface BareOrder {
  readonly priceTicks: number;
  readonly nonce: number;
  readonly bytes: Uint8Array;
  readonly commandHash: Uint8Array;
}

/** Makes orders durable. */
export interface Commit {
  /** Resolves when the order is on the disk: only then may it leave. */
  record(order: BareOrder): Promise<void>;
  /** Notes that the order was answered; it goes to the disk with the next one. */
  settle(order: BareOrder): void;
  close(): Promise<void>;
}

/** A folder for journals on the disk of the project: the one for temporary files may lie in memory. */
export function journalFolder(): { readonly path: string; readonly remove: () => void } {
  const parent = join(import.meta.dirname, '..', '..', '..', '.ballast');
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, 'bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Opens a journal for bare stacks. */
export async function openCommit(folder: string): Promise<Commit> {
  const journal = await openJournal({
    path: join(folder, 'bare.sqlite'),
    environment: 'bench',
    account: `0x${'1'.repeat(40)}` as Address,
    instance: 'bench',
    version: '0.0.0',
  });
  let failure: unknown;
  return {
    record: (order) =>
      failure === undefined ? journal.recordWrite(recordOf(order)) : Promise.reject(failure),
    settle: (order) => {
      journal.recordOutcome(outcomeOf(order)).catch((error: unknown) => {
        failure = error;
      });
    },
    close: () => journal.close(),
  };
}

function outcomeOf({ nonce, commandHash }: BareOrder): JournalOutcome {
  return {
    requestId: toHex(commandHash) as RequestId,
    lane: LANE,
    outcome: 'executed',
    nonceConsumed: true,
    proof: 'answer',
    seq: BigInt(nonce),
  };
}

function recordOf({ priceTicks, nonce, bytes, commandHash }: BareOrder): JournalWrite {
  const nowMs = 1_790_000_000_000 as UnixMs;
  const sizeLots = 100 as Lots;
  const order = { side: 'buy', timeInForce: 'ioc', reduceOnly: false } as const;
  const hash = toHex(commandHash);
  return {
    kind: 'write',
    lane: LANE,
    scope: `agent:0x${'2'.repeat(40)}`,
    nonce: BigInt(nonce) as Nonce,
    requestId: hash as RequestId,
    commandHash: hash,
    epoch: 'k1790000000000000000-1234567',
    nowMs,
    bytes: toHex(bytes),
    command: {
      kind: 'place',
      orders: [
        {
          intentId: `bench-${nonce}` as IntentId,
          strategyId: 'bench' as StrategyId,
          symbol: MARKET.symbol,
          ...order,
          priceTicks: priceTicks as Ticks,
          sizeLots,
          clientOrderId: `bench-${nonce}` as ClientOrderId,
          expiresAtMs: 0,
        },
      ],
    },
    canonical: {
      kind: 'PlaceOrder',
      account: 1,
      market: MARKET.signingMarketId,
      side: order.side,
      price: priceTicks,
      lots: BigInt(sizeLots),
      tif: order.timeInForce,
      reduceOnly: order.reduceOnly,
      goodTilMs: 0,
      nowMs,
      router: 0,
      routerFeePpm: 0,
    },
  };
}
