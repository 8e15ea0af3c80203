/**
 * Symptom: one frame told of a position that the account never had, just when a ledger began or an entry moved positions.
 * The bot took it over, differed from the exchange from then on, and never quoted again (swarm seed 3324).
 */
import { describe, expect, test } from 'vitest';
import { silentLog, VirtualClock } from '../../src/core/index.ts';
import {
  type AdoptedPosition,
  type Cursor,
  type LedgerEntry,
  lots,
  type PositionMove,
  quantums,
} from '../../src/domain/index.ts';
import { AccountAudit } from '../../src/wire/stream/account/account-audit.ts';
import { AuditWatch } from '../../src/wire/stream/account/audit-watch.ts';
import { runSimulation } from '../simulation/run.ts';
import { planFor } from '../simulation/seed.ts';
import { BTC, START_MS, seq } from '../support/trading-builders.ts';

const TRUE_LOTS = 242;
const FALSE_LOTS = 100_242;
const zero = quantums(0n);

function published(sizeLots: number) {
  return [
    { symbol: BTC, sizeLots: lots(sizeLots), costBasis: zero, unrealizedPnl: zero, accruedFunding: zero },
  ];
}

function scene() {
  const clock = new VirtualClock(START_MS);
  const audit = new AccountAudit();
  const moves: PositionMove[] = [];
  const adopted: AdoptedPosition[] = [];
  const watch = new AuditWatch({
    ...{ audit, clock, log: silentLog, mayAdopt: () => true },
    onVerdict: () => undefined,
    onMoved: (found) => moves.push(...found),
    onAdopted: (one) => adopted.push(one),
  });
  const publish = (sizeLots: number, at: number) =>
    audit.publish(published(sizeLots), { seq: seq(at), isSnapshot: true, nowMs: clock.monotonicMs() });
  return { clock, audit, moves, adopted, watch, publish };
}

describe('a position that one frame tells', () => {
  test('is not adopted where the exchange says otherwise when it is asked', () => {
    const { clock, audit, adopted, watch, publish } = scene();
    publish(FALSE_LOTS, 10);
    audit.noteAsked(new Map([[BTC, TRUE_LOTS]]));
    expect(watch.isClean()).toBe(false);
    clock.advance(2_000);
    expect(adopted).toEqual([]);

    publish(TRUE_LOTS, 11);
    expect(watch.isClean()).toBe(false);
    clock.advance(2_000);
    expect(adopted).toMatchObject([{ sizeLots: TRUE_LOTS }]);
    expect(watch.isClean()).toBe(true);
  });

  test('is not adopted before the exchange was asked', () => {
    const { clock, adopted, watch, publish } = scene();
    publish(TRUE_LOTS, 10);
    expect(watch.isClean()).toBe(false);
    clock.advance(10_000);
    expect(adopted).toEqual([]);
  });

  test('is not what an entry of the ledger moved, until the exchange says so', () => {
    const { clock, audit, moves, watch, publish } = scene();
    watch.noteSynced();
    const deleverage: LedgerEntry = {
      ...{ id: '20-65535-1' as Cursor, kind: 'deleverage', amount: quantums(5n), symbol: BTC },
      ...{ orderId: null, atMs: null },
    };
    audit.addEntry(deleverage);
    publish(FALSE_LOTS, 20);
    audit.noteAsked(new Map([[BTC, TRUE_LOTS]]));
    expect(watch.isClean()).toBe(false);
    clock.advance(1_500);
    expect(moves).toEqual([]);
    expect(watch.isClean()).toBe(false);

    publish(TRUE_LOTS, 21);
    watch.judgeNow();
    expect(moves).toMatchObject([{ changeLots: TRUE_LOTS }]);
    expect(watch.isClean()).toBe(true);
  });
});

test('a ledger that begins with a false position is traded on once the exchange tells the truth', async () => {
  const { violations } = await runSimulation(
    await planFor({ seed: 3324, faults: ['F31', 'F76'], quirks: {} }),
  );
  expect(violations).toEqual([]);
}, 60_000);
