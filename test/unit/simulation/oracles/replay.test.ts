/** @module What is held is what the rows of the journal give: right runs pass, wrong ones do not (I21). */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/replay.ts';
import type { BotView } from '../../../simulation/types.ts';
import { MadeRun } from './made-run.ts';

const fill = { id: '7-0-0', symbol: 'BTC-USD', side: 'buy', priceTicks: 1_000_000, sizeLots: 3 } as const;
const entry = { id: '7-0-1', amount: { $big: '-30000' } };
const HELD: Partial<BotView> = { fills: [fill], ledger: [{ id: '7-0-1', amount: -30_000n }] };

/** A run whose journal has a fill and a ledger entry, and that holds what `view` says. */
function run(view: Partial<BotView>, isDurable = true): MadeRun {
  const one = new MadeRun(ORACLES, { view }).live();
  return one.row('effects', { epoch: 'e1', fills: [fill], ledger: [entry] }, isDurable);
}

describe('a life', () => {
  test('holds what its rows give', () => {
    expect(run(HELD).quiesce().broken).toEqual([]);
    expect(run({ ...HELD, fills: [] }).quiesce().broken).toEqual(['I21']);
    expect(run({ ...HELD, ledger: [] }).quiesce().broken).toEqual(['I21']);
  });

  test('holds nothing that no row has', () => {
    const twin = { ...fill, id: '8-0-0' };
    expect(run({ ...HELD, fills: [fill, twin] }).quiesce().broken).toEqual(['I21']);
    expect(run({ ...HELD, ledger: [{ id: '9-0-0', amount: 1n }] }).quiesce().broken).toEqual(['I21']);
  });

  test.each([{ sizeLots: 4 }, { priceTicks: 1 }, { side: 'sell' }, { symbol: 'ETH-USD' }] as const)(
    'holds a fill as its row says, not with %j',
    (other) => {
      expect(run({ ...HELD, fills: [{ ...fill, ...other }] }).quiesce().broken).toEqual(['I21']);
    },
  );

  test('holds an entry with the amount of its row', () => {
    expect(run({ ...HELD, ledger: [{ id: '7-0-1', amount: 30_000n }] }).quiesce().broken).toEqual(['I21']);
  });

  test('that comes next holds what was durable, and perhaps what was not', () => {
    const forgetful = run({ fills: [], ledger: [] });
    forgetful.state = 'over';
    forgetful.lifeIs('killed');
    forgetful.state = 'running';
    expect(forgetful.live().broken).toEqual(['I21']);
    expect(run({ fills: [], ledger: [] }, false).lifeIs('killed').live().broken).toEqual([]);
    expect(run(HELD, false).lifeIs('killed').live().broken).toEqual([]);
  });

  test('on a disk that lost rows may hold less, not other', () => {
    const damaged = (view: Partial<BotView>): MadeRun =>
      run(HELD).tell({ kind: 'fault', id: 'F57', what: 'begun' }).lifeIs('killed').with(view);
    expect(damaged({ fills: [], ledger: [] }).live().broken).toEqual([]);
    expect(damaged({ fills: [{ ...fill, sizeLots: 4 }] }).live().broken).toEqual(['I21']);
  });

  test('in a new ledger holds what its rows give', () => {
    const next = run(HELD).row('epoch', { epoch: 'e2' });
    expect(next.quiesce().broken).toEqual([]);
    expect(next.with({ epoch: 'e2' }).quiesce().broken).toEqual(['I21']);
    expect(
      run(HELD).row('epoch', { epoch: 'e2' }).with({ epoch: 'e2', fills: [], ledger: [] }).quiesce().broken,
    ).toEqual([]);
  });
});
