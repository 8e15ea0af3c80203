/** @module I31: after a minute of truth a bot quotes, or a name that a person clears says why not. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/quotes-again.ts';
import { MadeRun, type WriteOptions } from './made-run.ts';

const ORDER: WriteOptions = { nonce: 0n };

const healed = (): MadeRun => new MadeRun(ORACLES).live().tell({ kind: 'healed' });

function held(run: MadeRun, control: string, state = 'halted'): MadeRun {
  const event = { type: 'TradingStateChanged', atMs: 0, fields: { control, state } };
  return run.tell({ kind: 'audit', life: 1, event });
}

describe('quotes come back (I31)', () => {
  test('within a minute of truth', () => {
    expect(healed().pass(60_000).block().broken).toEqual([]);
    expect(healed().pass(60_001).block().broken).toEqual(['I31']);
  });

  test('not before there is truth', () => {
    expect(new MadeRun(ORACLES).live().pass(120_000).block().broken).toEqual([]);
  });

  test('and stay: they are looked for as long as the run goes on', () => {
    const run = healed();
    run.record(ORDER);
    run.post(ORDER);
    run.rests(ORDER, 7n);
    expect(run.pass(90_000).block().broken).toEqual([]);
  });

  test('or a control that a person clears says why not', () => {
    expect(held(healed(), 'M10').pass(90_000).block().broken).toEqual([]);
    expect(held(held(healed(), 'M10'), 'M10', 'active').pass(90_000).block().broken).toEqual(['I31']);
    const lane = {
      level: 'error',
      message: 'lane halted',
      fields: { code: 'EXECUTION_GRANT_INVALID' },
    } as const;
    expect(
      healed()
        .tell({ kind: 'log', life: 1, ...lane })
        .pass(90_000)
        .block().broken,
    ).toEqual([]);
  });

  test('what ends on its own is no reason after a minute', () => {
    expect(held(healed(), 'M3').pass(90_000).block().broken).toEqual(['I31']);
    expect(held(healed(), 'M5', 'paused').pass(90_000).block().broken).toEqual(['I31']);
  });

  test('a bot that is being stopped owes no quotes', () => {
    expect(healed().lifeIs('stopping').pass(90_000).block().broken).toEqual([]);
  });
});
