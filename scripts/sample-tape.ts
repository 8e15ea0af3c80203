/**
 * @module
 * Makes the tape that the studies in `backtest` read: an hour of the embedded exchange on virtual time, as its public
 * streams tell it. The same command makes the same rows on every machine.
 *
 * Usage: node --conditions=ballast-source scripts/sample-tape.ts --out <folder> [--minutes <n>]
 *
 * The tape is in the repository, so raw frames are left out, and of the reports of one candle all but the last.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordMarket } from '../src/bot/live/record-market.ts';
import { stopAfter } from '../src/bot/live/stop-signal.ts';
import { neededOption } from '../src/cli/terminal/options.ts';
import { loadConfig } from '../src/config/index.ts';
import { must, silentLog, VirtualClock } from '../src/core/index.ts';
import { hostExchange } from '../src/exchange/host/index.ts';
import { inProcessTransport, loadScenario } from '../src/exchange/index.ts';
import { createTapeWriter, EVENT, type Manifest, openTape, type Tape } from '../src/tape/format/index.ts';
import { rowsOf } from '../src/tape/tools/index.ts';
import { readOptions, whole } from './options.ts';

const ROOT = join(import.meta.dirname, '..');
const MINUTES = 60;
const CANDLES: readonly number[] = [EVENT.candleOpen, EVENT.candleHigh, EVENT.candleLow, EVENT.candleClose];
/** Names the markets that are recorded; its strategies are not started. */
const CONFIGURATION = join(ROOT, 'configs', 'two-strategies.yaml');

/** Writes the sample of `minutes` to `out`, a folder that holds nothing. */
export async function writeSampleTape(out: string, minutes = MINUTES): Promise<Manifest> {
  const parent = mkdtempSync(join(tmpdir(), 'sample-tape-'));
  try {
    await record(join(parent, 'recorded'), minutes * 60_000);
    const recorded = openTape(join(parent, 'recorded'));
    const source = {
      kind: 'recorded',
      description: 'the embedded exchange with backtest/sample-market.yaml',
    };
    const writer = createTapeWriter({ folder: out, markets: recorded.markets, source });
    const last = lastReports(recorded);
    let place = 0;
    for (const row of rowsOf(recorded.batches()))
      if (!CANDLES.includes(row.kind) || last.has(place++)) writer.write(row);
    return writer.close();
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Places, among the rows of candles, of the last report of each candle; a report is four rows. */
function lastReports(tape: Tape): ReadonlySet<number> {
  const byCandle = new Map<string, number>();
  let place = 0;
  for (const { kind, market, id } of rowsOf(tape.batches())) {
    // The row of the high says when the candle began; it follows that of the open.
    if (kind === EVENT.candleHigh) byCandle.set(`${market} ${id}`, place - 1);
    if (CANDLES.includes(kind)) place++;
  }
  return new Set([...byCandle.values()].flatMap((first) => [0, 1, 2, 3].map((row) => first + row)));
}

async function record(out: string, forMs: number): Promise<void> {
  const scenario = loadScenario(join(ROOT, 'backtest', 'sample-market.yaml'));
  const clock = new VirtualClock(must(scenario.startMs, 'the start of the sample'));
  const { exchange, stop } = await hostExchange({
    ...{ clock, log: silentLog, seed: must(scenario.seed, 'the seed of the sample'), scenario },
    ...{ accounts: 0, tape: undefined, symbol: undefined, isQuiet: false },
  });
  const latency = { requestLatencyMs: 3, answerLatencyMs: 3, frameLatencyMs: 20 };
  let isOver = false;
  const recording = recordMarket({
    ...{ source: loadConfig(CONFIGURATION), clock, log: silentLog, out },
    ...{ stop: stopAfter(clock, forMs), baseUrl: 'http://in.process' },
    transport: inProcessTransport(exchange, { clock, ...latency }),
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advanceAsync(100);
  await recording;
  await stop();
}

if (import.meta.main) {
  const { out, minutes } = readOptions({
    out: neededOption('Write the tape to this folder, which must hold none'),
    minutes: whole('Minutes of the exchange', { otherwise: MINUTES, min: 1, max: 1_440 }),
  });
  const { rows, hash } = await writeSampleTape(out, minutes);
  process.stdout.write(`${out}: ${rows} rows, hash ${hash}\n`);
}
