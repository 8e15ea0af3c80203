import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTape } from '../../src/tape/index.ts';
import {
  asBacktest,
  asPaper,
  differencesOf,
  importHour,
  optionsOf,
  PARITY_TAPE,
  parityConfigs,
  paritySource,
  type Stretch,
} from '../support/parity.ts';
import { partingOf } from '../support/run-story.ts';
import { hasShared } from '../support/shared.ts';
import { onPaper, overTheWire } from '../support/wire-parity.ts';

const HAS_TAPE = hasShared(...PARITY_TAPE);
/** The whole hour: `npm run parity`. */
const MINUTES = 1;
const WIRE_MS = 40_000;

let stretch: Stretch;
let remove = (): void => undefined;
beforeAll(async () => {
  if (!HAS_TAPE) return;
  const hour = await importHour();
  remove = hour.remove;
  const { tape } = hour;
  stretch = { tape, fromMs: Math.ceil(openTape(tape).fromUs / 1_000), minutes: MINUTES };
});
afterAll(() => remove());

describe.skipIf(!HAS_TAPE)('parity on a recorded market (peers-and-features N4, U32)', () => {
  test.each(parityConfigs())('%s decides and is filled the same in a backtest and on paper', async (name) => {
    const source = paritySource(name);
    const backtest = await asBacktest(source, stretch);
    const paper = await asPaper(source, stretch);
    expect(differencesOf(backtest, paper)).toEqual([]);
    expect(backtest.record.counts.intents).toBeGreaterThan(0);
  });

  test('the ladder decides and is filled the same through lanes, signatures, requests, answers and frames', async () => {
    const source = paritySource('demo');
    const options = await optionsOf(source, stretch);
    const wire = await overTheWire(source, options, { fromMs: stretch.fromMs, forMs: WIRE_MS });
    const paper = await onPaper(source, options, { fromMs: wire.beganAtMs, forMs: WIRE_MS });
    expect(partingOf(wire.story, paper)).toEqual([]);
    expect(wire.story.fills.length).toBeGreaterThan(10);
    expect(wire.story.cash).not.toBe(0n);
    expect(wire.requests).toBeGreaterThan(50);
  });
});
