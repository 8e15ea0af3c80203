/** @module The oracle of leverage: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/leverage.ts';
import type { Applied } from '../../../simulation/oracles/support/truth.ts';
import { ACCOUNT, MadeRun } from './made-run.ts';

/** What the configuration of made runs asks for: 5. */
const WANTED_PPM = 200_000;

function starting(): MadeRun {
  return new MadeRun(ORACLES).lifeIs('started');
}

function set(run: MadeRun, customImfPpm: number, account = ACCOUNT): MadeRun {
  const event = { kind: 'LeverageSet', account, market: 0, customImfPpm };
  return run.log({ kind: 'request' }, { events: [event] } as unknown as Applied);
}

describe('the leverage with which a life begins to quote (I10)', () => {
  test('is the one of the configuration', () => {
    expect(set(starting(), WANTED_PPM).lifeIs('ready').broken).toEqual([]);
    expect(starting().lifeIs('ready').broken).toEqual(['I10']);
    expect(set(starting(), WANTED_PPM, ACCOUNT + 1).lifeIs('ready').broken).toEqual(['I10']);
  });

  test('is set again behind what others have set, unless they do it in the middle of the start', () => {
    const meddled = set(set(starting(), WANTED_PPM).lifeIs('ready'), 500_000).lifeIs('killed');
    expect(meddled.lifeIs('started').lifeIs('ready').broken).toEqual(['I10']);
    expect(set(starting(), 500_000).lifeIs('ready').broken).toEqual([]);
  });

  test('is set in the ledger that runs', () => {
    const run = set(starting(), WANTED_PPM).lifeIs('ready').lifeIs('killed');
    run.log({ kind: 'epoch', epoch: 'e2', rolledBackTo: 1 });
    expect(run.lifeIs('started').lifeIs('ready').broken).toEqual(['I10']);
  });
});
