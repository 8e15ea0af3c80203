/**
 * @module
 * One environment as one thing: requests, sockets, the exchange's clock, all under one budget. Knows no strategy and no
 * order logic. Wallets are made apart (see `signing`), with the domain that the environment reports.
 */
import type { Clock, Log, Metrics, Random } from '../../core/index.ts';
import { messageOf, type Timer } from '../../core/index.ts';
import type { AccountSelection } from '../../domain/index.ts';
import { decodeTime } from '../protocol/index.ts';
import { type AnswerTap, tapAnswers } from './answer-tap.ts';
import { parseBaseUrl } from './base-url.ts';
import { createNetworkTransport } from './network-transport.ts';
import { RestClient } from './rest/client.ts';
import { createHistoryReader, type StreamReads } from './rest/history-reader.ts';
import { Reader } from './rest/read.ts';
import { type BudgetSharing, RequestBudget } from './rest/request-budget.ts';
import { type AccountWritePipe, createWritePipe } from './rest/write-pipe.ts';
import { ServerClock } from './server-clock.ts';
import type { SocketListener, StreamSocket, Transport } from './transport.ts';
import type { NetworkRoute } from './tunnel.ts';
import { createSocketFactory } from './ws/paced-sockets.ts';

/** What a gateway is made of. */
export interface GatewayOptions {
  /** The operator's, without `/v1`. */
  readonly baseUrl: string;
  /** In place of the network at `baseUrl`: a simulated exchange in this process. */
  readonly transport?: Transport;
  /** Certificates and an outgoing proxy on the way there; absent: straight. */
  readonly route?: NetworkRoute | undefined;
  /** Default `x-svc-`. */
  readonly headerPrefix?: string;
  /** Of another gateway to the same environment: what one of them hears holds for both (obligation O115). Default: its own. */
  readonly budget?: RequestBudget;
  /** Who of this machine uses the budgets, too; absent: nobody. */
  readonly sharing?: BudgetSharing | undefined;
  /** Is shown every answer over REST. */
  readonly onAnswer?: AnswerTap | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
}

/** One environment. */
export interface Gateway {
  readonly client: RestClient;
  /** Typed reads: see the functions of `rest/reads`. */
  readonly reader: Reader;
  /** For the stream layer. */
  readonly history: StreamReads;
  /** Opens WebSocket connections. */
  readonly sockets: { open(listener: SocketListener): StreamSocket };
  readonly serverClock: ServerClock;
  readonly budget: RequestBudget;
  /** The pipe of one account's signed writes. */
  writePipe(selection: AccountSelection): AccountWritePipe;
  /** Opens the sockets and takes the first readings of the exchange's clock; then one each 30 s. Rejects with the read's error. */
  start(): Promise<void>;
  /** Ends everything; what is in flight ends as lost. */
  close(): Promise<void>;
}

/** Readings of the clock at the start, and how often there is one afterwards. */
const CLOCK_READINGS = 3;
const CLOCK_PERIOD_MS = 30_000;
/** A doubt is settled by one more reading, and this long after it by yet another one if it was not. */
const CLOCK_DOUBT_MS = 2_000;

/**
 * A gateway to the environment at `baseUrl`. Nothing is contacted before `start`.
 * @throws ConfigError when the base URL cannot be one.
 * @example const gateway = createGateway({ baseUrl, clock, random, log, meter }); await gateway.start();
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock, log, meter, random } = options;
  const base = parseBaseUrl(options.baseUrl);
  const bare = options.transport ?? createNetworkTransport(base, { clock, log, meter, route: options.route });
  const transport = options.onAnswer === undefined ? bare : tapAnswers(bare, options.onAnswer);
  const serverClock = new ServerClock({ clock, log, meter });
  const serverNowMs = () => serverClock.knownNowMs();
  const budget =
    options.budget ??
    new RequestBudget({
      ...{ clock, random: random.fork('budget'), log, meter, serverNowMs },
      sharing: options.sharing,
    });
  const client = new RestClient({
    transport,
    budget,
    clock,
    meter,
    serverNowMs,
    ...(options.headerPrefix === undefined ? {} : { headerPrefix: options.headerPrefix }),
  });
  const reader = new Reader({ client, clock, random, log });
  let timer: Timer | undefined;
  let doubtTimer: Timer | undefined;
  let isSettling = false;

  const readClock = async () => {
    let sentAtMs = clock.monotonicMs();
    // An attempt that was lost says nothing of the way that the answered one took.
    const onAttempt = (): void => {
      sentAtMs = clock.monotonicMs();
    };
    const serverMs = await reader.read({ endpoint: 'time', onAttempt }, decodeTime);
    serverClock.observe({ serverMs, sentAtMs, receivedAtMs: clock.monotonicMs() });
  };
  const readClockAgain = async () => {
    try {
      await readClock();
    } catch (thrown) {
      log.warn('exchange time is unavailable', { why: messageOf(thrown) });
    }
  };
  // A doubt that comes meanwhile waits: dropped, it would last until somebody reads the clock for another reason.
  const settleDoubt = async () => {
    if (timer === undefined || isSettling) return;
    isSettling = true;
    await readClockAgain();
    if (timer === undefined) return;
    doubtTimer = clock.after(CLOCK_DOUBT_MS, () => {
      isSettling = false;
      if (serverClock.isInDoubt) void settleDoubt();
    });
  };
  serverClock.onDoubt = () => void settleDoubt();

  return {
    client,
    reader,
    history: createHistoryReader(client),
    sockets: createSocketFactory(transport, budget),
    serverClock,
    budget,
    writePipe: (selection) => createWritePipe(client, selection),
    async start() {
      // One after the other: the first one opens the connection, so its round trip says little.
      for (let i = 0; i < CLOCK_READINGS; i++) await readClock();
      timer = clock.every(CLOCK_PERIOD_MS, () => void readClockAgain());
      if (serverClock.isInDoubt) void settleDoubt();
    },
    async close() {
      timer?.cancel();
      timer = undefined;
      doubtTimer?.cancel();
      if (options.budget === undefined) budget.close();
      await transport.close?.();
    },
  };
}
