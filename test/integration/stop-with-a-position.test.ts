/**
 * @module
 * A run that ends while the account holds something: by default it stays, and document and text say so; `stop.position: flatten`
 * closes it first, in time or not at all.
 */
import { expect, test } from 'vitest';
import { describeReport } from '../../src/cli/terminal/report-text.ts';
import { problemsOf, runWholeBot } from '../support/whole-bot.ts';

const RUN = { seed: 3, forMs: 30_000 };
const withStop = (stop: string) => (yaml: string) => `${yaml}\nstop: ${stop}\n`;

test('is said in the document and in the last words of the run', async () => {
  const run = await runWholeBot(RUN);
  expect(problemsOf(run)).toEqual([]);
  const held = Object.entries(run.report.held ?? {});
  expect(held.length).toBeGreaterThan(0);
  for (const [symbol, size] of held) expect(run.report.position[symbol]).toBe(size);
  expect(describeReport(run.report)).toContain(`held: ${held.map((row) => row.join(' ')).join(', ')}`);
});

test('is closed before the run ends where the configuration says flatten, and the end is proven', async () => {
  const kept = await runWholeBot(RUN);
  const run = await runWholeBot({ ...RUN, edit: withStop('{ position: flatten }') });
  expect(problemsOf(run)).toEqual([]);
  expect(kept.report.held).toBeDefined();
  expect(run.report.held).toBeUndefined();
  expect(run.report.fills).toBeGreaterThan(kept.report.fills);
  expect(describeReport(run.report)).not.toContain('held: ');
});

test('stays where no book lets it be closed, and the run ends in time all the same', async () => {
  const forMs = RUN.forMs;
  const run = await runWholeBot({
    ...RUN,
    edit: withStop('{ position: flatten, flattenWithin: 5s }'),
    prepare: ({ exchange, clock }) => {
      clock.after(forMs - 1_000, () =>
        exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'Paused' }),
      );
    },
  });
  expect(run.report.held).toBeDefined();
  expect(run.report.openOrders).toBe(0);
});
