/** @module Records a stream of many markets at a rate over a loopback socket and looks whether all of it is on the tape. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { openRunRecording, type RunRecording } from '../../../src/bot/live/output/run-recording.ts';
import { must, SystemClock, seededRandom, silentLog, silentMeter } from '../../../src/core/index.ts';
import type { Market, MarketSymbol } from '../../../src/domain/index.ts';
import { openTape } from '../../../src/tape/format/index.ts';
import { verifyTape } from '../../../src/tape/tools/index.ts';
import { createNetworkTransport, parseBaseUrl } from '../../../src/wire/gateway/index.ts';
import { createMarketStream, type HistoryReader } from '../../../src/wire/stream/index.ts';
import { aMarket } from '../../../test/support/trading-builders.ts';

/** How much is sent. */
export interface LoadOptions {
  readonly folder: string;
  readonly markets: number;
  readonly framesPerSecond: number;
  readonly seconds: number;
}

/** What came of it. */
export interface LoadReport {
  readonly markets: number;
  readonly seconds: number;
  /** Book frames that the server sent, and those of them on the tape. */
  readonly framesSent: number;
  readonly framesOnTape: number;
  readonly framesPerSecond: number;
  readonly leftOut: number;
  readonly rows: number;
  readonly rawBytes: number;
  readonly tapeBytes: number;
  /** Of the event loop while it recorded, in ms. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  /** Processor time of the recording process over wall time. */
  readonly load: number;
  /** `verify` finds nothing; with one flipped byte it names the file. */
  readonly isVerified: boolean;
  readonly isFlippedByteFound: boolean;
}

/** Records for a while and checks the tape. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, 'server.ts'), String(options.framesPerSecond)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  createInterface({ input: server.stdout }).on('line', (line) => lines.push(line));
  try {
    const exited = once(server, 'exit');
    while (lines.length === 0) await pause(20);
    const measured = await recordFrom(options, Number(lines[0]), async () => {
      server.stdin.end();
      await exited;
    });
    return { ...measured, ...(await check(options, Number(must(lines[1], 'the count of the server')))) };
  } finally {
    server.kill();
  }
}

type Measured = Pick<
  LoadReport,
  'markets' | 'seconds' | 'leftOut' | 'rows' | 'delayP99Ms' | 'delayMaxMs' | 'load'
>;

async function recordFrom(
  { folder, markets: count, seconds }: LoadOptions,
  port: number,
  stopServer: () => Promise<void>,
): Promise<Measured> {
  const clock = new SystemClock();
  const recording = openRunRecording({ folder, clock, log: silentLog, description: 'a load' });
  const markets = Array.from({ length: count }, (_, index) =>
    aMarket({ symbol: `M${index}-USD` as MarketSymbol, sizeDecimals: 4, quantumsPerTickLot: 10n }),
  );
  recording.begin(markets);
  const stream = openStream(markets, recording, port);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const before = process.cpuUsage();
  const beganMs = performance.now();
  await pause(seconds * 1_000);
  await stopServer();
  const tookMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  await stream.close();
  await recording.close();
  const { rows, leftOut } = recording.stats();
  return {
    ...{ markets: count, seconds, rows, leftOut, load: round((user + system) / 1_000 / tookMs) },
    ...{ delayP99Ms: round(delay.percentile(99) / 1e6), delayMaxMs: round(delay.max / 1e6) },
  };
}

/** The market side of a run on the server at `port`. */
function openStream(
  markets: readonly Market[],
  recording: RunRecording,
  port: number,
): { close(): Promise<void> } {
  const parts = { clock: new SystemClock(), log: silentLog, meter: silentMeter };
  const transport = createNetworkTransport(parseBaseUrl(`http://127.0.0.1:${port}`), parts);
  const bySymbol = new Map(markets.map((market) => [market.symbol, market]));
  const stream = createMarketStream({
    ...parts,
    random: seededRandom(1),
    sockets: { open: (events) => transport.open(events) },
    // Books have no history: nobody asks.
    history: {} as HistoryReader,
    subscriptions: markets.map(({ symbol }) => ({ channel: 'book' as const, symbol, depth: 20 })),
    markets: {
      market: (symbol) => bySymbol.get(symbol as MarketSymbol),
      collateralDecimals: 6,
      collateralToken: 0,
    },
    sink: (fact) => recording.take(fact),
    tap: (text, atMs) => recording.tap(text, atMs),
  });
  stream.start();
  return {
    async close() {
      stream.stop();
      await transport.close?.();
    },
  };
}

/** Counts what is on the tape, verifies it, and flips a byte in its middle. */
async function check(
  { folder, seconds }: LoadOptions,
  framesSent: number,
): Promise<Omit<LoadReport, keyof Measured>> {
  let next = 1;
  let rawBytes = 0;
  for (const record of openTape(folder).raw()) {
    if (!('frame' in record)) continue;
    rawBytes += record.frame.length;
    const seq = /^\{"channel":"book","isSnapshot":\w+,"seq":(\d+),/.exec(record.frame)?.[1];
    // Frames are numbered one by one: the first that is missing or out of place ends the count.
    if (seq !== undefined && Number(seq) === next) next += 1;
  }
  const framesOnTape = next - 1;
  const { findings, bytes, sealed } = verifyTape(folder);
  return {
    ...{ framesSent, framesOnTape, framesPerSecond: Math.round(framesSent / seconds), rawBytes },
    ...{ tapeBytes: bytes, isVerified: sealed && findings.length === 0 },
    isFlippedByteFound: findsFlippedByte(folder),
  };
}

function findsFlippedByte(folder: string): boolean {
  const name = must(
    openTape(folder).manifest.files.find(({ kind }) => kind === 'raw'),
    'a file of raw records',
  ).name;
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const at = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
  const isFound = verifyTape(folder).findings.some(({ file }) => file === name);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(path, bytes);
  return isFound;
}

const round = (value: number): number => Math.round(value * 100) / 100;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    new SystemClock().after(ms, resolve);
  });
