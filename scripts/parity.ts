/**
 * Runs every bundled configuration over the recorded hour as a backtest, on paper, and over the wire (lanes, nonces, journal,
 * signatures, requests and frames, of the markets too, in virtual time), with latencies drawn from one seed, and holds the
 * three against each other: intents, orders, fills and profit (docs/concepts/determinism.md). The test of `npm test`
 * does 22 minutes of it.
 *
 * Usage: npm run parity -- [--minutes 60] [--only demo,glft] [--sockets 60] [--json]
 *
 * With --sockets it trades on paper for that many seconds over real sockets on the streams of an embedded exchange instead, and
 * holds what happened against the counterfactual of its own log: fills within 10 % (at least 3), decisions all equal.
 *
 * Needs the recording in ../shared/data; about a minute. Exit code 1: something differs, and where it begins to.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paperOnGateway, replayOtherwise, replayRun, serveExchange } from '../src/app/index.ts';
import { stopAfter } from '../src/app/stop-signal.ts';
import { jsonOption } from '../src/cli/options.ts';
import { loadConfig } from '../src/config/index.ts';
import { SystemClock, silentLog } from '../src/core/index.ts';
import { openHour, parityConfigs } from '../test/support/parity.ts';
import { compareWays } from '../test/support/three-ways.ts';
import { maybeWhole, readOptions, someOf, whole } from './options.ts';

const values = readOptions({
  minutes: whole('Of the recorded hour', { min: 1, max: 60, otherwise: 60 }),
  only: someOf('Only these configurations', parityConfigs()),
  sockets: maybeWhole('Seconds over real sockets instead', { min: 1 }),
  json: jsonOption,
});
/** Fills may differ by this part, and by this many in any case: the machine's timing takes part. */
const TOLERANCE = 0.1;
const FILLS_MIN = 3;

if (values.sockets !== undefined) process.exit(await overSockets(values.sockets));

async function overSockets(seconds: number): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), 'parity-sockets-'));
  try {
    const clock = new SystemClock();
    const served = await serveExchange({
      ...{ clock, log: silentLog, seed: 7, accounts: 0, tape: undefined, symbol: undefined, isQuiet: false },
      ...{ port: 0, hasControl: false },
    });
    const { fills, runId } = await paperOnGateway({
      ...{
        source: loadConfig(join(import.meta.dirname, '..', 'configs', 'demo.yaml')),
        clock,
        log: silentLog,
      },
      ...{ seed: 7, stop: stopAfter(clock, seconds * 1_000), beganAtMs: clock.monotonicMs() },
      ...{ recordFolder: work, show: () => () => undefined },
      ...{ baseUrl: served.server.baseUrl, market: 'synthetic' },
    });
    await served.stop();
    const folder = join(work, runId);
    const { decisions, divergence } = await replayRun({ folder });
    const { wouldHave } = await replayOtherwise({ folder });
    const allowed = Math.max(FILLS_MIN, Math.ceil(TOLERANCE * fills.length));
    const isNear = Math.abs(wouldHave.fills.length - fills.length) <= allowed;
    const result = {
      fills: fills.length,
      counterfactual: wouldHave.fills.length,
      allowed,
      isNear,
      decisions,
    };
    process.stdout.write(`${JSON.stringify({ ...result, isReplayed: divergence === undefined })}\n`);
    return isNear && divergence === undefined ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const { stretch: hour, remove } = await openHour();
const rows = [];
try {
  for (const name of values.only) {
    const { counts, wire, differences } = await compareWays(name, hour, values);
    const { intents, ordersPlaced: orders, fillsMaker, fillsTaker } = counts;
    const fills = fillsMaker + fillsTaker;
    const { requests, writes, marketFrames } = wire;
    rows.push({ name, intents, orders, fills, requests, writes, marketFrames, differences });
    const frames = Object.values(marketFrames).reduce((sum, count) => sum + count, 0);
    const text = `${differences.length === 0 ? 'equal ' : 'DIFFER'}  ${name}: ${intents} intents, ${orders} orders, ${fills} fills; ${writes} signed writes, ${frames} frames of the markets; ${differences.length} differences\n`;
    const out = values.json ? process.stderr : process.stdout;
    out.write(text + differences.map((one) => `  ${one}\n`).join(''));
  }
} finally {
  remove();
}
if (values.json) process.stdout.write(`${JSON.stringify({ rows })}\n`);
process.exitCode = rows.every(({ differences }) => differences.length === 0) ? 0 : 1;
