/**
 * Symptom: a market came to its end, or a position was closed against another account's debt; the exchange paid for it in
 * the ledger and published another position, no fill told of it, and the bot was halted by name for good.
 */
import { describe, expect, test } from 'vitest';
import { silentLog, VirtualClock } from '../../src/core/index.ts';
import {
  AccountState,
  type Cursor,
  type Fact,
  type LedgerEntry,
  lots,
  type PositionMove,
  quantums,
  ticks,
} from '../../src/domain/index.ts';
import { AccountAudit } from '../../src/wire/stream/account/account-audit.ts';
import { AccountFacts } from '../../src/wire/stream/account/account-facts.ts';
import { AuditWatch } from '../../src/wire/stream/account/audit-watch.ts';
import { takeChanges } from '../support/changes.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  BTC,
  ETH,
  MAKER,
  resolved,
  START_MS,
  sent,
  seq,
} from '../support/trading-builders.ts';
import { ScriptedJournal } from '../unit/wire/stream/scripted.ts';

const NOW_MS = 10_000;
const PER_TICK_LOT = aMarket().quantumsPerTickLot;
const spec = aSpec({ sizeLots: 10, priceTicks: 1000 });
const bought = aFill({ id: '10-0-0' as Cursor, orderId: 'o-1', sizeLots: 10, priceTicks: 1000 });

function entry(kind: string, at: number, cash: bigint): LedgerEntry {
  const amount = quantums(cash);
  return { id: `${at}-65535-1` as Cursor, kind, amount, symbol: BTC, orderId: null, atMs: null };
}

function published(sizeLots: number) {
  const zero = quantums(0n);
  return [
    { symbol: BTC, sizeLots: lots(sizeLots), costBasis: zero, unrealizedPnl: zero, accruedFunding: zero },
  ];
}

/** Ten lots were bought, and the published position said so. */
function audited(): AccountAudit {
  const audit = new AccountAudit();
  audit.addFill(bought, 0);
  audit.publish(published(10), { seq: seq(10), isSnapshot: true, nowMs: 0 });
  return audit;
}

/** The audit of {@link audited} with its patience, and the moves that it finds. */
function watched() {
  const clock = new VirtualClock(START_MS);
  const audit = audited();
  const moves: PositionMove[] = [];
  const watch = new AuditWatch({
    ...{ audit, clock, log: silentLog },
    onVerdict: () => undefined,
    onMoved: (found) => moves.push(...found),
    onAdopted: () => undefined,
    mayAdopt: () => true,
  });
  return { clock, audit, moves, watch };
}

