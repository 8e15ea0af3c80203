/**
 * Runs every bundled configuration, and strategies whose orders wait outside the book, over the recorded hour as a backtest, on paper, and over the wire (lanes, nonces, journal,
 * signatures, requests and frames, of the markets too, in virtual time), with latencies drawn from one seed, and holds the
 * three against each other: intents, orders, fills and profit (docs/concepts/determinism.md). The test of `npm test`
 * does 22 minutes of it.
 *
 * Usage: npm run prove -- parity [--minutes 60] [--only demo,glft] [--sockets 60] [--json]
 *
 * With --sockets it trades for that many seconds over real sockets and in real time instead, every configuration at once, and
 * holds each against a paper run of the same minutes: within SOCKET_BOUNDS, for the machine's timing takes part.
 *
 * Needs the recording in ../shared/data; about a minute. Exit code 1: something differs, and where it begins to.
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { openHour, parityConfigs } from '../../test/support/parity.ts';
import { compareSockets } from '../../test/support/socket-parity.ts';
import { compareWays } from '../../test/support/three-ways.ts';
import { maybeWhole, readOptions, someOf, whole } from '../options.ts';

const values = readOptions({
  minutes: whole('Of the recorded hour', { min: 1, max: 60, otherwise: 60 }),
  only: someOf('Only these configurations', parityConfigs()),
  sockets: maybeWhole('Seconds over real sockets instead', { min: 1 }),
  json: jsonOption,
});

const out = values.json ? process.stderr : process.stdout;
const { stretch: hour, remove } = await openHour();
try {
  const rows = values.sockets === undefined ? await inVirtualTime() : await overSockets(values.sockets);
  if (values.json) process.stdout.write(`${JSON.stringify({ rows })}\n`);
  process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
} finally {
  remove();
}

async function inVirtualTime() {
  const rows = [];
  for (const name of values.only) {
    const { counts, wire, differences } = await compareWays(name, hour, values);
    const { intents, ordersPlaced: orders, makerFills, takerFills } = counts;
    const fills = makerFills + takerFills;
    const { requests, writes, marketFrames } = wire;
    const holds = differences.length === 0;
    rows.push({ name, intents, orders, fills, requests, writes, marketFrames, differences, holds });
    const frames = Object.values(marketFrames).reduce((sum, count) => sum + count, 0);
    const text = `${holds ? 'equal ' : 'DIFFER'}  ${name}: ${intents} intents, ${orders} orders, ${fills} fills; ${writes} signed writes, ${frames} frames of the markets; ${differences.length} differences\n`;
    out.write(text + differences.map((one) => `  ${one}\n`).join(''));
  }
  return rows;
}

/** All at once: each waits for the time to pass. */
async function overSockets(seconds: number) {
  const rows = await Promise.all(values.only.map((name) => compareSockets(name, hour, { seconds })));
  for (const { name, figures, isReconciled, holds } of rows) {
    const words = figures.map(
      ({ what, sockets, paper, allowed }) => `${what} ${sockets} against ${paper} (within ${allowed})`,
    );
    if (!isReconciled) words.push('the books of the bot and of the exchange differ at the end');
    out.write(`${holds ? 'near  ' : 'FAR   '}  ${name}: ${words.join(', ')}\n`);
  }
  return rows;
}
