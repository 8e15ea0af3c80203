import { describe, expect, test } from 'vitest';
import { JournalState } from '../../../../src/bot/journal/index.ts';
import { AssertionError } from '../../../../src/core/index.ts';
import { aFill, anEntry, anOutcome, aWrite, requestId, SCOPE } from './support.ts';

function stateOf(...records: Parameters<JournalState['apply']>[0][]): JournalState {
  const state = new JournalState();
  for (const record of records) state.apply(record);
  return state;
}

describe('open writes', () => {
  test('a write without an outcome is open', () => {
    const state = stateOf(
      { type: 'write', value: aWrite(4) },
      { type: 'write', value: aWrite(5) },
      { type: 'outcome', value: anOutcome(4) },
    );
    expect(state.openWrites()).toEqual([aWrite(5)]);
  });

  test('a refused write stays open until its nonce is spent by another request (obligation O61)', () => {
    const refused = anOutcome(4, { outcome: 'refused', nonceConsumed: false });
    const next = aWrite(40, { nonce: aWrite(4).nonce });
    const state = stateOf({ type: 'write', value: aWrite(4) }, { type: 'outcome', value: refused });
    expect(state.openWrites()).toHaveLength(1);
    state.apply({ type: 'write', value: next });
    state.apply({ type: 'outcome', value: anOutcome(40) });
    expect(state.openWrites()).toEqual([]);
  });

  test('a rejection that did not consume the nonce leaves the write open', () => {
    const rejected = anOutcome(4, { outcome: 'rejected', nonceConsumed: false });
    const state = stateOf({ type: 'write', value: aWrite(4) }, { type: 'outcome', value: rejected });
    expect(state.openWrites()).toHaveLength(1);
    expect(state.consumedNonce(SCOPE, 'epoch-1')).toBeUndefined();
  });

  test('a write of which not one byte left is closed', () => {
    const notSent = anOutcome(4, { outcome: 'notSent', nonceConsumed: false });
    const state = stateOf({ type: 'write', value: aWrite(4) }, { type: 'outcome', value: notSent });
    expect(state.openWrites()).toEqual([]);
  });

  test('an outcome of an unknown request changes nothing', () => {
    const state = stateOf({ type: 'write', value: aWrite(4) }, { type: 'outcome', value: anOutcome(9) });
    expect(state.openWrites().map((write) => write.requestId)).toEqual([requestId(4)]);
  });
});

describe('nonces', () => {
  test('keeps the highest written and the highest spent nonce of each scope', () => {
    const state = stateOf(
      { type: 'write', value: aWrite(4) },
      { type: 'outcome', value: anOutcome(4) },
      { type: 'write', value: aWrite(5) },
      { type: 'write', value: aWrite(90, { scope: 'agent:0x22' }) },
    );
    expect(state.highestNonce(SCOPE)).toBe(5n);
    expect(state.consumedNonce(SCOPE, 'epoch-1')).toBe(4n);
    expect(state.highestNonce('agent:0x22')).toBe(90n);
    expect(state.highestNonce('agent:0x33')).toBeUndefined();
  });

  test('a nonce spent in another epoch proves nothing (obligation O119)', () => {
    const state = stateOf({ type: 'write', value: aWrite(4) }, { type: 'outcome', value: anOutcome(4) });
    expect(state.consumedNonce(SCOPE, 'epoch-2')).toBeUndefined();
  });
});

describe('effects', () => {
  test('cursors move with the effects and never back (obligation O97, invariant I18)', () => {
    const state = stateOf(
      { type: 'effects', value: { epoch: 'e', fills: [aFill(10)], ledger: [anEntry(10)] } },
      { type: 'effects', value: { epoch: 'e', fills: [aFill(9)], ledger: [] } },
    );
    expect(state.cursors()).toEqual({ epoch: 'e', fills: '10-0-1', ledger: '10-0-2' });
    expect(state.effects().fills).toHaveLength(2);
  });

  test('a new epoch forgets effects and cursors and keeps open writes', () => {
    const state = stateOf(
      { type: 'write', value: aWrite(4) },
      { type: 'effects', value: { epoch: 'e', fills: [aFill(10)], ledger: [] } },
      { type: 'epoch', value: { epoch: 'f' } },
    );
    expect(state.cursors()).toEqual({ epoch: 'f', fills: undefined, ledger: undefined });
    expect(state.effects()).toEqual({ fills: [], ledger: [], moves: [], adopted: [] });
    expect(state.openWrites()).toHaveLength(1);
  });

  test('error: effects of another epoch without a reset are a bug', () => {
    const state = stateOf({ type: 'epoch', value: { epoch: 'f' } });
    const record = { type: 'effects', value: { epoch: 'e', fills: [], ledger: [] } } as const;
    expect(() => state.apply(record)).toThrow(AssertionError);
  });
});

test('an image gives the same state again', () => {
  const state = stateOf(
    { type: 'write', value: aWrite(4) },
    { type: 'outcome', value: anOutcome(4) },
    { type: 'write', value: aWrite(5) },
    { type: 'outcome', value: anOutcome(5, { outcome: 'refused', nonceConsumed: false }) },
    { type: 'effects', value: { epoch: 'e', fills: [aFill(10)], ledger: [anEntry(11)] } },
    { type: 'trigger', value: { triggerAtMs: aWrite(1).nowMs } },
  );
  expect(JournalState.from(structuredClone(state.image())).image()).toEqual(state.image());
});
