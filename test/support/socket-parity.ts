/**
 * @module
 * A strategy over the recorded markets on real sockets and in real time: TCP, HTTP and WebSocket on loopback, signed writes,
 * market data as frames, and whatever the machine's own timing does to them; held against a paper run of the same minutes. The
 * machine is a part of it, so the two agree within {@link SOCKET_BOUNDS} and not to the last fill.
 *
 *   bot ─► undici, ws ─► loopback ─► server ─┬─► exchange ◄─ stage ◄─ tape
 *                                            └─► market line ◄──┘
 */

import { type Clock, SystemClock, silentLog, silentMeter } from '../../src/core/index.ts';
import { ControlledClock, type Exchange, startServer } from '../../src/exchange/index.ts';
import type { BacktestOptions } from '../../src/research/backtest/index.ts';
import { parseBaseUrl } from '../../src/wire/gateway/base-url.ts';
import { createNetworkTransport } from '../../src/wire/gateway/index.ts';
import { Agenda } from './agenda.ts';
import { MarketLine } from './market-line.ts';
import { asPaper, optionsOf, paritySource, type Stretch, TAIL_MS } from './parity.ts';
import type { Line, Story } from './run-story.ts';
import { hostMarkets, runOn } from './wire-parity.ts';

/** What a way over loopback takes on a machine with something to do: timers there are of a millisecond, and two take part. */
const LOOPBACK = { kind: 'constant', us: 2_031.25 } as const;

/**
 * How far a run over sockets may be from the paper run of the same minutes. At a load of twelve on two cores, every
 * configuration at once for a minute, they were apart by 8 %, 20 %, 29 % and 22 % at most.
 *
 * - `decisions`: a share of the larger count. A strategy that looks each quarter of a second starts its next quarter when it
 *   was called, so that a timer which is late by some milliseconds makes all behind it later, and fewer.
 * - `orders`: a share. Decisions at other instants see other books, and a quote within the tolerance of the one that rests
 *   is left alone.
 * - `fills` and `lots`: a share, at least what one sweep through a side of a ladder is. An order that arrives a few milliseconds
 *   later stands behind others, or misses the trade.
 */
export const SOCKET_BOUNDS = {
  decisions: { share: 0.12, least: 2 },
  orders: { share: 0.25, least: 4 },
  fills: { share: 0.33, least: 6 },
  lots: { share: 0.33, least: 180 },
} as const;

/** One figure of both, and how far they may be apart. */
export interface SocketFigure {
  readonly what: string;
  readonly sockets: number;
  readonly paper: number;
  readonly allowed: number;
  readonly holds: boolean;
}

/** What came of it. */
export interface SocketComparison {
  readonly name: string;
  readonly figures: readonly SocketFigure[];
  /** Did the books of the bot agree with those of the exchange at the end? */
  readonly isReconciled: boolean;
  readonly holds: boolean;
}

/** Holds what happened over sockets against what happened on paper. */
export function socketFigures(sockets: Story, paper: Story): readonly SocketFigure[] {
  return Object.entries(SOCKET_BOUNDS).map(([what, { share, least }]) => {
    const read = COUNTS[what as keyof typeof SOCKET_BOUNDS];
    const [one, two] = [read(sockets), read(paper)];
    const allowed = Math.max(least, Math.ceil(share * Math.max(one, two)));
    return { what, sockets: one, paper: two, allowed, holds: Math.abs(one - two) <= allowed };
  });
}

const COUNTS: Readonly<Record<keyof typeof SOCKET_BOUNDS, (story: Story) => number>> = {
  decisions: (story) => story.decisions.length,
  orders: (story) => story.orders.length,
  fills: (story) => story.fills.length,
  lots: (story) => lotsOf(story.fills),
};

/** Trades for so many seconds over real sockets, and as long on paper. */
export async function compareSockets(
  name: string,
  hour: Stretch,
  { seconds }: { readonly seconds: number },
): Promise<SocketComparison> {
  const source = paritySource(name);
  const forMs = seconds * 1_000;
  const options = withLoopback(await optionsOf(source, hour));
  const clock = new ControlledClock(new SystemClock(), 'system', hour.fromMs);
  const hosted = await hostMarkets(options, clock);
  const line = new MarketLine(options.tape.markets, () => clock.nowMs());
  const server = await startServer(published(hosted.exchange, line));
  const base = parseBaseUrl(server.baseUrl);
  const transports = [0, 1].map(() =>
    createNetworkTransport(base, { clock, log: silentLog, meter: silentMeter }),
  );
  let opened = 0;
  const carrier = {
    transport: () => transports[opened++ % transports.length] as (typeof transports)[0],
    begin: () => undefined,
    asEntry: <T>(action: () => T): T => action(),
  };
  const place = { clock, agenda: new Agenda(clock), hosted, line, carrier, pass: () => aMoment(clock) };
  try {
    const { story, beganAtMs, isReconciled } = await runOn(place, source, { options, forMs });
    const stretch = { tape: hour.tape, fromMs: beganAtMs, untilMs: beganAtMs + forMs + TAIL_MS };
    const paper = await asPaper(source, stretch, withLoopback);
    const figures = socketFigures(story, paper.story);
    return { name, figures, isReconciled, holds: isReconciled && figures.every(({ holds }) => holds) };
  } finally {
    await Promise.all(transports.map((transport) => transport.close?.()));
    await server.close();
    await hosted.stop();
  }
}

function withLoopback(options: BacktestOptions): BacktestOptions {
  return { ...options, latency: { entry: LOOPBACK, response: LOOPBACK } };
}

/** The exchange with the market line before it: what is not about markets goes on to the exchange itself. */
function published(exchange: Exchange, line: MarketLine): Exchange {
  const openStream: Exchange['openStream'] = (ip, sink) => {
    const opened = exchange.openStream(ip, sink);
    if ('status' in opened) return opened;
    const { session, headers } = opened;
    const stream = line.join((text) => sink.send(text));
    return {
      headers,
      session: {
        receive: (text) => {
          const reply = stream.receive(text, exchange.epoch);
          if (reply === undefined) session.receive(text);
          else sink.send(reply);
        },
        receiveBinary: () => session.receiveBinary(),
        receivePing: () => session.receivePing?.(),
        closed: () => {
          stream.leave();
          session.closed();
        },
      },
    };
  };
  return new Proxy(exchange, {
    get: (target, key) => {
      if (key === 'openStream') return openStream;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function lotsOf(fills: readonly Line[]): number {
  return fills.reduce((sum, { text }) => sum + Number(/ (?:buy|sell) ([0-9]+) at /.exec(text)?.[1]), 0);
}

function aMoment(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(20, resolve);
  });
}
