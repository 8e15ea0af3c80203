/**
 * @module
 * `ballast record`: the markets of a configuration as a tape, and nothing else. Only public channels are opened; no
 * account is named, no key is loaded, no order leaves.
 */
import type { ConfigSource } from '../../config/index.ts';
import {
  type Clock,
  ConfigError,
  freshSeed,
  type Log,
  seededRandom,
  silentMeter,
  type Timer,
} from '../../core/index.ts';
import type { Market } from '../../domain/index.ts';
import { loadCrypto } from '../../wire/crypto/index.ts';
import type { Transport } from '../../wire/gateway/index.ts';
import { createMarketStream, type MarketOnlyStream } from '../../wire/stream/index.ts';
import { instanceOf } from './bot-name.ts';
import { type Environment, openEnvironment } from './connect/environment.ts';
import { watchEnvironment } from './connect/environment-watch.ts';
import { feedNamesOf, startConfiguredFeeds } from './connect/feeds.ts';
import { subscriptionsOf } from './connect/initial-data.ts';
import { checkMarkets } from './connect/preflight.ts';
import { routeOf } from './connect/route.ts';
import { withSeat } from './connect/run-environment.ts';
import type { SharedBudget } from './connect/shared-budget.ts';
import { openRunRecording, type RunRecording } from './output/run-recording.ts';
import { runIdOf } from './run.ts';
import { describeStop, type StopSignal } from './stop-signal.ts';

/** What is recorded, and where. */
export interface RecordOptions {
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly stop: StopSignal;
  /** Folder of the tape; must hold none. */
  readonly out: string;
  /** URL of the gateway, without a trailing slash. */
  readonly baseUrl: string;
  /** In place of the network. */
  readonly transport?: Transport;
  /** Who uses the request budget of this machine, too; absent: nobody. */
  readonly sharing?: SharedBudget | undefined;
}

/** What was recorded. */
export interface RecordReport {
  /** Folder of the tape. */
  readonly out: string;
  /** Symbols that were recorded. */
  readonly markets: readonly string[];
  /** Rows written. */
  readonly rows: number;
  /** Frames and answers. */
  readonly recorded: number;
  /** Of these not kept: the disk was too slow or failed. */
  readonly leftOut: number;
  /** Why the recording stopped. */
  readonly stopReason: string;
}

/** How often the log reports progress. */
const PROGRESS_MS = 60_000;

/** Records the streams of a gateway until the stop is asked for. */
export async function recordMarket(options: RecordOptions): Promise<RecordReport> {
  const { source, clock, log, out } = options;
  const description = `streams of ${source.config.environment.name} for ${instanceOf(source.config)}`;
  const recording = openRunRecording({ folder: out, clock, log, description });
  let ended: Pick<RecordReport, 'markets' | 'stopReason'>;
  try {
    ended = await recordInto(recording, options);
  } finally {
    await recording.close();
  }
  return { out, ...ended, ...recording.stats() };
}

async function recordInto(
  recording: RunRecording,
  options: RecordOptions,
): Promise<Pick<RecordReport, 'markets' | 'stopReason'>> {
  const { source, clock, log, stop } = options;
  const environment = await openEnvironment({
    ...{ baseUrl: options.baseUrl, clock, log, onAnswer: recording.onAnswer, sharing: options.sharing },
    headerPrefix: source.config.environment.headerPrefix,
    ...(options.transport === undefined
      ? { route: routeOf(source.config.environment) }
      : { transport: options.transport }),
    ...{ random: seededRandom(freshSeed()), meter: silentMeter, crypto: await loadCrypto() },
  });
  try {
    const symbols = source.config.markets.map(({ symbol }) => symbol);
    const end = listen(options, { environment, markets: checkMarkets(environment, symbols), recording });
    const reason = await stop.requested;
    end();
    return { markets: symbols, stopReason: describeStop(reason) };
  } finally {
    await environment.gateway.close();
  }
}

interface Listening {
  readonly environment: Environment;
  readonly markets: readonly Market[];
  readonly recording: RunRecording;
}

/** Opens the streams. @returns what ends them. */
function listen(
  { source, clock, log, stop }: RecordOptions,
  { environment, markets, recording }: Listening,
): () => void {
  recording.begin(markets, feedNamesOf(source.config));
  for (const market of markets) recording.take({ type: 'MarketChanged', market });
  const { gateway, context } = environment;
  const stream: MarketOnlyStream = createMarketStream({
    ...{ clock, log, meter: silentMeter, sockets: gateway.sockets, history: gateway.history },
    random: seededRandom(freshSeed()),
    subscriptions: subscriptionsOf(markets.map(({ symbol }) => symbol)),
    asksQuietQuotes: false,
    markets: context,
    sink: (fact) => recording.take(fact),
    tap: (text, atMs) => recording.tap(text, atMs),
    onPong: (pong) => gateway.serverClock.observe(pong),
  });
  stream.start();
  const progress: Timer = clock.every(PROGRESS_MS, () => log.info('recording', { ...recording.stats() }));
  const environmentWatch = watchEnvironment({
    ...{ environment, markets, clock, log },
    onMarket: (market) => recording.take({ type: 'MarketChanged', market }),
    onHalt: (why, code) => stop.request({ by: 'halt', why, code }),
  });
  const endFeeds = startConfiguredFeeds({ config: source.config, clock, log }, (fact) =>
    recording.take(fact),
  );
  return () => {
    endFeeds();
    environmentWatch.end();
    progress.cancel();
    stream.stop();
  };
}

/**
 * Records the gateway that the configuration names, with a seat among the bots of this machine that share its budget.
 * `lockFolder`: of the user's state; `undefined`: the user's own. @throws ConfigError when it names none.
 */
export async function recordGateway(
  options: Omit<RecordOptions, 'baseUrl' | 'sharing'> & { readonly lockFolder: string | undefined },
): Promise<RecordReport> {
  const { source, clock, log, lockFolder, transport: machine } = options;
  const { baseUrl, name } = source.config.environment;
  if (baseUrl !== undefined)
    return await withSeat(
      { source, clock, log, baseUrl, lockFolder, machine, mode: 'record' },
      runIdOf(clock, freshSeed()),
      (sharing) => recordMarket({ ...options, baseUrl, sharing }),
    );
  throw new ConfigError({
    code: 'CONFIG_LIVE_INCOMPLETE',
    message: `expected environment.baseUrl of a gateway to record, got none in environment ${name}`,
    remedy: 'Name it in the configuration, or record an embedded exchange with --mode sim.',
  });
}
