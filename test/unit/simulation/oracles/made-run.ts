/**
 * @module
 * A run made by hand: a world of plain data whose sights, log entries and beliefs a test tells one by one, to show each
 * oracle a right run and a wrong one.
 */

import { keccak256 } from 'viem';
import type { Hex } from '../../../../src/core/index.ts';
import type { Address } from '../../../../src/domain/index.ts';
import { perpetual } from '../../../../src/exchange/index.ts';
import { bytesOfCommand, commandOfBody } from '../../../simulation/oracles/support/codec.ts';
import type { RowOrder } from '../../../simulation/oracles/support/journal-text.ts';
import type { Applied, Entry, Position, Receipt } from '../../../simulation/oracles/support/truth.ts';
import type {
  BotView,
  Life,
  Oracle,
  OracleChecks,
  OracleWorld,
  Sight,
  SimulationPlan,
  Violation,
} from '../../../simulation/types.ts';

/** The account, its wallets and where virtual time begins. */
export const ACCOUNT = 5;
export const ADDRESS = `0x${'aa'.repeat(20)}` as Address;
export const TRADER = `0x${'b1'.repeat(20)}` as Address;
export const SAFETY = `0x${'b2'.repeat(20)}` as Address;
export const START_MS = 1_767_700_020_000;
export const SECRET = `0x${'0123456789abcdef'.repeat(4)}`;

type LogListener = (applied: Applied, entry: Entry, at: Position) => void;
type SightBody = Sight extends infer One
  ? One extends { readonly atMs: number }
    ? Omit<One, 'atMs'>
    : never
  : never;

/** What is different from an empty, healthy run. */
export interface MadeOptions {
  readonly plan?: Partial<SimulationPlan>;
  readonly view?: Partial<BotView>;
}

/** Options of one write. */
export interface WriteOptions {
  readonly nonce: bigint;
  readonly path?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly signer?: Address;
  readonly kind?: 'write' | 'fence';
  readonly intentId?: string;
  /** Signed for another domain than the bot's: hex digits. */
  readonly domain?: string;
}

const PLAN: SimulationPlan = {
  seed: 1,
  faultsForMs: 0,
  healedForMs: 0,
  faults: {},
  ambiguities: {},
  signatures: 'keyed',
  config: 'calm',
  latency: { requestMs: 3, answerMs: 3, frameMs: 2, journalMs: 1 },
  settings: {},
};

const VIEW: BotView = {
  fills: [],
  ledger: [],
  positions: { 'BTC-USD': 0 },
  owned: {},
  openOrders: [],
  reserved: { 'BTC-USD': { buyLots: 0, sellLots: 0 } },
  candles: {},
  trades: {},
  red: [],
  account: 'synced',
  epoch: 'e1',
  unresolved: 0,
  state: 'quoting',
  strategies: {},
  seen: undefined,
};

const BTC = perpetual({
  symbol: 'BTC-USD',
  signingMarketId: 0,
  priceDecimals: 1,
  sizeDecimals: 4,
  indexTicks: 1_000_000,
});

/** See the module. */
export class MadeRun {
  readonly violations: Violation[] = [];
  readonly hits: string[] = [];
  readonly world: OracleWorld;
  nowMs = 0;
  view: BotView | undefined;
  report: unknown;
  failure: Error | undefined;
  state: Life['state'] = 'running';
  isHealed = false;
  isPaused = false;
  /** The venue's truth. */
  readonly venue = {
    orders: new Map<
      bigint,
      { side: 'buy' | 'sell'; priceTicks: number; remainingLots: number; reduceOnly: boolean }
    >(),
    /** Those of them that wait for a trigger. */
    waiting: new Set<bigint>(),
    lots: 0,
    collateral: 0n,
    switchAtMs: 0,
    indexTicks: 1_000_000,
  };
  #epoch = 'e1';
  #seq = 100;
  #requests = 0;
  #life = 0;
  readonly #listeners: LogListener[] = [];
  readonly #checks: readonly OracleChecks[];

