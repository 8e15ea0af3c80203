/**
 * @module
 * The stream layer on a virtual clock with sockets and history that a test plays by hand.
 */
import { type Clock, type Log, seededRandom, silentLog, VirtualClock } from '../../../../src/core/index.ts';
import type {
  Address,
  AdoptedPosition,
  Cursor,
  Fact,
  Fill,
  LedgerEntry,
  Lots,
  Market,
  MarketSymbol,
  PositionMove,
  Ppm,
  ProvenCursors,
  Quantums,
  Ticks,
} from '../../../../src/domain/index.ts';
import type { DecodeContext, SubscriptionParams } from '../../../../src/wire/protocol/index.ts';
import { createStream, type HistoryReader, type Stream } from '../../../../src/wire/stream/index.ts';
import type {
  CandlesQuery,
  EffectJournal,
  ExchangeTime,
  PageQuery,
  PageResult,
  ReadResult,
  Socket,
  SocketEvents,
  SocketFactory,
} from '../../../../src/wire/stream/ports.ts';
import type { Pong } from '../../../../src/wire/stream/stream-connection.ts';

/** The account of all scripted tests. */
export const ADDRESS = `0x${'ab'.repeat(20)}` as Address;
/** The ledger they begin with. */
export const EPOCH = 'k1-1';

/** A market of one decimal in price and four in size. */
export function aMarket(symbol: string): Market {
  return {
    symbol: symbol as MarketSymbol,
    signingMarketId: 0,
    priceDecimals: 1,
    sizeDecimals: 4,
    tickStep: 1 as Ticks,
    lotStep: 1 as Lots,
    status: 'Active',
    quantumsPerTickLot: 10n,
    initialMarginPpm: 50_000 as Ppm,
    maintenanceFractionPpm: 600_000 as Ppm,
    minNotional: 0n as Quantums,
  };
}

/** Markets that tests know: anything that starts with a letter, but not `NONE`. */
export const MARKETS: DecodeContext = {
  collateralDecimals: 6,
  market: (symbol) => (symbol.startsWith('NONE') ? undefined : aMarket(symbol)),
};

type Sent = {
  readonly method: string;
  readonly params?: SubscriptionParams;
  readonly id?: number;
};

/** A socket whose other end is the test. */
export class ScriptedSocket implements Socket {
  readonly sent: Sent[] = [];
  readonly sentAtMs: number[] = [];
  readonly #events: SocketEvents;
  readonly #clock: Clock;
  isClosed = false;

  constructor(events: SocketEvents, clock: Clock) {
    this.#events = events;
    this.#clock = clock;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
    this.sentAtMs.push(this.#clock.monotonicMs());
  }

  close(why: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#events.onClose(why);
  }

  open(): void {
    this.#events.onOpen();
  }

  frame(frame: object | string): void {
    this.#events.onFrame(typeof frame === 'string' ? frame : JSON.stringify(frame), this.#clock.nowMs());
  }

  /** What was subscribed to, with the last id of each. */
  subscribed(): Map<string, Sent> {
    return new Map(
      this.sent.filter(({ method }) => method === 'subscribe').map((sent) => [keyOf(sent), sent]),
    );
  }

  /** How often `channel` was subscribed to. */
  countOf(channel: string): number {
    return this.sent.filter(({ method, params }) => method === 'subscribe' && params?.channel === channel)
      .length;
  }

  pings(): number {
    return this.sent.filter(({ method }) => method === 'ping').length;
  }

  /** Acknowledges the newest subscription of each channel, or of one. */
  acknowledge(epoch = EPOCH, channel?: string): void {
    for (const { params, id } of [...this.subscribed().values()]) {
      if (channel !== undefined && params?.channel !== channel) continue;
      this.frame({ channel: 'subscribed', data: params, epoch, id });
    }
  }

  /** The three snapshots an account begins with, at `seq`. */
  snapshots(seq: number, { epoch = EPOCH, size = '0.0000' } = {}): void {
    this.frame(accountFrame('orders', seq, { orders: [] }, { epoch, isSnapshot: true }));
    this.frame(
      accountFrame(
        'positions',
        seq,
        { positions: size === '0.0000' ? [] : [aPosition(size)] },
        { epoch, isSnapshot: true },
      ),
    );
    this.frame(accountFrame('account', seq, anAccount(), { epoch, isSnapshot: true }));
  }
}

function keyOf({ params }: Sent): string {
  return `${params?.channel} ${params?.symbol ?? ''} ${params?.interval ?? ''}`;
}

/** A frame of the scripted account. */
export function accountFrame(
  channel: string,
  seq: number,
  data: object,
  { epoch = EPOCH, isSnapshot }: { epoch?: string; isSnapshot?: boolean } = {},
): object {
  return {
    channel,
    seq,
    epoch,
    address: ADDRESS,
    subaccount: 0,
    data,
    ...(isSnapshot === undefined ? {} : { isSnapshot }),
  };
}

/** A fill on the wire. */
export function aFill(id: string, fields: object = {}): object {
  const [seq, sub, idx] = id.split('-').map(Number);
  return {
    id,
    seq,
    sub,
    idx,
    symbol: 'BTC-USD',
    orderId: '7',
    counterOrderId: '8',
    side: 'buy',
    role: 'maker',
    price: '100.0',
    size: '0.0001',
    fee: '0.000000',
    ts: 1,
    ...fields,
  };
}

/** An order on the wire. */
export function anOrder(orderId: string, fields: object = {}): object {
  return {
    orderId,
    clientOrderId: null,
    symbol: 'BTC-USD',
    side: 'buy',
    price: '100.0',
    size: '1.0000',
    remaining: '1.0000',
    timeInForce: 'gtc',
    reduceOnly: false,
    expiresAt: 0,
    status: 'open',
    createdAt: 1,
    seq: 1,
    ...fields,
  };
}

/** A position on the wire. */
export function aPosition(size: string, symbol = 'BTC-USD'): object {
  return {
    symbol,
    size,
    costBasis: '0.000000',
    entryPrice: null,
    markPrice: null,
    unrealizedPnl: '0.000000',
    accruedFunding: '0.000000',
    initialMarginPpm: 50_000,
  };
}

/** An account summary on the wire. */
export function anAccount(): object {
  return {
    accountId: 2,
    collateral: '1000.000000',
    equity: '1000.000000',
    initialMargin: '0.000000',
    maintenanceMargin: '0.000000',
    withdrawable: '1000.000000',
    balances: [],
    feeTier: null,
    takerFeePpm: 500,
    makerFeePpm: 0,
    seq: 1,
    epoch: EPOCH,
  };
}

/** History that a test scripts: each question is kept, each answer comes from the handler. */
export class ScriptedHistory implements HistoryReader {
  readonly asked: { readonly name: string; readonly query: PageQuery }[] = [];
  fillsAnswer: (query: PageQuery) => PageResult<unknown> = () => page([]);
  ledgerAnswer: (query: PageQuery) => PageResult<unknown> = () => page([]);
  body: (name: string) => ReadResult = () => ({ kind: 'retry', why: 'not scripted' });
  readonly bodies: string[] = [];

