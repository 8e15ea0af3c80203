/**
 * @module
 * A strategy over the recorded markets with everything a gateway needs in between: lanes, nonces, journal, signatures,
 * requests, answers and frames, carried through the transport port in virtual time. What is published of the markets
 * comes as frames too: see `market-line`. What plays there: see `wire-stage`. How long everything takes: `drawn-ways`.
 *
 *   bot ─► lanes, journal, signatures ─► requests ─► exchange ◄─ stage ◄─ tape
 *    ▲                                                  │          │
 *    └──── stream ◄── frames of the account ◄───────────┘          │
 *             └────── frames of the markets ◄── market line ◄──────┘
 */
import { hostExchange, prepareStrategies } from '../../src/app/index.ts';
import { runPrepared } from '../../src/app/run.ts';
import type { RunReport } from '../../src/app/run-report.ts';
import { stopAfter } from '../../src/app/stop-signal.ts';
import { throwAwaySigners } from '../../src/app/throw-away-signers.ts';
import type { BacktestOptions } from '../../src/backtest/index.ts';
import type { ConfigSource } from '../../src/config/index.ts';
import { must, seededRandom, silentLog, VirtualClock } from '../../src/core/index.ts';
import { type Market, ticks } from '../../src/domain/index.ts';
import { createInMemoryJournal } from '../../src/journal/index.ts';
import { RunLog } from '../../src/runtime/index.ts';
import { EVENT } from '../../src/tape/index.ts';
import { Agenda } from './agenda.ts';
import { DrawnWays } from './drawn-ways.ts';
import { MarketLine } from './market-line.ts';
import { type Story, storyOf } from './run-story.ts';
import { WireStage } from './wire-stage.ts';

/** What a run over the wire was, and when its strategies began. */
export interface WireRun {
  readonly story: Story;
  readonly beganAtMs: number;
  /** Requests, of those signed writes of strategies, and frames about markets by channel. */
  readonly requests: number;
  readonly writes: number;
  readonly marketFrames: Readonly<Record<string, number>>;
  /** Did the books of the bot agree with those of the exchange at the end? */
  readonly isReconciled: boolean;
}

/** From when, for how long, and with what chance of the latencies. */
export interface WireStretch {
  readonly fromMs: number;
  readonly forMs: number;
  readonly latencySeed: number;
}

/** Runs over the wire from `fromMs` of the tape; `forMs` count from when the strategies begin. */
export async function overTheWire(
  source: ConfigSource,
  options: BacktestOptions,
  { fromMs, forMs, latencySeed }: WireStretch,
): Promise<WireRun> {
  const clock = new VirtualClock(Math.ceil(fromMs));
  const hosted = await host(options, clock);
  const { exchange } = hosted;
  const { accountId, privateKey } = must(hosted.accounts[0], 'an account');
  await clock.advanceAsync(exchange.settings.blockMs);
  const agenda = new Agenda(clock);
  const line = new MarketLine(options.tape.markets, () => clock.nowMs());
  const ways = new DrawnWays({ clock, agenda, exchange, line, seed: latencySeed });
  const log = new RunLog();
  const stop = stopAfter(clock, 1e9);
  let runId = '';
  let beganAtMs = 0;
  let stage: WireStage | undefined;
  const running = runPrepared(
    {
      ...{ mode: 'sim', market: 'recorded', source, baseUrl: 'http://in.process', clock, log: silentLog },
      ...{ seed: 7, journalFolder: '', recordFolder: undefined, lockFolder: undefined, stop, beganAtMs: 0 },
      machine: {
        journal: createInMemoryJournal({ commit: { clock, delayMs: 0 } }),
        runLog: {
          log,
          begin: (header) => {
            runId = header.runId;
          },
          flush: async () => undefined,
          close: async () => undefined,
        },
        newTransport: () => ways.transport(),
      },
      signers: (environment, crypto) =>
        throwAwaySigners({
          ...{ environment, crypto, clock, config: source.config, privateKey },
          randomBytes: keyBytes(),
        }),
      // Called when strategies have just begun.
      show: () => {
        beganAtMs = clock.nowMs();
        ways.draw();
        const publish: MarketLine['tell'] = (fact) => line.tell(fact);
        stage = new WireStage({ options, clock, agenda, exchange, ways, accountId, publish });
        return () => undefined;
      },
    },
    { strategies: await prepareStrategies(source), crypto: hosted.crypto },
  );
  await pass({ clock, running, until: () => beganAtMs > 0 && clock.nowMs() >= beganAtMs + forMs });
  stage?.end();
  const story = storyOf(log.take(), { runId, beganAtMs, untilMs: beganAtMs + forMs });
  stop.request({ by: 'halt', why: 'the end of the comparison' });
  const report = await ended({ clock, running });
  await hosted.stop();
  const { requests, writes } = ways;
  return { story, beganAtMs, requests, writes, marketFrames: line.frames, isReconciled: report.reconciled };
}

/** An exchange with the markets of the tape, on which nobody trades yet. */
async function host(options: BacktestOptions, clock: VirtualClock) {
  const { markets } = options.tape;
  const indexTicks = firstTicks(options);
  return await hostExchange({
    ...{ clock, log: silentLog, seed: 7, accounts: 1, tape: undefined, symbol: undefined, isQuiet: true },
    settings: {
      markets: markets.map((market: Market, place) => ({
        market,
        indexTicks: ticks(indexTicks[place] ?? 1),
      })),
      makerFeePpm: options.venue.fees.makerPpm,
      takerFeePpm: options.venue.fees.takerPpm,
    },
  });
}

/** Lets time pass until `until`, or until the run is over. */
async function pass(parts: {
  readonly clock: VirtualClock;
  readonly running: Promise<unknown>;
  until(): boolean;
}): Promise<void> {
  const { clock, running, until } = parts;
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  running.then(over, over);
  while (!isOver && !until()) await clock.advanceAsync(10);
  if (isOver) await running;
}

async function ended({
  clock,
  running,
}: {
  readonly clock: VirtualClock;
  readonly running: Promise<RunReport>;
}): Promise<RunReport> {
  await pass({ clock, running, until: () => false });
  return await running;
}

/** The first recorded bid of each market. */
function firstTicks({ tape }: BacktestOptions): readonly number[] {
  const found: number[] = [];
  for (const batch of tape.batches())
    for (let row = 0; row < batch.rows; row++) {
      if (batch.kind[row] === EVENT.bidLevel) found[batch.market[row] ?? 0] ??= batch.price[row] ?? 1;
      if (tape.markets.every((_, place) => found[place] !== undefined)) return found;
    }
  return found;
}

function keyBytes(): (count: number) => Uint8Array {
  const keys = seededRandom('keys');
  return (count) => Uint8Array.from({ length: count }, () => keys.integer(0, 255));
}
