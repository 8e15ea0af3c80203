/**
 * Runs every bundled strategy over the recorded hour as a backtest and on paper, and holds the two against each other:
 * intents, orders, fills and profit (docs/concepts/determinism.md). The test of `npm test` does a minute of it.
 *
 * Usage: npm run parity -- [--minutes 60] [--json]
 *
 * Needs the recording in ../shared/data. Exit code 1: something differs.
 */
import { parseArgs } from 'node:util';
import { openTape } from '../src/tape/index.ts';
import {
  asBacktest,
  asPaper,
  differencesOf,
  importHour,
  parityConfigs,
  paritySource,
} from '../test/support/parity.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, json: { type: 'boolean', default: false } },
});
const { tape, remove } = await importHour();
const rows = [];
try {
  const fromMs = openTape(tape).fromUs / 1_000;
  for (const name of parityConfigs()) {
    const stretch = { tape, fromMs, minutes: Number(values.minutes) };
    const backtest = await asBacktest(paritySource(name), stretch);
    const differences = differencesOf(backtest, await asPaper(paritySource(name), stretch));
    const { intents, ordersPlaced } = backtest.record.counts;
    const fills = backtest.record.fills.length;
    rows.push({ name, intents, ordersPlaced, fills, differences });
    const text = `${differences.length === 0 ? 'equal ' : 'DIFFER'}  ${name}: ${intents} intents, ${ordersPlaced} orders, ${fills} fills\n`;
    (values.json ? process.stderr : process.stdout).write(
      text + differences.map((one) => `  ${one}\n`).join(''),
    );
  }
} finally {
  remove();
}
if (values.json) process.stdout.write(`${JSON.stringify({ rows })}\n`);
process.exitCode = rows.every(({ differences }) => differences.length === 0) ? 0 : 1;
