/** @module The oracle of what strategies are told of the ends of their intents: right runs pass, wrong ones do not (I6). */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/told-intents.ts';
import { MadeRun, type WriteOptions } from './made-run.ts';

const order: WriteOptions = { nonce: 0n, intentId: 'i1' };
const ORDER_SEQ = 77n;
/** The same for the same write in every run. */
const REQUEST = new MadeRun([]).record(order);

/** A healed run that has sent one order. */
function sent(): MadeRun {
  const run = new MadeRun(ORACLES).live();
  run.isHealed = true;
  run.tell({ kind: 'healed' });
  run.record(order);
  run.post(order);
  return run;
}

function outcome(run: MadeRun, outcome: string, placed: readonly object[] = []): MadeRun {
  return run.row('outcome', { requestId: REQUEST, outcome, nonceConsumed: true, proof: 'answer', placed });
}

/** The order rests, and its write has its end. */
function resting(): MadeRun {
  const run = sent().rests(order, ORDER_SEQ);
  return outcome(run, 'executed', [{ orderId: '77', strategyId: 's1', intentId: 'i1' }]);
}

function told(run: MadeRun, status: string, strategy: string | undefined = 's1'): MadeRun {
  const event = { type: 'OrderChanged', atMs: 0, correlationId: 'i1', fields: { strategy, status } };
  return run.tell({ kind: 'audit', life: 1, event });
}

/** So much later, looked at in blocks. */
function later(run: MadeRun, ms: number): readonly string[] {
  for (let at = 0; at < 8; at++) run.pass(ms / 8).block();
  return run.broken;
}

describe('the end of an intent', () => {
  test.each(['rejected', 'superseded', 'void', 'notSent'])('that is %s is told', (end) => {
    expect(later(told(outcome(sent(), end), 'notExecuted'), 80_000)).toEqual([]);
    expect(later(outcome(sent(), end), 80_000)).toEqual(['I6']);
    expect(later(outcome(sent(), end), 29_000)).toEqual([]);
  });

  test('that an executed write says nothing of is told', () => {
    expect(later(outcome(sent(), 'executed'), 80_000)).toEqual(['I6']);
  });

  test('that was refused, or of which nothing was heard, is none yet', () => {
    expect(later(outcome(sent(), 'refused'), 80_000)).toEqual([]);
    expect(later(sent(), 80_000)).toEqual([]);
  });

  test('as an order is told when it rests no more', () => {
    expect(later(resting(), 80_000)).toEqual([]);
    const gone = (): MadeRun => {
      const run = resting();
      run.venue.orders.clear();
      return run;
    };
    expect(later(gone(), 80_000)).toEqual(['I6']);
    expect(later(told(gone(), 'filled'), 80_000)).toEqual([]);
    expect(later(told(gone(), 'working'), 80_000)).toEqual(['I6']);
  });

  test('comes with its ledger', () => {
    expect(later(resting().log({ kind: 'epoch', epoch: 'e2' }), 80_000)).toEqual(['I6']);
  });

  test('comes with another order of its number (A10)', () => {
    const next: WriteOptions = { nonce: 1n, intentId: 'i2' };
    const run = resting();
    run.record(next);
    expect(later(run.rests(next, ORDER_SEQ), 80_000)).toEqual(['I6']);
  });

  test('is told to the strategy that asked for it', () => {
    expect(told(outcome(sent(), 'rejected'), 'rejected', 's2').broken).toEqual(['I6']);
    expect(told(outcome(sent(), 'rejected'), 'rejected', 's1').broken).toEqual([]);
  });

  test('is not held against a life that stands, ends, or came later', () => {
    const paused = outcome(sent(), 'rejected');
    paused.isPaused = true;
    expect(later(paused, 80_000)).toEqual([]);
    const stopping = outcome(sent(), 'rejected');
    stopping.state = 'stopping';
    expect(later(stopping, 80_000)).toEqual([]);
    expect(later(outcome(sent(), 'rejected').lifeIs('killed').live(), 80_000)).toEqual([]);
  });
});
