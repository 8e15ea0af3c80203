/**
 * @module
 * `npm run bench:peers`: recorded markets and one quoting rule through hftbacktest, NautilusTrader and ballast, and
 * one cross over bars through backtrader and ballast. `--only market,hours,long,bars`: some of them. Python packages go
 * into separate environments in the user's cache. docs/concepts/comparison-with-other-engines.md explains each
 * difference.
 */
import { readOptions, someOf, whole } from '../../scripts/options.ts';
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { say } from '../show.ts';
import { compareBars } from './bars.ts';
import { compareReplays, judgeReplays, MARKET_NAMES } from './replay.ts';

const { json, only, rounds } = readOptions({
  json: jsonOption,
  rounds: whole('Rounds of each engine', { min: 1, otherwise: 5 }),
  only: someOf('Only these comparisons', [...MARKET_NAMES, 'bars']),
});
const replays = await compareReplays(rounds, only);
const bars = only.includes('bars') ? compareBars(rounds) : undefined;
if (json) process.stdout.write(`${JSON.stringify({ ...replays, bars })}\n`);
for (const skipped of [replays?.skipped, bars?.skipped]) if (skipped !== undefined) say(skipped);
if (bars?.ratio !== undefined) {
  say(`bars a second to backtrader's: ${bars.ratio}, limit ${bars.limit}`);
  if (bars.ratio < bars.limit) process.exitCode = 1;
}
if (replays !== undefined && !judgeReplays(replays)) process.exitCode = 1;
