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

import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { runPrepared } from '../../src/bot/live/run.ts';
import { stopAfter } from '../../src/bot/live/stop-signal.ts';
import { RunLog } from '../../src/bot/replay/run-log.ts';
import type { RunLogWriter } from '../../src/bot/replay/run-log-file.ts';
import { prepareStrategies } from '../../src/bot/setup/index.ts';
import { ephemeralSigners } from '../../src/cli/compose/ephemeral-signers.ts';
import type { ConfigSource } from '../../src/config/index.ts';
import { type Clock, must, seededRandom, silentLog, VirtualClock } from '../../src/core/index.ts';
import { type Market, ticks } from '../../src/domain/index.ts';
import { type HostedExchange, hostExchange } from '../../src/exchange/host/index.ts';
import type { BacktestOptions } from '../../src/research/backtest/index.ts';
import { EVENT } from '../../src/tape/format/index.ts';
import { Agenda } from './agenda.ts';
import { DrawnWays } from './drawn-ways.ts';
import { MarketLine } from './market-line.ts';
import { type Story, type StoryFrame, storyOf } from './run-story.ts';
import { type Carrier, WireStage } from './wire-stage.ts';

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
  const hosted = await hostMarkets(options, clock);
  const { exchange } = hosted;
  await clock.advanceAsync(exchange.settings.blockMs);
  const agenda = new Agenda(clock);
  const line = new MarketLine(options.tape.markets, () => clock.nowMs());
  const ways = new DrawnWays({ clock, agenda, exchange, line, seed: latencySeed });
  const place = { clock, agenda, hosted, line, carrier: ways, pass: () => clock.advanceAsync(10) };
  const told = await runOn(place, source, { options, forMs });
  await hosted.stop();
  const { requests, writes } = ways;
  return { ...told, requests, writes, marketFrames: line.frames };
}

/** Where a bot runs: an exchange with the recorded markets, what lies between, and who lets time pass. */
export interface WirePlace {
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly hosted: HostedExchange;
  readonly line: MarketLine;
  readonly carrier: Carrier;
  pass(): Promise<void>;
}

/** Runs a bot until `forMs` after its strategies began, and ends it in order. */
export async function runOn(
  { clock, agenda, hosted, line, carrier, pass }: WirePlace,
  source: ConfigSource,
  { options, forMs }: { readonly options: BacktestOptions; readonly forMs: number },
): Promise<Pick<WireRun, 'story' | 'beganAtMs' | 'isReconciled'>> {
  const { exchange, crypto } = hosted;
  const { accountId, privateKey } = must(hosted.accounts[0], 'an account');
  const kept = keptInMemory();
  const stop = stopAfter(clock, undefined);
  let beganAtMs = 0;
  let stage: WireStage | undefined;
  const running = runPrepared(
    {
      ...{ mode: 'sim', market: 'recorded', source, baseUrl: 'http://in.process', clock, log: silentLog },
      ...{ seed: 7, journalFolder: '', recordFolder: undefined, lockFolder: undefined, stop, beganAtMs: 0 },
      machine: {
        // Where its recorder was silent a recorded market contradicts itself, and no tape doubts its books.
        quoteAgeMsMax: Number.POSITIVE_INFINITY,
        journal: createInMemoryJournal({ commit: { clock, delayMs: 0 } }),
        runLog: kept.writer,
        newTransport: () => carrier.transport(),
      },
      signers: (environment, parts) =>
        ephemeralSigners({
          ...{ environment, crypto: parts, clock, config: source.config, privateKey },
          randomBytes: keyBytes(),
        }),
      // Called when strategies have just begun.
      show: () => {
        beganAtMs = clock.nowMs();
        carrier.begin();
        const publish: MarketLine['tell'] = (fact) => line.tell(fact);
        stage = new WireStage({ options, clock, agenda, exchange, ways: carrier, accountId, publish });
        return () => undefined;
      },
    },
    { strategies: await prepareStrategies(source), crypto },
  );
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  running.then(over, over);
  while (!isOver && !(beganAtMs > 0 && clock.nowMs() >= beganAtMs + forMs)) await pass();
  stage?.end();
  const story = kept.story({ beganAtMs, untilMs: beganAtMs + forMs });
  stop.request({ by: 'halt', why: 'the end of the comparison' });
  while (!isOver) await pass();
  const { reconciled } = await running;
  return { story, beganAtMs, isReconciled: reconciled };
}

/** A log of a run that is read when it is over. */
function keptInMemory() {
  const log = new RunLog();
  let runId = '';
  const writer: RunLogWriter = {
    log,
    begin: (header) => {
      runId = header.runId;
    },
    waiting: 0,
    flush: async () => undefined,
    close: async () => undefined,
  };
  return {
    writer,
    story: (part: Omit<StoryFrame, 'runId'>) => storyOf(log.take(), { runId, ...part }),
  };
}

/** An exchange with the markets of the tape, on which nobody trades yet. */
export async function hostMarkets(options: BacktestOptions, clock: Clock): Promise<HostedExchange> {
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
