/** @module The oracle of public trades: a bot hears of them, and of none that the log does not have. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/trades.ts';
import { MadeRun } from './made-run.ts';

const LATER_MS = 20_000;
const SUBSCRIBED = {
  kind: 'frame',
  socket: 1,
  life: 1,
  text: '{"channel":"subscribed","data":{"channel":"trades","symbol":"BTC-USD"},"epoch":"e"}',
} as const;

const knows = (seq: bigint | undefined) => ({ trades: { 'BTC-USD': seq } });

/** A healed run, long subscribed, with two trades of which the second is a while ago, and one just now. */
function traded(): MadeRun {
  const run = new MadeRun(ORACLES).live().block().tell(SUBSCRIBED).tell({ kind: 'healed' });
  run.pass(LATER_MS).block().filled('110-0-0', 10).filled('120-0-0', -20);
  return run.pass(LATER_MS).block().filled('130-0-0', 30);
}

describe('public trades (I25, O103)', () => {
  test.each([110n, 120n, 130n])('go on when the bot has that of %s', (seq) => {
    expect(traded().with(knows(seq)).quiesce().broken).toEqual([]);
  });

  test.each([undefined, 100n, 900_000n])('do not go on when the bot has that of %s', (seq) => {
    expect(traded().with(knows(seq)).quiesce().broken).toEqual(['I25']);
    expect(traded().with(knows(seq)).lifeIs('stopping').broken).toEqual(['I25']);
  });

  test('are not looked at of the time before the healing, or of another ledger', () => {
    expect(traded().with(knows(100n)).tell({ kind: 'healed' }).quiesce().broken).toEqual([]);
    expect(traded().with(knows(100n)).log({ kind: 'epoch', epoch: 'e2' }).quiesce().broken).toEqual([]);
  });

  test('are not looked at before the healing, nor of the time in which the process stands still', () => {
    const ill = new MadeRun(ORACLES).live().block().tell(SUBSCRIBED);
    ill.pass(LATER_MS).block().filled('110-0-0', 10).filled('120-0-0', -20).pass(LATER_MS).block();
    expect(ill.with(knows(100n)).quiesce().broken).toEqual([]);
    const still = traded().with(knows(100n));
    still.isPaused = true;
    expect(still.block().quiesce().broken).toEqual([]);
  });

  test('are not looked at shortly after the bot has subscribed', () => {
    expect(traded().with(knows(100n)).tell(SUBSCRIBED).quiesce().broken).toEqual([]);
  });
});
