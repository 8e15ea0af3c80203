/** @module The oracle of whom fills are told to: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/told-fills.ts';
import { MadeRun, type WriteOptions } from './made-run.ts';

const FIRST: WriteOptions = { nonce: 0n };
/** The strategy of made writes. */
const OWNER = 's1';

/** A run in which an order of the bot rests as number 7. */
function resting(): MadeRun {
  const one = new MadeRun(ORACLES).live();
  one.record(FIRST);
  one.post(FIRST);
  return one.rests(FIRST, 7n);
}

function told(one: MadeRun, strategy: string | undefined, orderId = '7'): readonly string[] {
  const fields = { id: '9-0-1', orderId, strategy };
  return one.tell({ kind: 'audit', life: 1, event: { type: 'FillApplied', atMs: 0, fields } }).broken;
}

describe('a fill is told to the strategy whose order it was (I1)', () => {
  test('and to no other, and not to nobody', () => {
    expect(told(resting(), OWNER)).toEqual([]);
    expect(told(resting(), 's2')).toEqual(['I1']);
    expect(told(resting(), undefined)).toEqual(['I1']);
  });

  test('one of a strange order is told to nobody', () => {
    expect(told(resting(), undefined, '8')).toEqual([]);
    expect(told(resting(), OWNER, '8')).toEqual(['I1']);
  });

  test('in the next life too, and of the ledger before', () => {
    const next = resting().lifeIs('killed').live();
    expect(told(next, undefined)).toEqual(['I1']);
    expect(told(resting().log({ kind: 'epoch', epoch: 'e2' }), OWNER)).toEqual([]);
  });

  test.each(['F57', 'F58'])('unless the journal that knew it was lost or changed (%s)', (id) => {
    const one = resting().tell({ kind: 'fault', id: id as `F${number}`, what: 'begun' });
    expect(told(one, undefined)).toEqual([]);
  });
});