describe('a position that the exchange moves without a fill (I2, I3)', () => {
  type Case = { what: string; kind: string; left: number; cash: bigint } & Pick<PositionMove, 'isMarketEnd'>;
  const AT_THE_END = { left: 0, cash: 10_500n, isMarketEnd: true } as const;
  test.each<Case>([
    { what: 'settled at the end of its market', kind: 'final_settlement', ...AT_THE_END },
    { what: 'closed in part against a debt', kind: 'deleverage', left: 4, cash: 6_300n },
  ])('is known by its entry and by what is left: $what', ({ kind, left, cash, isMarketEnd }) => {
    const audit = audited();
    audit.publish(published(left), { seq: seq(20), isSnapshot: false, nowMs: NOW_MS });
    audit.addEntry(entry(kind, 20, cash));
    audit.noteAsked(new Map([[BTC, left - 10]]));
    expect(audit.moved(NOW_MS + 900)).toEqual([]);
    expect(audit.moved(NOW_MS + 1_000)).toEqual([
      {
        ...{ symbol: BTC, changeLots: left - 10, ofLots: 10, cash: quantums(cash), seq: seq(20) },
        ...(isMarketEnd === undefined ? {} : { isMarketEnd }),
      },
    ]);
    expect(audit.findings(NOW_MS + 9_000).isClean).toBe(true);
    expect(audit.isMoving).toBe(false);
  });

  test('is a finding where no entry tells of it', () => {
    const audit = audited();
    audit.publish(published(4), { seq: seq(20), isSnapshot: false, nowMs: NOW_MS });
    audit.addEntry(entry('deposit', 20, 6_300n));
    audit.noteAsked(new Map([[BTC, -6]]));
    expect(audit.moved(NOW_MS + 3_000)).toEqual([]);
    expect(audit.findings(NOW_MS + 3_000).lasting).toMatchObject([{ fillLots: 10, publishedLots: 4 }]);
  });

  test('is not known by an entry that what is published has covered already', () => {
    const audit = audited();
    audit.addEntry(entry('deleverage', 15, 6_300n));
    audit.publish(published(10), { seq: seq(18), isSnapshot: false, nowMs: NOW_MS });
    audit.publish(published(4), { seq: seq(20), isSnapshot: false, nowMs: NOW_MS });
    audit.noteAsked(new Map([[BTC, -6]]));
    expect(audit.moved(NOW_MS + 3_000)).toEqual([]);
  });

  test('that is settled whole is known by the fills before, where all of them are there', () => {
    const audit = audited();
    audit.addFill(aFill({ id: '25-0-0' as Cursor, orderId: 'o-2', sizeLots: 3, priceTicks: 1000 }), 0);
    audit.addEntry(entry('final_settlement', 20, 10_500n));
    expect(audit.closed(NOW_MS)).toMatchObject([{ changeLots: -10 }]);
    audit.publish(published(3), { seq: seq(30), isSnapshot: false, nowMs: NOW_MS });
    expect(audit.findings(NOW_MS).isClean).toBe(true);
  });

  test('is closed with a fill before it that comes to light later, which has no cash of its own', () => {
    const audit = audited();
    audit.addEntry(entry('final_settlement', 20, 10_500n));
    expect(audit.closed(NOW_MS)).toMatchObject([{ changeLots: -10 }]);
    audit.publish(published(0), { seq: seq(30), isSnapshot: false, nowMs: NOW_MS });
    expect(audit.findings(NOW_MS).isClean).toBe(true);
    const late = aFill({ id: '15-0-0' as Cursor, orderId: 'o-2', side: 'sell', sizeLots: 2 });
    audit.addFill(late, NOW_MS);
    expect(audit.moved(NOW_MS + 3_000)).toEqual([]);
    audit.noteAsked(new Map([[BTC, 2]]));
    expect(audit.moved(NOW_MS + 3_000)).toEqual([
      {
        ...{ symbol: BTC, changeLots: 2, ofLots: -2, cash: quantums(0n), seq: seq(20), isMarketEnd: true },
      },
    ]);
    expect(audit.findings(NOW_MS + 3_000).isClean).toBe(true);
    expect(audit.isMoving).toBe(false);
  });

  test.each([false, true])(
    'is moved less by what a fill before it made that comes to light later; after a restart: %s',
    (isRestarted) => {
      const audit = audited();
      const moving = entry('deleverage', 20, 5_250n);
      const found = {
        symbol: BTC,
        changeLots: lots(-7),
        ofLots: lots(10),
        cash: moving.amount,
        seq: seq(20),
      };
      if (isRestarted) {
        audit.addMove(found);
        audit.noteMoving(moving);
      } else audit.addEntry(moving);
      audit.publish(published(3), { seq: seq(30), isSnapshot: false, nowMs: NOW_MS });
      audit.noteAsked(new Map([[BTC, -7]]));
      expect(audit.moved(NOW_MS + 3_000)).toEqual(isRestarted ? [] : [found]);
      expect(audit.findings(NOW_MS + 3_000).isClean).toBe(true);
      const late = aFill({ id: '15-0-0' as Cursor, orderId: 'o-2', side: 'sell', sizeLots: 2 });
      audit.addFill(late, NOW_MS + 3_000);
      expect(audit.moved(NOW_MS + 6_000)).toEqual([]);
      audit.noteAsked(new Map([[BTC, 2]]));
      expect(audit.moved(NOW_MS + 6_000)).toEqual([
        { ...found, changeLots: 2, ofLots: 1, cash: quantums(0n) },
      ]);
      expect(audit.findings(NOW_MS + 6_000).isClean).toBe(true);
      // Another one that no entry explains is a finding.
      audit.addFill(aFill({ id: '31-0-0' as Cursor, orderId: 'o-3', sizeLots: 1 }), NOW_MS + 6_000);
      audit.publish(published(3), { seq: seq(40), isSnapshot: false, nowMs: NOW_MS + 6_000 });
      audit.noteAsked(new Map([[BTC, -1]]));
      expect(audit.moved(NOW_MS + 9_000)).toEqual([]);
      expect(audit.isMoving).toBe(false);
    },
  );

  test('is not known by the fills of a run that ended, of which one may be missing (swarm seed 8599)', () => {
    const { clock, audit, moves, watch } = watched();
    watch.resume('e');
    audit.addEntry(entry('final_settlement', 20, 10_500n));
    audit.publish(published(0), { seq: seq(30), isSnapshot: true, nowMs: clock.monotonicMs() });
    expect(watch.isClean()).toBe(false);
    const found = aFill({ id: '15-0-0' as Cursor, orderId: 'o-2', side: 'sell', sizeLots: 2 });
    audit.addFill(found, clock.monotonicMs());
    audit.noteAsked(new Map([[BTC, -8]]));
    clock.advance(1_000);
    expect(moves).toMatchObject([{ changeLots: -8, ofLots: 8 }]);
    expect(watch.isClean()).toBe(true);
  });
});

