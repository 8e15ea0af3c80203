/**
 * @module
 * Only the market side of the stream layer: subscriptions in, market facts out, no account. For paper runs and for those
 * who only record.
 */
import type { FactSink } from '../../domain/index.ts';
import {
  type AccountFrame,
  decodeFrame,
  type MarketFrame,
  type SubscriptionParams,
} from '../protocol/index.ts';
import { BlockLength } from './block-length.ts';
import { FrameBacklog } from './frame-backlog.ts';
import { MarketStreams } from './market/market-streams.ts';
import type { StreamOptions } from './stream.ts';
import { StreamConnection } from './stream-connection.ts';
import { checkSubscription, planConnections, subscriptionKey } from './subscriptions.ts';

/** What a market stream is made of. */
export type MarketStreamParts = Omit<StreamOptions, 'effects' | 'subscriptions'> & {
  readonly subscriptions: readonly SubscriptionParams[];
  readonly sink: FactSink;
  /** False: quotes that do not change are not asked for again, since nobody decides on them; absent: they are. */
  readonly asksQuietQuotes?: boolean;
};

/** A running market stream. */
export interface MarketOnlyStream {
  /** Connects. Once. */
  start(): void;
  /** Closes everything; no frame is acted on afterwards. */
  stop(): void;
}

type MarketConnection = StreamConnection<MarketFrame | AccountFrame>;

/** A stream of these subscriptions. @throws ConfigError when one is such that the gateway would refuse it. */
export function createMarketStream(parts: MarketStreamParts): MarketOnlyStream {
  const { subscriptions, random } = parts;
  for (const params of subscriptions) checkSubscription(params);
  const plan = planConnections([], subscriptions);
  const connections: MarketConnection[] = [];
  const placeOf = new Map(
    plan.flatMap((some, place) => some.map((params) => [subscriptionKey(params), place] as const)),
  );
  const connectionOf = (params: SubscriptionParams): MarketConnection | undefined =>
    connections[placeOf.get(subscriptionKey(params)) ?? -1];
  const blocks = new BlockLength();
  const streams = new MarketStreams(subscriptions, {
    ...parts,
    random: random.fork('market'),
    blocks,
    resubscribe: (params) => connectionOf(params)?.resubscribe(params),
  });
  const backlog = new FrameBacklog(parts);
  for (const [place, some] of plan.entries())
    connections.push(connect(parts, some, { place, streams, backlog, blocks }));
  return {
    start() {
      streams.start();
      for (const connection of connections) connection.start();
    },
    stop() {
      for (const connection of connections) connection.stop();
      streams.stop();
      backlog.stop();
    },
  };
}

function connect(
  { clock, random, sockets, markets, log, meter, tap, exchangeTime, onPong }: MarketStreamParts,
  subscriptions: readonly SubscriptionParams[],
  {
    place,
    streams,
    backlog,
    blocks,
  }: {
    readonly place: number;
    readonly streams: MarketStreams;
    readonly backlog: FrameBacklog;
    readonly blocks: BlockLength;
  },
): MarketConnection {
  return new StreamConnection({
    name: `markets-${place}`,
    subscriptions,
    sockets,
    decode: (text) => decodeFrame(text, markets, streams),
    clock,
    random: random.fork(`connection-${place}`),
    log,
    meter,
    tap,
    exchangeTime,
    blocks,
    backlog,
    listener: {
      onAcknowledged: (params) => streams.onAcknowledged(params),
      // Nothing of an account was subscribed to.
      onData: (frame, receivedAtMs) => streams.apply(frame as MarketFrame, receivedAtMs),
      onLagged: () => streams.onLagged(subscriptions),
      onUnreadable: () => undefined,
      onPong: (pong) => onPong?.(pong),
      onDown: (why) => streams.onDown(subscriptions, why),
    },
  });
}