  async fills(_selection: unknown, query: PageQuery): Promise<PageResult<unknown>> {
    this.asked.push({ name: 'fills', query });
    return this.fillsAnswer(query);
  }

  async ledger(_selection: unknown, query: PageQuery): Promise<PageResult<unknown>> {
    this.asked.push({ name: 'ledger', query });
    return this.ledgerAnswer(query);
  }

  account = async (): Promise<ReadResult> => this.#read('account');
  openOrders = async (): Promise<ReadResult> => this.#read('openOrders');
  positions = async (): Promise<ReadResult> => this.#read('positions');
  candles = async ({ limit, minSeq }: CandlesQuery): Promise<ReadResult> =>
    this.#read(`candles ${limit}${minSeq === undefined ? '' : ` at ${minSeq}`}`);
  trades = async (): Promise<ReadResult> => this.#read('trades');
  funding = async (): Promise<ReadResult> => this.#read('funding');

  /** The questions about fills. */
  askedFills(): PageQuery[] {
    return this.asked.filter(({ name }) => name === 'fills').map(({ query }) => query);
  }

  #read(name: string): ReadResult {
    this.bodies.push(name);
    return this.body(name);
  }
}

/** What the exchange says of the account when it is asked, at `seq`; markets are not scripted. */
export function statesAt(
  seq: number,
  {
    size = '0.0000',
    orders = [],
    collateral = '0.000000',
  }: { size?: string; orders?: readonly object[]; collateral?: string } = {},
): (name: string) => ReadResult {
  const bodies: Readonly<Record<string, object>> = {
    account: { ...anAccount(), collateral, seq },
    positions: { positions: size === '0.0000' ? [] : [aPosition(size)], seq, epoch: EPOCH },
    openOrders: { orders, seq, epoch: EPOCH },
  };
  return (name) =>
    name in bodies
      ? { kind: 'body', text: JSON.stringify(bodies[name]) }
      : { kind: 'retry', why: 'not scripted' };
}

/** A page with entries; the bound defaults to far away. */
export function page(
  entries: readonly object[],
  fields: Partial<Extract<PageResult<unknown>, { kind: 'page' }>> = {},
): PageResult<unknown> {
  const last = entries.at(-1) as { id?: string } | undefined;
  return {
    kind: 'page',
    epoch: EPOCH,
    upper: '9999-65535-4294967295',
    next: last?.id ?? null,
    hasMore: false,
    entries,
    ...fields,
  };
}