describe('a position that was closed while the connection went (its fills were charged to the exchange)', () => {
  test('was moved by what its fills leave, once they are there', () => {
    const { clock, audit, moves, watch } = watched();
    watch.noteSynced();
    audit.addEntry(entry('deleverage', 20, 6_300n));
    audit.publish(published(0), { seq: seq(20), isSnapshot: false, nowMs: clock.monotonicMs() });
    expect(watch.isClean()).toBe(false);
    watch.interrupt();
    audit.publish([], { seq: seq(22), isSnapshot: true, nowMs: clock.monotonicMs() });
    clock.advance(5_000);
    expect(moves).toEqual([]);

    // The history tells of four that were sold before, in the book.
    audit.addFill(aFill({ id: '19-0-0' as Cursor, orderId: 'o-2', side: 'sell', sizeLots: 4 }), 0);
    audit.noteAsked(new Map([[BTC, -6]]));
    expect(watch.isClean()).toBe(false);
    clock.advance(1_000);
    expect(moves).toMatchObject([{ changeLots: -6, ofLots: 6, cash: quantums(6_300n) }]);
    expect(watch.isClean()).toBe(true);
  });
});

const cashFor = (sizeLots: number, priceTicks: number) =>
  quantums(BigInt(sizeLots) * BigInt(priceTicks) * PER_TICK_LOT);
const move = (changeLots: number, priceTicks: number): PositionMove => ({
  ...{ symbol: BTC, seq: seq(20), changeLots: lots(changeLots), ofLots: lots(10) },
  cash: cashFor(-changeLots, priceTicks),
});

describe('the books of an account whose position was moved (I2, I3)', () => {
  function holding(...facts: readonly Fact[]): AccountState {
    const state = new AccountState();
    const before: readonly Fact[] = [
      { type: 'MarketChanged', market: aMarket() },
      { type: 'AccountSynced', seq: seq(1) },
      sent('r1', [spec]),
      accepted(spec, bought.orderId),
      resolved('r1', 'executed', { seq: 9 }),
      { type: 'FillRecorded', fill: bought },
    ];
    for (const fact of [...before, ...facts]) state.fold(fact);
    return state;
  }

  test.each([
    { changeLots: -10, left: 0, realized: cashFor(10, 50), unrealized: 0n },
    { changeLots: -6, left: 4, realized: cashFor(6, 50), unrealized: cashFor(4, 100) },
  ])('follow the ledger when $changeLots of 10 lots go', ({ changeLots, left, realized, unrealized }) => {
    const state = holding({ type: 'PositionMoved', move: move(changeLots, 1050) });
    for (const owner of [undefined, MAKER]) {
      expect(state.positionLots(BTC, owner)).toBe(left);
      expect(state.pnl(() => ticks(1100), owner)).toMatchObject({ realized, unrealized });
    }
    expect(state.exposure(BTC).positionLots).toBe(left);
  });

  test('adopt nothing at a first sync that a move explains', () => {
    const state = new AccountState();
    const facts: readonly Fact[] = [
      { type: 'MarketChanged', market: aMarket() },
      { type: 'FillRecorded', fill: bought },
      { type: 'PositionMoved', move: move(-10, 1050) },
      { type: 'PositionsReplaced', positions: [], seq: seq(30) },
      { type: 'AccountSynced', seq: seq(30) },
    ];
    for (const fact of facts) state.fold(fact);
    expect(takeChanges(state).filter(({ type }) => type === 'AnomalySeen')).toEqual([]);
    expect(state.positionLots(BTC)).toBe(0);
    expect(state.positionMismatches()).toEqual([]);
  });

  test('let a strategy bear what it held of the position, whatever else the account holds by now', () => {
    const more = aFill({ id: '11-0-0' as Cursor, orderId: 'foreign', sizeLots: 5, priceTicks: 1000 });
    const state = holding(
      { type: 'FillRecorded', fill: more },
      { type: 'PositionMoved', move: move(-10, 1050) },
    );
    expect(state.positionLots(BTC, MAKER)).toBe(0);
    expect(state.positionLots(BTC)).toBe(5);
  });
});

