/**
 * @module
 * Where a replacement keeps the number of the order it replaces (ambiguity A10), one number is many orders, and of each of
 * them answers, frames, fills and lists tell at another time. However they arrive, at no time is less reserved than could
 * still become a position (I10), and in the end the account has what the exchange has (I2, I3).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  type IntentId,
  lots,
  type OrderId,
  type OrderSpec,
  ticks,
} from '../../src/domain/index.ts';
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

const ID = '7' as OrderId;
const REF = { symbol: BTC, orderId: ID };
const SIZE = 10;

/** What happens to the number: it is replaced at another price, some of it is filled, the exchange takes it away; or frames are lost. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('replace' as const) }),
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
}

/** The number as the exchange knows it. */
class Truth {
  price = 1;
  remaining = SIZE;
  filled = 0;
  at = 10;
  #writes = 0;
  readonly fills: Fact[] = [];

  get isWorking(): boolean {
    return this.remaining > 0;
  }

  standing(): Fact {
    return { type: 'OrderOpened', order: this.order(), seq: seq(this.at) };
  }

  order(): ReturnType<typeof aWorkingOrder> {
    const [priceTicks, sizeLots, remainingLots] = [ticks(this.price), lots(SIZE), lots(this.remaining)];
    return aWorkingOrder(ID, { priceTicks, sizeLots, remainingLots });
  }

  ended(status: 'filled' | 'canceled', remaining: number): Fact {
    const by = { seq: seq(this.at), proof: proof('stream', `${this.at}`) };
    return { type: 'OrderEnded', ref: REF, status, ...by, remainingLots: lots(remaining) };
  }

  /** The write that would replace the order as it stands, before it is executed. */
  ask(): { readonly spec: OrderSpec; readonly requestId: string; readonly sent: Fact } {
    this.#writes++;
    const requestId = `r${this.#writes}`;
    const priceTicks = this.#writes + 1;
    const spec = aSpec({ intentId: `i${this.#writes}` as IntentId, sizeLots: SIZE, priceTicks });
    return { spec, requestId, sent: sent(requestId, [spec], { cancels: [REF] }) };
  }

  replace({ spec, requestId, sent: asked }: ReturnType<Truth['ask']>): Told {
    const canceledLots = lots(this.remaining);
    this.at += 10;
    const by = proof('answer', requestId);
    const placed = { ...accepted(spec, ID, { seq: this.at }), proof: by } as Fact;
    this.price = spec.priceTicks;
    this.remaining = SIZE;
    return {
      sent: asked,
      answer: [
        { type: 'CancelExecuted', ref: REF, canceledLots, seq: seq(this.at), proof: by },
        placed,
        resolved(requestId, 'executed', { seq: this.at }),
      ],
    };
  }

  fill(size: number): void {
    this.at += 10;
    const sizeLots = Math.min(size, this.remaining);
    this.remaining -= sizeLots;
    this.filled += sizeLots;
    this.fills.push({
      type: 'FillRecorded',
      fill: aFill({ id: `${this.at}-0-0` as Cursor, orderId: ID, sizeLots, priceTicks: this.price }),
    });
  }

  end(): void {
    this.at += 10;
    this.remaining = 0;
  }
}

/** An account in a life that begins, and what is on its way to it. */
class Life {
  readonly state = new AccountState();
  readonly truth = new Truth();
  readonly #run: Run;
  readonly #frames: Fact[] = [];
  readonly #fills: Fact[] = [];
  readonly #answers: Fact[] = [];
  #draw = 0;
  #isSynced = false;

  constructor(one: Run) {
    this.#run = one;
  }

  /** Goes through everything. */
  live(): void {
    const open = this.#before();
    this.#start(open);
    for (const next of this.#run.live) {
      if (!this.truth.isWorking) break;
      this.#happen(next);
      this.#arrive(this.#next() % 4);
    }
    this.#arrive(Number.POSITIVE_INFINITY);
  }

  /** What happened before this life began. Gives the write that is open still. */
  #before(): Told | undefined {
    const { before, open } = this.#run;
    const writes: Told[] = [];
    for (const next of before) {
      if (!this.truth.isWorking) break;
      if (next.kind === 'replace') writes.push(this.truth.replace(this.truth.ask()));
      else if (next.kind === 'fill') this.truth.fill(next.size);
      else if (next.kind === 'end') this.truth.end();
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
      this.state.recallOwners([{ orderId: ID, strategyId: MAKER, intentId: 'i0' as IntentId }]);
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
    if (next.kind === 'replace') {
      // One unresolved write at a time.
      for (const fact of this.#answers.splice(0)) this.#tell(fact);
      const asked = truth.ask();
      this.#tell(asked.sent);
      this.#answers.push(...truth.replace(asked).answer);
      this.#frames.push(truth.standing());
    } else if (next.kind === 'fill') {
      truth.fill(next.size);
      this.#fills.push(...truth.fills.splice(0));
      this.#frames.push(truth.isWorking ? truth.standing() : truth.ended('filled', 0));
    } else if (next.kind === 'lag') this.#resync();
    else {
      const { remaining } = truth;
      truth.end();
      this.#frames.push(truth.ended('canceled', remaining));
    }
    this.#judge();
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

describe('a number that replacements keep', () => {
  test('is never reserved short, and is in the end what the exchange has', () => {
    fc.assert(
      fc.property(run, (one) => {
        const life = new Life(one);
        life.live();
        const { state, truth } = life;
        const anomalies = state.takeChanges().filter(({ type }) => type === 'AnomalySeen');
        expect(anomalies).toEqual([]);
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