/** A journal that keeps effects in lists; tests may make it slow or broken. */
export class ScriptedJournal implements EffectJournal {
  epoch: string | undefined;
  fills: Fill[] = [];
  ledger: LedgerEntry[] = [];
  moves: PositionMove[] = [];
  adopted: AdoptedPosition[] = [];
  proven: ProvenCursors | undefined;
  readonly resets: string[] = [];
  failure: Error | undefined;

  cursors() {
    return this.epoch === undefined
      ? undefined
      : {
          ...{ epoch: this.epoch, fills: this.fills.at(-1)?.id, ledger: this.ledger.at(-1)?.id },
          proven: this.proven,
        };
  }

  effects() {
    return { fills: this.fills, ledger: this.ledger, moves: this.moves, adopted: this.adopted };
  }

  async recordEffects(effects: {
    epoch: string;
    fills: readonly Fill[];
    ledger: readonly LedgerEntry[];
    moves?: readonly PositionMove[];
    adopted?: readonly AdoptedPosition[];
    proven?: ProvenCursors;
  }): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.epoch = effects.epoch;
    this.fills.push(...effects.fills);
    this.ledger.push(...effects.ledger);
    this.moves.push(...(effects.moves ?? []));
    this.adopted.push(...(effects.adopted ?? []));
    this.proven = effects.proven ?? this.proven;
  }

  async resetEpoch(epoch: string): Promise<void> {
    this.resets.push(epoch);
    this.epoch = epoch;
    this.fills = [];
    this.ledger = [];
    this.proven = undefined;
  }

  /** Stores a fill from before. */
  seed(epoch: string, ...ids: string[]): this {
    this.epoch = epoch;
    this.fills = ids.map((id) => storedFill(id));
    return this;
  }
}

function storedFill(id: string): Fill {
  return {
    id: id as Cursor,
    orderId: '7' as Fill['orderId'],
    symbol: 'BTC-USD' as MarketSymbol,
    side: 'buy',
    role: 'maker',
    priceTicks: 1_000 as Ticks,
    sizeLots: 1 as Lots,
    fee: null,
    atMs: null,
  };
}

/** A stream layer with everything around it in the test's hands. */
export interface Scene {
  readonly clock: VirtualClock;
  readonly sockets: ScriptedSocket[];
  readonly history: ScriptedHistory;
  readonly journal: ScriptedJournal;
  readonly facts: Fact[];
  readonly counts: Map<string, number>;
  readonly pongs: Pong[];
  readonly taps: string[];
  readonly stream: Stream;
  /** The newest socket. */
  socket(): ScriptedSocket;
  of<Type extends Fact['type']>(type: Type): Extract<Fact, { type: Type }>[];
  advance(ms: number): Promise<void>;
  /** From the start to synced: opens, acknowledges, sends snapshots. */
  sync(options?: { seq?: number; size?: string }): Promise<void>;
}

/** A scene; nothing is started. */
export function aScene({
  market = [],
  journal = new ScriptedJournal(),
  history = new ScriptedHistory(),
  exchangeTime,
  quoteAgeMsMax,
  log = silentLog,
}: {
  market?: readonly SubscriptionParams[];
  journal?: ScriptedJournal;
  history?: ScriptedHistory;
  exchangeTime?: ExchangeTime;
  quoteAgeMsMax?: number;
  log?: Log;
} = {}): Scene {
  const clock = new VirtualClock(1_767_700_020_000);
  const sockets: ScriptedSocket[] = [];
  const facts: Fact[] = [];
  const counts = new Map<string, number>();
  const pongs: Pong[] = [];
  const taps: string[] = [];
  const factory: SocketFactory = {
    open: (events) => {
      const socket = new ScriptedSocket(events, clock);
      sockets.push(socket);
      return socket;
    },
  };
  const stream = createStream({
    clock,
    random: seededRandom(3),
    sockets: factory,
    history,
    effects: journal,
    subscriptions: { selection: { address: ADDRESS, subaccount: 0 }, market },
    markets: MARKETS,
    sink: (fact) => facts.push(fact),
    tap: (text) => taps.push(text),
    onPong: (pong) => pongs.push(pong),
    exchangeTime,
    quoteAgeMsMax,
    log,
    meter: {
      count: (name, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by),
      gauge: () => undefined,
      observe: () => undefined,
    },
  });
  const socket = () => {
    const newest = sockets.at(-1);
    if (newest === undefined) throw new Error('expected a socket to be open');
    return newest;
  };
  return {
    clock,
    sockets,
    history,
    journal,
    facts,
    counts,
    pongs,
    taps,
    stream,
    socket,
    of: (type) => facts.filter((fact) => fact.type === type) as never,
    advance: (ms) => clock.advanceAsync(ms),
    sync: async ({ seq = 10, size = '0.0000' } = {}) => {
      stream.start();
      socket().open();
      socket().acknowledge();
      socket().snapshots(seq, { size });
      await clock.advanceAsync(1);
    },
  };
}
