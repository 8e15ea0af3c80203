/** @module The oracle of bars: what was told live is what the fills make, and only that is looked at. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/candles.ts';
import type { BotView } from '../../../simulation/types.ts';
import { MadeRun, START_MS } from './made-run.ts';

const MINUTE_MS = 60_000;
const subscribed = (channel: string) =>
  ({
    kind: 'frame',
    socket: 1,
    life: 1,
    text: `{"channel":"subscribed","data":{"channel":"${channel}","symbol":"BTC-USD"},"epoch":"e"}`,
  }) as const;
const SUBSCRIBED = subscribed('candles');
const SECOND_MS = START_MS + MINUTE_MS;

type Bar = NonNullable<BotView['candles'][string]>[number];

const bar = (fields: Partial<Bar> = {}): Bar => ({
  startAtMs: SECOND_MS,
  openTicks: 1_000_000,
  highTicks: 1_000_020,
  lowTicks: 1_000_000,
  closeTicks: 1_000_010,
  volumeLots: 60,
  ...fields,
});

const believes = (...bars: readonly Bar[]): Partial<BotView> => ({ candles: { 'BTC-USD': bars } });

/** A healed run whose second minute has three fills, all told, and is over. */
function minuteOver(): MadeRun {
  const run = new MadeRun(ORACLES).live().block().tell(SUBSCRIBED).tell({ kind: 'healed' });
  run.pass(MINUTE_MS).block().filled('110-0-0', 10).filled('120-0-0', -20, 1_000_020);
  return run
    .pass(1_000)
    .filled('130-0-0', 30, 1_000_010)
    .pass(MINUTE_MS + 10_000)
    .block();
}

describe('bars (I25, O94)', () => {
  test('are what the fills of their minute make', () => {
    expect(minuteOver().with(believes(bar())).quiesce().broken).toEqual([]);
  });

  test.each([
    ['its volumes were added up', [bar({ volumeLots: 100 })]],
    ['a frame of it was lost', [bar({ closeTicks: 1_000_020, volumeLots: 30 })]],
    ['it is missing', []],
  ])('are not alike when %s', (_why, bars) => {
    expect(
      minuteOver()
        .with(believes(...bars))
        .quiesce().broken,
    ).toEqual(['I25']);
  });

  test('are looked at however soon before another channel was subscribed again', () => {
    const run = minuteOver()
      .tell(subscribed('positions'))
      .with(believes(bar({ volumeLots: 100 })));
    expect(run.quiesce().broken).toEqual(['I25']);
  });

  test('exist only where something was traded', () => {
    const quiet = bar({ startAtMs: SECOND_MS + MINUTE_MS });
    const run = minuteOver().pass(MINUTE_MS).block();
    expect(run.with(believes(bar(), quiet)).quiesce().broken).toEqual(['I25']);
  });

  test('are looked at when a stop begins too', () => {
    const run = minuteOver().with(believes(bar({ volumeLots: 100 })));
    expect(run.lifeIs('stopping').broken).toEqual(['I25']);
  });

  test('are not looked at before their minute is over', () => {
    const run = new MadeRun(ORACLES).live().block().tell(SUBSCRIBED).tell({ kind: 'healed' });
    run.pass(MINUTE_MS).block().filled('110-0-0', 10).with(believes());
    expect(run.quiesce().broken).toEqual([]);
  });

  test('are not looked at of the time before the healing, nor while the bot is not connected', () => {
    const healed = minuteOver().with(believes()).tell({ kind: 'healed' });
    expect(healed.quiesce().broken).toEqual([]);
    const closed = minuteOver().with(believes()).tell({ kind: 'closed', socket: 1, life: 1 });
    expect(closed.quiesce().broken).toEqual([]);
    expect(closed.tell(SUBSCRIBED).quiesce().broken).toEqual([]);
    expect(closed.pass(30_000).quiesce().broken).toEqual(['I25']);
  });

  test('of the ledger before are nobody’s', () => {
    const run = minuteOver().with(believes(bar(), bar({ startAtMs: SECOND_MS + MINUTE_MS })));
    expect(run.log({ kind: 'epoch', epoch: 'e2' }).quiesce().broken).toEqual([]);
  });
});
