/**
 * @module
 * An order that is replaced again and again, under a number that its replacements keep and under new ones (ambiguity A10).
 * Of each, answers, frames, fills and lists tell at another time, and of some nobody remembers the write. However they
 * arrive, at no time is less reserved than could still become a position (I10), in the end the account has what the exchange
 * has (I2, I3), and how an order ended is told once and as it was (I30).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccountChange,
  AccountState,
  type Cursor,
  type Fact,
  type IntentId,
  lots,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  ticks,
  type WorkingOrder,
} from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  MAKER,
  proof,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const SIZE = 10;

/**
 * What happens to the number: it is replaced at another price, it is canceled, some of it is filled, the exchange takes it
 * away; or frames are lost.
 */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), wait: fc.nat(2) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), wait: fc.nat(2) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('fill' as const), size: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lag' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const run = fc.record({
  /** Does a replacement keep the number of the order that it replaces? */
  isKept: fc.boolean(),
  /** Of lives before this one: what it does not remember. */
  before: fc.array(step, { maxLength: 6 }),
  live: fc.array(step, { minLength: 1, maxLength: 8 }),
  /** How much of the history of fills the journal has, and whether it knows whose the first order was. */
  journalFills: fc.nat(6),
  isOwnerKnown: fc.boolean(),
  /** Which of the earlier writes is open still, of those before the last; nothing behind it is remembered. */
  open: fc.option(fc.nat(5)),
  /** Draws of what arrives next. */
  draws: fc.array(fc.nat(99), { minLength: 40, maxLength: 40 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

/** A write as the exchange has it in its log, and what is told of it. */
interface Told {
  readonly sent: Fact;
  readonly answer: readonly Fact[];
  readonly frames: readonly Fact[];
}

/** A write that has left. */
interface Asked {
  /** What it places; absent: it cancels, and nothing else. */
  readonly spec: OrderSpec | undefined;
  readonly ref: OrderRef;
  readonly requestId: string;
  readonly sent: Fact;
}

/** The order as the exchange knows it. */
class Truth {
  readonly #isKept: boolean;
  #number = 7;
  #intent = 'i0';
  #writes = 0;
  price = 1;
  remaining = SIZE;
  filled = 0;
  at = 10;
  readonly fills: Fact[] = [];
  /** How the orders of intents have ended. */
  readonly ends = new Map<string, 'filled' | 'canceled'>();

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  get isWorking(): boolean {
    return this.remaining > 0;
  }

  get ref(): OrderRef {
    return { symbol: BTC, orderId: String(this.#number) as OrderId };
  }

  order(): WorkingOrder {
    const [priceTicks, sizeLots, remainingLots] = [ticks(this.price), lots(SIZE), lots(this.remaining)];
    return aWorkingOrder(this.ref.orderId, { priceTicks, sizeLots, remainingLots });
  }

  /** The write that would cancel the order as it stands, before it is executed. */
  askCancel(): Asked {
    const { ref } = this;
    this.#writes++;
    const requestId = `r${this.#writes}`;
    return { spec: undefined, ref, requestId, sent: sent(requestId, [], { cancels: [ref] }) };
  }

  /** The write that would replace the order as it stands, before it is executed. */
  ask(): Asked {
    const { ref } = this;
    this.#writes++;
    const requestId = `r${this.#writes}`;
    const priceTicks = this.#writes + 1;
    const spec = aSpec({ intentId: `i${this.#writes}` as IntentId, sizeLots: SIZE, priceTicks });
    return { spec, ref, requestId, sent: sent(requestId, [spec], { cancels: [ref] }) };
  }

  /** Carries a write out, if there is still what it replaces. */
  execute({ spec, ref, requestId, sent: asked }: Asked): Told {
    this.at += 10;
    const by = proof('answer', requestId);
    const reason = 'UnknownOrder';
    if (!this.isWorking)
      return {
        sent: asked,
        answer: [
          { type: 'CancelRejected', ref, reason, proof: by },
          ...(spec === undefined ? [] : [{ type: 'OrderRejected', spec, reason, proof: by } as const]),
          resolved(requestId, 'rejected', { seq: this.at }),
        ],
        frames: [],
      };
    const canceled: Fact = {
      ...{ type: 'CancelExecuted', ref, proof: by },
      ...{ canceledLots: lots(this.remaining), seq: seq(this.at) },
    };
    this.ends.set(this.#intent, 'canceled');
    const end = this.#ended(ref, 'canceled', this.remaining);
    if (spec === undefined) {
      this.remaining = 0;
      return {
        sent: asked,
        answer: [canceled, resolved(requestId, 'executed', { seq: this.at })],
        frames: [end],
      };
    }
    const gone = this.#isKept ? [] : [end];
    if (!this.#isKept) this.#number++;
    this.#intent = spec.intentId;
    this.price = spec.priceTicks;
    this.remaining = SIZE;
    return {
      sent: asked,
      answer: [
        canceled,
        { ...accepted(spec, this.ref.orderId, { seq: this.at }), proof: by } as Fact,
        resolved(requestId, 'executed', { seq: this.at }),
      ],
      frames: [...gone, this.#standing()],
    };
  }

  /** Fills some of what works. Gives its frame. */
  fill(size: number): Fact {
    this.at += 10;
    const sizeLots = Math.min(size, this.remaining);
    this.remaining -= sizeLots;
    this.filled += sizeLots;
    const { orderId } = this.ref;
    this.fills.push({
      type: 'FillRecorded',
      fill: aFill({ id: `${this.at}-0-0` as Cursor, orderId, sizeLots, priceTicks: this.price }),
    });
    if (this.isWorking) return this.#standing();
    this.ends.set(this.#intent, 'filled');
    return this.#ended(this.ref, 'filled', 0);
  }

  /** Takes away what works. Gives its frame. */
  end(): Fact {
    const { remaining } = this;
    this.at += 10;
    this.remaining = 0;
    this.ends.set(this.#intent, 'canceled');
    return this.#ended(this.ref, 'canceled', remaining);
  }

  #standing(): Fact {
    return { type: 'OrderOpened', order: this.order(), seq: seq(this.at) };
  }

  #ended(ref: OrderRef, status: 'filled' | 'canceled', remaining: number): Fact {
    const by = { seq: seq(this.at), proof: proof('stream', `${this.at}`) };
    return { type: 'OrderEnded', ref, status, ...by, remainingLots: lots(remaining) };
  }
}

/** An account in a life that begins, and what is on its way to it. */
class Life {
  readonly state = new AccountState();
  readonly truth: Truth;
  /** What this life has asked for. */
  readonly intents = new Set<string>();
  readonly #run: Run;
  /** A write that the exchange has not carried out, and how many things happen before. */
  #asked: { readonly write: Asked; wait: number } | undefined;
  readonly #frames: Fact[] = [];
  readonly #fills: Fact[] = [];
  readonly #answers: Fact[] = [];
  #draw = 0;
  #isSynced = false;

  constructor(one: Run) {
    this.#run = one;
    this.truth = new Truth(one.isKept);
  }

  /** Goes through everything. */
  live(): void {
    const open = this.#before();
    this.#start(open);
    for (const next of this.#run.live) {
      if (!this.truth.isWorking && 'wait' in next) break;
      this.#happen(next);
      this.#arrive(this.#next() % 4);
    }
    this.#carryOut();
    this.#arrive(Number.POSITIVE_INFINITY);
  }

  /** What happened before this life began. Gives the write that is open still. */
  #before(): Told | undefined {
    const { before, open } = this.#run;
    const writes: Told[] = [];
    for (const next of before) {
      if (!this.truth.isWorking) break;
      if (next.kind === 'replace') writes.push(this.truth.execute(this.truth.ask()));
      else if (next.kind === 'fill') this.truth.fill(next.size);
      else if (next.kind === 'end' || next.kind === 'cancel') this.truth.end();
    }
    // Where nothing works any more, fills of writes that nobody remembers are explained by nothing.
    return open === null || !this.truth.isWorking ? undefined : writes[open];
  }

  /** The account is read: the write that is open, what the journal has, the list of orders and the rest of the history. */
  #start(open: Told | undefined): void {
    const { journalFills, isOwnerKnown } = this.#run;
    const { truth } = this;
    this.#tell({ type: 'MarketChanged', market: aMarket() });
    if (isOwnerKnown)
      this.state.recallOwners([{ orderId: '7' as OrderId, strategyId: MAKER, intentId: 'i0' as IntentId }]);
    const history = [...truth.fills];
    for (const fact of history.splice(0, journalFills)) this.#tell(fact);
    if (open !== undefined) {
      this.#tell(open.sent);
      this.#answers.push(...open.answer);
    }
    const orders = truth.isWorking ? [truth.order()] : [];
    this.#frames.push({ type: 'OrdersReplaced', orders, seq: seq(truth.at), isComplete: true });
    this.#fills.push(...(this.#next() % 2 === 0 ? history : history.toReversed()));
    while (this.#frames.length + this.#fills.length > 0) this.#arrive(1);
    this.#tell({ type: 'AccountSynced', seq: seq(truth.at) });
    // All that is open is resolved before the first new write.
    for (const fact of this.#answers.splice(0)) this.#tell(fact);
    this.#isSynced = true;
    truth.fills.length = 0;
  }

  #happen(next: Step): void {
    const { truth } = this;
    if (this.#asked !== undefined && this.#asked.wait-- === 0) this.#carryOut();
    if ('wait' in next) {
      // One unresolved write at a time.
      this.#carryOut();
      for (const fact of this.#answers.splice(0)) this.#tell(fact);
      const write = next.kind === 'cancel' ? truth.askCancel() : truth.ask();
      if (write.spec !== undefined) this.intents.add(write.spec.intentId);
      this.#tell(write.sent);
      this.#asked = { write, wait: next.wait };
      if (next.wait === 0) this.#carryOut();
    } else if (next.kind === 'lag') this.#resync();
    else if (truth.isWorking) {
      this.#frames.push(next.kind === 'fill' ? truth.fill(next.size) : truth.end());
      this.#fills.push(...truth.fills.splice(0));
    }
    this.#judge();
  }

  #carryOut(): void {
    if (this.#asked === undefined) return;
    const { answer, frames } = this.truth.execute(this.#asked.write);
    this.#asked = undefined;
    this.#answers.push(...answer);
    this.#frames.push(...frames);
  }

  /** Frames of orders were lost: the list is read again, and the history up to it. */
  #resync(): void {
    this.#frames.length = 0;
    this.#isSynced = false;
    this.#tell({ type: 'AccountDegraded', reason: 'lagged' });
    const { truth } = this;
    const orders = truth.isWorking ? [truth.order()] : [];
    this.#frames.push({ type: 'OrdersReplaced', orders, seq: seq(truth.at), isComplete: true });
    while (this.#frames.length + this.#fills.length > 0) this.#arrive(1);
    this.#isSynced = true;
    this.#tell({ type: 'AccountSynced', seq: seq(truth.at) });
  }

  /** Lets `count` of what is on its way arrive; each source keeps its order, an answer comes as a whole. */
  #arrive(count: number): void {
    for (let i = 0; i < count; i++) {
      const sources = [this.#answers, this.#frames, this.#fills].filter(({ length }) => length > 0);
      const source = sources[this.#next() % Math.max(1, sources.length)];
      if (source === undefined) return;
      const facts = source === this.#answers ? source.splice(0) : source.splice(0, 1);
      for (const fact of facts) this.#tell(fact);
    }
  }

  #tell(fact: Fact): void {
    this.state.fold(fact);
    if (fact.type !== 'CancelExecuted' && fact.type !== 'OrderAccepted') this.#judge();
  }

  /** While the account is synced, bought and reserved is at least what is bought and could still be. */
  #judge(): void {
    if (!this.#isSynced) return;
    const { state, truth } = this;
    const known = state.positionLots(BTC) + state.exposure(BTC).buyLots;
    expect(known).toBeGreaterThanOrEqual(truth.filled + truth.remaining);
  }

  #next(): number {
    return this.#run.draws[this.#draw++ % this.#run.draws.length] ?? 0;
  }
}

/** How the orders of intents were told to end, as often as it was told. */
function endsOf(changes: readonly AccountChange[]): Map<string, string[]> {
  const ends = new Map<string, string[]>();
  for (const change of changes) {
    if (change.type !== 'OrderChanged' || !['filled', 'canceled'].includes(change.status)) continue;
    const { intentId = '' } = change;
    ends.set(intentId, [...(ends.get(intentId) ?? []), change.status]);
  }
  return ends;
}

describe('an order and those that replace it', () => {
  test('are never reserved short, and are in the end what the exchange has', () => {
    fc.assert(
      fc.property(run, (one) => {
        const life = new Life(one);
        life.live();
        const { state, truth } = life;
        const changes = takeChanges(state);
        expect(changes.filter(({ type }) => type === 'AnomalySeen')).toEqual([]);
        // Behind a lag the list says that an order is gone; how it ended goes by the fills that are known to be its own.
        const ends = one.live.some(({ kind }) => kind === 'lag') ? [] : endsOf(changes);
        for (const [intent, told] of ends)
          if (life.intents.has(intent)) expect([intent, ...told]).toEqual([intent, truth.ends.get(intent)]);
        expect(state.positionLots(BTC)).toBe(truth.filled);
        expect(state.exposure(BTC).buyLots).toBe(truth.remaining);
        expect(
          state.workingOrders(BTC).map(({ priceTicks, remainingLots }) => [priceTicks, remainingLots]),
        ).toEqual(truth.isWorking ? [[truth.price, truth.remaining]] : []);
      }),
      { numRuns: 3_000 },
    );
  });
});
