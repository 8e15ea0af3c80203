/** @module One live run under the load of many markets, and what it showed. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as rest } from 'node:timers/promises';
import { openTape } from '../../../src/tape/format/index.ts';
import { verifyTape } from '../../../src/tape/tools/index.ts';
import { Child } from '../../child.ts';
import { startLiveRun } from '../../live-run.ts';
import { quantile } from '../../measure.ts';
import { journalFolder } from '../tick-to-order/commit.ts';
import { type ManyMarketsReady, type ManyMarketsTook, QUIET, SEEN, symbolAt, TAKE } from './wire.ts';

/** What is run. */
export interface Load {
  readonly markets: number;
  /** Each market has a book so often. */
  readonly blockMs: number;
  /** Strategies that read all markets, of which the first places orders; absent: one. */
  readonly strategies?: number;
  /** Frames, rows and the log of the run are kept. */
  readonly isRecorded?: boolean;
  /** How long a part of it is measured, ms; absent: 20 s. */
  readonly runMs?: number;
  /** How many parts; absent: one. */
  readonly parts?: number;
  /** Gets what orders of each part took, ms. */
  readonly onPart?: (tookMs: readonly number[]) => void;
}

/** Numbers of a run. */
export interface Figures {
  readonly startS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of a core: all threads of the run, and the one that trades. */
  readonly cpu: number;
  readonly threadCpu: number;
  readonly loopP99Ms: number;
  readonly framesPerS: number;
  /** Books that strategies saw. */
  readonly seenPerS: number;
  readonly memoryMb: number;
}

/** What one run showed. */
export interface LoadShown extends Figures {
  /** Of a recorded run: whether every frame of a book is on the tape, which `verify` finds whole, and so is the log. */
  readonly isWhole?: boolean;
}

const RUN_MS = 20_000;
const WARM_UP_MS = 5_000;
/** Until what was sent last has come. */
const QUIET_MS = 1_000;
const BOOK = '{"channel":"book"';
const SNAPSHOT = '"isSnapshot":true';

/** Runs it. */
export async function measureLoad(load: Load): Promise<LoadShown> {
  const { markets, blockMs, isRecorded = false, runMs = RUN_MS, parts = 1, onPart } = load;
  const folder = journalFolder();
  const server = new Child(new URL('../../servers/many-markets-server.ts', import.meta.url));
  try {
    const ready = server.next<ManyMarketsReady>();
    server.send({ markets, blockMs });
    const { port, account } = await ready;
    const beganAtMs = performance.now();
    const run = startLiveRun({
      ...{ origin: `http://127.0.0.1:${port}`, account, folder: folder.path, isRecorded },
      config: configOf(load),
    });
    await Promise.race([run.ready, run.failed]);
    const startS = (performance.now() - beganAtMs) / 1_000;
    await rest(WARM_UP_MS);
    const loop = monitorEventLoopDelay({ resolution: 2 });
    loop.enable();
    const before = await server.ask<ManyMarketsTook>(TAKE);
    const cpu = process.cpuUsage();
    const threadCpu = process.threadCpuUsage();
    const seenBefore = SEEN.books;
    const fromMs = performance.now();
    const tookMs: number[] = [];
    let frames = 0;
    for (let part = 0; part < parts; part++) {
      await Promise.race([rest(runMs), run.failed]);
      const took = await server.ask<ManyMarketsTook>(TAKE);
      onPart?.(took.tookMs);
      tookMs.push(...took.tookMs);
      frames += took.frames;
    }
    const all = process.cpuUsage(cpu);
    const thread = process.threadCpuUsage(threadCpu);
    const wallMs = performance.now() - fromMs;
    const seen = SEEN.books - seenBefore;
    loop.disable();
    const after = await server.ask<ManyMarketsTook>(QUIET);
    await rest(QUIET_MS);
    await run.stop();
    return {
      startS,
      p50Ms: quantile(tookMs, 0.5),
      p99Ms: quantile(tookMs, 0.99),
      cpu: (all.user + all.system) / 1_000 / wallMs,
      threadCpu: (thread.user + thread.system) / 1_000 / wallMs,
      loopP99Ms: loop.percentile(99) / 1e6,
      framesPerS: (frames / wallMs) * 1_000,
      seenPerS: (seen / wallMs) * 1_000,
      memoryMb: process.memoryUsage.rss() / 1e6,
      ...(isRecorded ? { isWhole: isWhole(folder.path, before.frames + frames + after.frames) } : {}),
    };
  } finally {
    server.stop();
    folder.remove();
  }
}

/** The one tape below `folder` holds so many frames of books, and all of it is as it was written. */
function isWhole(folder: string, sent: number): boolean {
  const manifest = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('manifest.json'),
  );
  if (manifest === undefined) return false;
  const tape = join(folder, manifest, '..');
  const check = verifyTape(tape);
  let kept = 0;
  for (const record of openTape(tape).raw())
    if ('frame' in record && record.frame.startsWith(BOOK) && !record.frame.includes(SNAPSHOT)) kept++;
  return check.sealed && check.findings.length === 0 && check.leftOut === 0 && kept === sent;
}

function configOf({ markets, strategies = 1 }: Load): string {
  const symbols = Array.from({ length: markets }, (_, index) => symbolAt(index));
  const module = join(import.meta.dirname, 'strategy.ts');
  const listed = Array.from({ length: strategies }, (_, index) => {
    const isReader = index > 0;
    return `  - { name: bench-${index}, module: ${module}, markets: [${symbols.join(', ')}], parameters: { reads: ${isReader} } }`;
  });
  return `
markets: [${symbols.map((symbol) => `{ symbol: ${symbol} }`).join(', ')}]
strategies:
${listed.join('\n')}
risk:
  capital: 1000000
  postOnly: false
  maxWritesPerSecond: 100
  writeBurst: 200
  maxAccountWritesPerSecond: 500
  maxDuplicateOrdersPerSecond: 100
  maxReplacesPerSecond: 100
  maxOrderToTradeRatio: 100000
`;
}