describe('a restart behind a position that was adopted and then settled (I2, I3; swarm seeds 602 and 856)', () => {
  const adopted = { symbol: BTC, sizeLots: lots(-5), costBasis: cashFor(-5, 1000), seq: seq(12) };
  const settled = entry('final_settlement', 20, -5_250n);

  async function restored(
    journal: ScriptedJournal,
    provenFill = settled.id as Cursor | undefined,
  ): Promise<readonly Fact[]> {
    const facts: Fact[] = [];
    journal.epoch = 'e';
    journal.fills = [bought];
    journal.ledger = [settled];
    journal.proven = { fills: provenFill };
    new AccountFacts({
      ...{ sink: (fact: Fact) => void facts.push(fact), clock: new VirtualClock(0), effects: journal },
      onJournalFailure: () => undefined,
    }).restore();
    return facts;
  }

  test('tells again what was adopted, and closes what was there', async () => {
    const journal = new ScriptedJournal();
    journal.adopted = [adopted];
    const facts = await restored(journal);
    expect(facts.map(({ type }) => type)).toEqual([
      'FillRecorded',
      'PositionAdopted',
      'PositionMoved',
      'LedgerRecorded',
    ]);
    expect(facts[2]).toMatchObject({ move: { changeLots: 5, ofLots: -5 } });
  });

  test('closes nothing yet where a fill before may be missing', async () => {
    const journal = new ScriptedJournal();
    journal.adopted = [adopted];
    const facts = await restored(journal, bought.id);
    expect(facts.map(({ type }) => type)).toEqual(['FillRecorded', 'PositionAdopted', 'LedgerRecorded']);
  });

  test('tells a move as it was found, and does not work it out again', async () => {
    const journal = new ScriptedJournal();
    const move = {
      symbol: BTC,
      changeLots: lots(7),
      ofLots: lots(-7),
      cash: quantums(-5_250n),
      seq: seq(20),
    };
    journal.moves = [move];
    const facts = await restored(journal);
    expect(facts.filter(({ type }) => type === 'PositionMoved')).toEqual([{ type: 'PositionMoved', move }]);
  });

  test("tells a market's end as one, whose part came to light in two", async () => {
    const journal = new ScriptedJournal();
    const end = { symbol: BTC, seq: seq(20), isMarketEnd: true } as const;
    journal.moves = [
      { ...end, changeLots: lots(-10), ofLots: lots(10), cash: quantums(10_500n) },
      { ...end, changeLots: lots(2), ofLots: lots(-2), cash: quantums(0n) },
      { ...end, symbol: ETH, changeLots: lots(-3), ofLots: lots(3), cash: quantums(7n) },
    ];
    const facts = await restored(journal);
    expect(facts.flatMap((fact) => (fact.type === 'PositionMoved' ? [fact.move] : []))).toEqual([
      { ...end, changeLots: -8, ofLots: 8, cash: 10_500n },
      { ...end, symbol: ETH, changeLots: -3, ofLots: 3, cash: 7n },
    ]);
  });

  test('holds the account as published, at what the exchange says it cost', () => {
    const state = new AccountState();
    const facts: readonly Fact[] = [
      { type: 'MarketChanged', market: aMarket() },
      { type: 'FillRecorded', fill: bought },
      { type: 'PositionAdopted', adopted },
      { type: 'PositionsReplaced', positions: [], seq: seq(30) },
    ];
    for (const fact of facts) state.fold(fact);
    expect(state.positionLots(BTC)).toBe(-5);
    expect(state.pnl(() => ticks(1000), undefined)).toMatchObject({ realized: 0n, unrealized: 0n });
    state.fold({ type: 'PositionMoved', move: { ...move(5, 1000), ofLots: lots(-5) } });
    state.fold({ type: 'AccountSynced', seq: seq(30) });
    expect(takeChanges(state).filter(({ type }) => type === 'AnomalySeen')).toEqual([]);
    expect(state.positionLots(BTC)).toBe(0);
  });
});
