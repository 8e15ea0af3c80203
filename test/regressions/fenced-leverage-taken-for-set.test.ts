/**
 * Symptom: the write that sets the leverage at a start was lost and its nonce fenced; the fence was executed, and the
 * start went on as if the leverage were set (outcomes-and-receipts.md: the end of a fence is no word on what it
 * fenced). One that ended with a ledger that is gone was waited for until the start was given up.
 */
import { describe, expect, test } from 'vitest';
import type { RequestFault } from '../../src/exchange/index.ts';
import { DISTURBED_SETTINGS, disturb, problemsOf, runWholeBot } from '../support/whole-bot.ts';

const FOR_MS = 20_000;

/** Runs with each fault once on the first writes of a leverage; `set` counts those that the exchange executed. */
async function runWith(faults: readonly RequestFault[]) {
  let set = 0;
  const run = await runWholeBot({
    seed: 7,
    forMs: FOR_MS,
    settings: DISTURBED_SETTINGS,
    prepare: ({ exchange }) => {
      exchange.control.watch(({ events }) => {
        set += events.filter(({ kind }) => kind === 'LeverageSet').length;
      });
      for (const fault of faults)
        exchange.control.disturb({
          fault,
          times: 1,
          matches: ({ path }) => path.startsWith('/v1/account/leverage'),
        });
    },
  });
  return { run, set };
}

describe('the leverage of a start', () => {
  test.each([
    ['lost on its way', [{ kind: 'dropRequest' }]],
    ['lost twice', [{ kind: 'dropRequest' }, { kind: 'dropRequest' }]],
    ['executed with its answer lost', [{ kind: 'dropResponse' }]],
  ] as const)('is set once when a write of it was %s', async (_what, faults) => {
    const { run, set } = await runWith(faults);
    expect(set).toBe(1);
    expect(problemsOf(run)).toEqual([]);
  });

  test('says unknown when it was refused, since its bytes are alive until their nonce is spent (O61)', async () => {
    const body = JSON.stringify({ error: { code: 'MarketNotFound', num: 1104, message: 'made up' } });
    const answer = { status: 404, headers: { 'content-type': 'application/json' }, body };
    await expect(runWith([{ kind: 'answer', answer }])).rejects.toMatchObject({
      code: 'PREFLIGHT_LEVERAGE_INVALID',
      effect: 'unknown',
    });
  });

  test('is set in the ledger that runs when the one before is gone with its write', async () => {
    let set = 0;
    const run = await runWholeBot({
      seed: 34_520,
      forMs: 75_000,
      latency: { requestMs: 33, answerMs: 36, frameMs: 0, journalMs: 5 },
      settings: DISTURBED_SETTINGS,
      prepare: (world) => {
        world.exchange.control.watch(({ events }, entry) => {
          if (entry.kind === 'epoch') set = 0;
          set += events.filter(({ kind }) => kind === 'LeverageSet').length;
        });
        disturb(world, [
          { kind: 'lagged', atMs: 3_167, forMs: 8_681, strength: 0.44 },
          { kind: 'results pending', atMs: 2_475, forMs: 6_966, strength: 0.9 },
          { kind: 'answers lost after commit', atMs: 3_857, forMs: 1_617, strength: 0.98 },
          { kind: 'new epoch', atMs: 3_529, forMs: 1_427, strength: 0.92 },
          { kind: 'streams cut', atMs: 3_915, forMs: 5_906, strength: 0.93 },
          { kind: 'requests delivered twice', atMs: 2_405, forMs: 517, strength: 0.77 },
          { kind: 'index price jumps', atMs: 2_865, forMs: 539, strength: 0.07 },
        ]);
      },
    });
    expect(problemsOf(run)).toEqual([]);
    expect(set).toBeGreaterThan(0);
  });
});