  constructor(oracles: readonly Oracle[], { plan, view }: MadeOptions = {}) {
    this.view = { ...VIEW, ...view };
    this.world = this.#makeWorld({ ...PLAN, ...plan });
    this.#checks = oracles.map((oracle) => oracle.begin(this.world));
  }

  /** What broke, by id. */
  get broken(): readonly string[] {
    return this.violations.map(({ id }) => id);
  }

  /** Lets time pass. */
  pass(forMs: number): this {
    this.nowMs += forMs;
    return this;
  }

  /** The bot believes something else from now on. */
  with(view: Partial<BotView>): this {
    if (this.view !== undefined) this.view = { ...this.view, ...view };
    return this;
  }

  /** Tells a sight. */
  tell(body: SightBody): this {
    const sight = { atMs: this.nowMs, ...body } as Sight;
    for (const check of this.#checks) check.onSight?.(sight);
    return this;
  }

  /** A life begins and is ready. */
  live(): this {
    this.#life++;
    return this.tell({ kind: 'life', life: this.#life, what: 'started' }).tell({
      kind: 'life',
      life: this.#life,
      what: 'ready',
    });
  }

  /** The life is over, or something else happens to it. */
  lifeIs(what: Extract<Sight, { kind: 'life' }>['what']): this {
    return this.tell({ kind: 'life', life: this.#life, what });
  }

  /** A block of the exchange. */
  block(): this {
    this.log({ kind: 'block' });
    for (const check of this.#checks) check.onBlock?.();
    return this;
  }

  quiesce(): this {
    for (const check of this.#checks) check.atQuiescence?.();
    return this;
  }

  end(): this {
    for (const check of this.#checks) check.atEnd?.();
    return this;
  }

  /** An entry of the exchange's log. */
  log(
    entry: { readonly kind: string; readonly epoch?: string; readonly rolledBackTo?: number | undefined },
    applied: Partial<Applied> = {},
  ): this {
    if (entry.kind === 'epoch') this.#epoch = entry.epoch ?? '';
    this.#seq++;
    const at = { seq: this.#seq, sub: 0, blockAtMs: START_MS + this.nowMs } as Position;
    for (const listener of this.#listeners) listener({ events: [], ...applied }, entry as Entry, at);
    return this;
  }

  /** An amount of a token that is no collateral came into the account, in its smallest unit. */
  paidIn(id: string, token: number, amount: bigint): this {
    const [seq, sub, idx] = id.split('-').map(Number);
    const place = { seq, sub, idx, blockAtMs: START_MS };
    this.#skipTo(seq);
    const event = { ...place, kind: 'TokenAppended', account: ACCOUNT, entryKind: 'deposit', token, amount };
    return this.log({ kind: 'deposit' }, { events: [event] } as unknown as Applied);
  }

  /** A fill of the account. */
  filled(id: string, lots: number, priceTicks = 1_000_000): this {
    const [seq, sub, idx] = id.split('-').map(Number);
    const side = lots > 0 ? 'buy' : 'sell';
    const base = { seq, sub, idx, blockAtMs: START_MS + this.nowMs };
    this.#skipTo(seq);
    const cash = -BigInt(lots) * BigInt(priceTicks) * 10n;
    this.venue.lots += lots;
    this.venue.collateral += cash;
    return this.log({ kind: 'request' }, {
      events: [
        {
          ...base,
          kind: 'Fill',
          market: 0,
          priceTicks,
          lots: Math.abs(lots),
          takerSide: side,
          taker: { account: ACCOUNT, orderSeq: 1n },
          maker: { account: 99, orderSeq: 2n },
        },
        {
          ...base,
          idx: (idx ?? 0) + 1,
          kind: 'LedgerAppended',
          account: ACCOUNT,
          entryKind: 'trade',
          amount: cash,
        },
      ],
    } as unknown as Applied);
  }

  /** The exchange drops an order that rested. */
  dropped(orderSeq: bigint): this {
    this.venue.orders.delete(orderSeq);
    const order = { account: ACCOUNT, market: 0, orderSeq };
    const event = { seq: this.#seq + 1, sub: 0, idx: 0, kind: 'OrderCanceled', order };
    return this.log({ kind: 'request' }, { events: [event] } as unknown as Applied);
  }

  /** The row of a write, recorded and (unless told otherwise) durable. Gives its request id. */
  record(options: WriteOptions, isDurable = true): string {
    const { bytes, signer, requestId, path, body } = this.#planned(options);
    const orders = Array.isArray(body['orders']) && path !== '/v1/orders/cancel' ? body['orders'] : [];
    const value = {
      kind: options.kind ?? 'write',
      lane: signer === SAFETY ? 'safety' : 'trading',
      scope: `agent:${signer}`,
      nonce: { $big: String(options.nonce) },
      requestId,
      commandHash: keccak256(`0x${bytes}`),
      epoch: this.#epoch,
      nowMs: body['nowMs'],
      bytes: `0x${bytes}`,
      command: {
        kind: path === '/v1/orders' ? 'place' : camelCase(path.split('/').at(-1) ?? ''),
        orders: orders.map((order: Record<string, unknown>, at) =>
          rowOrder(order, options.intentId ?? `i${options.nonce}-${at}`),
        ),
      },
    };
    this.row('write', value, isDurable);
    return requestId;
  }

  /** A row of the journal. */
  row(type: string, value: unknown, isDurable = true): this {
    const row = { life: this.#life, type, scope: '', body: JSON.stringify(value) };
    this.tell({ kind: 'recorded', ...row });
    return isDurable ? this.tell({ kind: 'durable', ...row }) : this;
  }

  /** A POST leaves; gives its number. */
  post(options: WriteOptions): number {
    const { signer, path, body } = this.#planned(options);
    const envelope = {
      account: ADDRESS,
      nonce: Number(options.nonce),
      signature: `0x${'11'.repeat(65)}`,
      signer,
    };
    return this.request('POST', path, JSON.stringify({ ...envelope, ...body }));
  }

  /** A request leaves; gives its number. */
  request(method: 'GET' | 'POST', path: string, body = ''): number {
    const id = ++this.#requests;
    this.tell({ kind: 'request', id, life: this.#life, method, path, headers: {}, body });
    return id;
  }

  /** The log's word on a write of {@link MadeRun.post}. */
  receipt(options: WriteOptions, result: Partial<Receipt> = {}): this {
    const { command, signer, requestId } = this.#planned(options);
    const receipt = {
      request: {
        requestId,
        signer,
        isAgent: true,
        nonce: options.nonce,
        operation: command,
        clientOrderIds: [options.intentId ?? `i${options.nonce}-0`],
      },
      scope: `agent:${signer}`,
      seq: this.#seq + 1,
      sub: 0,
      status: 'executed',
      nonceConsumed: true,
      reason: undefined,
      batchStatus: undefined,
      items: [],
      ...result,
    } as unknown as Receipt;
    return this.log({ kind: 'request' }, { receipt });
  }

  /** An order of a placement rests at the venue: the receipt of its write, with its number. */
  rests(options: WriteOptions, orderSeq: bigint): this {
    this.venue.orders.set(orderSeq, {
      side: 'buy',
      priceTicks: 999_000,
      remainingLots: 30,
      reduceOnly: false,
    });
    const item = { kind: 'place', state: 'accepted', inputIndex: 0, market: 0, orderSeq };
    return this.receipt(options, { items: [item] } as unknown as Partial<Receipt>);
  }

  /** An answer of the exchange. */
  answer(id: number, status: number, json: unknown, headers: Readonly<Record<string, unknown>> = {}): this {
    const body = typeof json === 'string' ? json : JSON.stringify(json);
    return this.tell({ kind: 'answer', id, life: this.#life, status, headers, body });
  }

  /** The next entry of the log has this position. */
  #skipTo(seq = 0): void {
    this.#seq = Math.max(this.#seq, seq - 1);
  }

  #planned({ path = '/v1/orders', body = orderBody(), nonce, signer = TRADER, domain = '' }: WriteOptions) {
    const read = commandOfBody(path, body, { account: ACCOUNT, market: () => BTC.market });
    if ('problem' in read) throw new Error(read.problem);
    const bytes = bytesOfCommand(read.command) ?? '';
    return {
      path,
      body,
      signer,
      command: read.command,
      bytes,
      requestId: keccak256(`0x${bytes}${nonce.toString(16).padStart(8, '0')}${domain}` as Hex),
    };
  }

  #makeWorld(plan: SimulationPlan): OracleWorld {
    const world = {
      plan,
      clock: { monotonicMs: () => this.nowMs, nowMs: () => START_MS + this.nowMs },
      exchange: this.#makeExchange(),
      accountId: ACCOUNT,
      address: ADDRESS,
      view: () => this.view,
      life: () => ({
        number: this.#life,
        state: this.state,
        view: () => this.view,
        report: this.report,
        failure: this.failure,
      }),
      isPaused: () => this.isPaused,
      agents: () => [TRADER, SAFETY],
      secrets: () => [SECRET],
      hit: (what: string) => this.hits.push(what),
      violate: (id: Violation['id'], what: string) => this.violations.push({ id, what, atMs: this.nowMs }),
    };
    return Object.defineProperty(world, 'isHealed', { get: () => this.isHealed }) as unknown as OracleWorld;
  }

  #makeExchange() {
    const order = (orderSeq: bigint) => {
      const own = this.venue.orders.get(orderSeq);
      return own === undefined ? undefined : { account: ACCOUNT, market: 0, orderSeq, ...own };
    };
    const market = (): object => ({
      ...BTC,
      indexTicks: this.venue.indexTicks,
      markTicks: this.venue.indexTicks,
    });
    const exchange = {
      settings: { blockMs: 200, headerPrefix: 'x-svc-' },
      control: {
        watch: (listener: LogListener) => this.#listeners.push(listener),
        venue: {
          markets: () => [market()],
          marketView: market,
          waitingOrder: (_market: number, orderSeq: bigint) =>
            this.venue.waiting.has(orderSeq) ? order(orderSeq) : undefined,
          waitingOrders: () => [],
          openOrder: (_market: number, orderSeq: bigint) => order(orderSeq),
          openOrders: () => [...this.venue.orders.keys()].map((orderSeq) => order(orderSeq)),
          positions: () => (this.venue.lots === 0 ? [] : [{ market: 0, lots: this.venue.lots }]),
          account: () => ({ collateral: this.venue.collateral, scheduleCancelAtMs: this.venue.switchAtMs }),
        },
      },
    };
    return Object.defineProperties(exchange, {
      epoch: { get: () => this.#epoch },
      seq: { get: () => this.#seq },
    });
  }
}

/** The body of one placement. */
export function orderBody(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const order = {
    symbol: 'BTC-USD',
    side: 'buy',
    price: '99900.0',
    size: '0.0030',
    timeInForce: 'postOnly',
    reduceOnly: false,
    ...fields,
  };
  return { orders: [order], nowMs: START_MS };
}

/** The body of a scheduled cancel. */
export function switchBody(triggerMs: number): WriteOptions {
  return {
    nonce: 0n,
    path: '/v1/orders/schedule-cancel',
    body: { triggerMs, nowMs: START_MS },
    signer: SAFETY,
  };
}

function rowOrder(order: Readonly<Record<string, unknown>>, intentId: string): RowOrder {
  return {
    intentId,
    strategyId: 's1',
    symbol: String(order['symbol']),
    side: order['side'] === 'sell' ? 'sell' : 'buy',
    priceTicks: Math.round(Number(order['price']) * 10),
    sizeLots: Math.round(Number(order['size']) * 10_000),
    reduceOnly: order['reduceOnly'] === true,
    clientOrderId: intentId,
  };
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase());
}
