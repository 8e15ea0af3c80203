/**
 * @module
 * A gateway for tests of lanes: strict nonces, receipts and open orders as exchange.md#receipts has them, on a virtual
 * clock, with a script of what happens to each write. Everything that leaves is kept.
 */
import { createHash } from 'node:crypto';
import type { ExecutorOptions } from '../../../../src/bot/execution/executor.ts';
import {
  type CommandSigner,
  createExecutor,
  type Executor,
  type NoAnswer,
  type OutgoingWrite,
  type RawAnswer,
  type ReceiptQuery,
  type WritePipe,
} from '../../../../src/bot/execution/index.ts';
import { createInMemoryJournal, type InMemoryJournal } from '../../../../src/bot/journal/index.ts';
import {
  fromHex,
  type Hex,
  seededRandom,
  silentLog,
  toHex,
  type UnixMs,
  VirtualClock,
} from '../../../../src/core/index.ts';
import type { Address, Fact, LaneId, Market, Nonce, RequestId } from '../../../../src/domain/index.ts';
import { formatSize, lots } from '../../../../src/domain/index.ts';
import {
  encodeCommand,
  openEnvelope,
  readWrite,
  type WriteContext,
} from '../../../../src/wire/protocol/index.ts';
import { aMarket, BTC, ETH, START_MS } from '../../../support/trading-builders.ts';

export const TRADER = 'trader' as LaneId;
export const SAFETY = 'safety' as LaneId;
export const ACCOUNT = { address: `0x${'aa'.repeat(20)}` as Address, subaccount: 0 };
const EPOCH = 'epoch-1';

const MARKETS: readonly Market[] = [aMarket(), aMarket({ symbol: ETH, signingMarketId: 1 })];
export const CONTEXT: WriteContext = {
  signingAccountId: 7,
  market: (symbol) => MARKETS.find((market) => market.symbol === symbol),
  marketById: (id) => MARKETS.find((market) => market.signingMarketId === id),
};

/** A signer with SHA-256 in the place of Keccak and no signature worth the name. */
export function aSigner(n: number): CommandSigner {
  const address = `0x${n.toString(16).padStart(40, '0')}` as Address;
  return {
    address,
    prepare(bytes, nonce) {
      const commandHash = `0x${createHash('sha256').update(bytes).digest('hex')}` as Hex;
      const digest = createHash('sha256').update(`${address} ${commandHash} ${nonce}`).digest('hex');
      return { commandHash, requestId: `0x${digest}` as RequestId, sign: () => `0x${'01'.repeat(65)}` };
    },
  };
}

/** What happens to a write on its way. */
export type Fate =
  /** Executed and answered. */
  | { readonly kind: 'executed' }
  /** Executed; the answer is lost. */
  | { readonly kind: 'answerLost' }
  /** Lost on its way: never executed. */
  | { readonly kind: 'requestLost' }
  /** The answer is lost; executed when the test says so, if its nonce is still free. */
  | { readonly kind: 'held' }
  /** The answer is lost; executed `afterMs` later, if its nonce is still free. */
  | { readonly kind: 'late'; readonly afterMs: number }
  /** 202; executed at once, its receipt pending for `pendingMs`. */
  | { readonly kind: 'sequenced'; readonly pendingMs: number }
  /** Another writer of the scope has sent the same bytes before: executed at `seq`, with no effect now. */
  | { readonly kind: 'duplicate'; readonly seq: number }
  /** Rejected with its nonce consumed. */
  | { readonly kind: 'business'; readonly reason: string }
  /** This answer, and nothing is executed. */
  | { readonly kind: 'answer'; readonly answer: RawAnswer | NoAnswer };

export interface Posted extends OutgoingWrite {
  readonly requestId: RequestId;
  readonly nonce: bigint;
  readonly signer: string;
  readonly kind: string;
  readonly atMs: number;
  /** Was its record durable when it left? */
  readonly isRecorded: boolean;
}

interface Done {
  readonly requestId: string;
  readonly scope: string;
  readonly nonce: bigint;
  readonly body: Record<string, unknown>;
  readonly readableAtMs: number;
}

/** An answer with a body. */
export function answer(status: number, body: unknown, more: Partial<RawAnswer> = {}): RawAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'answer', status, body: text, seq: undefined, retryAfterMs: undefined, ...more };
}

/** An error answer as the interface has it. */
export function refusal(
  status: number,
  code: string,
  details: Record<string, unknown> = {},
  more: Partial<RawAnswer> = {},
): RawAnswer {
  return answer(status, { error: { code, num: 1, message: 'changes at any time', details } }, more);
}

export class FakeGateway implements WritePipe {
  readonly posts: Posted[] = [];
  readonly executed: Posted[] = [];
  /** Fates of the next writes, in order; after them all are executed. */
  readonly fates: Fate[] = [];
  /** Answers to the next receipt queries, in order; `undefined`: the true one. */
  readonly receiptAnswers: (RawAnswer | NoAnswer | undefined)[] = [];
  receiptsAsked = 0;
  epoch = EPOCH;
  seq = 100n;
  readonly orders = new Set<string>();
  /** Placements of this price are rejected. */
  rejectedPriceText: string | undefined;
  isCancelAllSupported = true;
  isDown = false;
  /** How long an answer takes. */
  answerMs = 5;
  isDurable: (requestId: string) => boolean = () => true;
  readonly #clock: VirtualClock;
  readonly #signers: readonly CommandSigner[];
  readonly #next = new Map<string, bigint>();
  readonly #done = new Map<string, Done>();
  #held: () => void = () => undefined;
  readonly #byNonce = new Map<string, Done>();

  constructor(clock: VirtualClock, signers: readonly CommandSigner[]) {
    this.#clock = clock;
    this.#signers = signers;
  }

  nextNonce(signer: CommandSigner): bigint {
    return this.#next.get(`agent:${signer.address}`) ?? 0n;
  }

  setNextNonce(signer: CommandSigner, nonce: bigint): void {
    this.#next.set(`agent:${signer.address}`, nonce);
  }

  /** The write that was held arrives. */
  deliverHeld(): void {
    this.#held();
  }

  /** Another process uses the next nonce of this signer. */
  writeAsForeigner(signer: CommandSigner): string {
    const scope = `agent:${signer.address}`;
    const nonce = this.nextNonce(signer);
    const requestId = `0x${'f'.repeat(64)}`;
    this.#finish({ requestId, scope, nonce, body: { status: 'executed', items: [] }, readableAtMs: 0 });
    return requestId;
  }

  async post(write: OutgoingWrite): Promise<RawAnswer | NoAnswer> {
    const { posted, items } = this.#read(write);
    this.posts.push(posted);
    if (this.isDown) return { kind: 'notSent', why: 'connection refused' };
    const fate = this.fates.shift() ?? { kind: 'executed' };
    await this.#wait(this.answerMs);
    switch (fate.kind) {
      case 'executed':
        return this.#execute(posted, items);
      case 'answerLost':
        this.#execute(posted, items);
        return { kind: 'lost', why: 'connection reset' };
      case 'held':
        this.#held = () => void this.#execute(posted, items);
        return { kind: 'lost', why: 'timeout' };
      case 'requestLost':
        return { kind: 'lost', why: 'timeout' };
      case 'late':
        this.#clock.after(fate.afterMs, () => this.#execute(posted, items));
        return { kind: 'lost', why: 'timeout' };
      case 'sequenced':
        this.#execute(posted, items, fate.pendingMs);
        return answer(202, { status: 'sequenced', requestId: posted.requestId, seq: Number(this.seq) });
      case 'duplicate': {
        const body = { status: 'executed', items: [], seq: fate.seq, sub: 0, nonceConsumed: true };
        this.#finish({ ...this.#doneOf(posted, {}), body });
        return answer(200, { requestId: posted.requestId, epoch: this.epoch, duplicate: true, ...body });
      }
      case 'business':
        if (posted.nonce !== (this.#next.get(`agent:${posted.signer}`) ?? 0n))
          return refusal(409, 'NonceMismatch');
        this.#finish(this.#doneOf(posted, { status: 'rejected', reason: fate.reason }));
        return refusal(422, fate.reason, { nonceConsumed: true, reason: fate.reason });
      case 'answer':
        return fate.answer;
    }
  }

  async receipt(query: ReceiptQuery): Promise<RawAnswer | NoAnswer> {
    this.receiptsAsked++;
    await this.#wait(1);
    if (this.isDown) return { kind: 'lost', why: 'connection refused' };
    const scripted = this.receiptAnswers.shift();
    if (scripted !== undefined) return scripted;
    const { epoch } = this;
    const done = this.#done.get(query.requestId);
    if (done !== undefined) {
      const head = { requestId: query.requestId, epoch };
      if (done.readableAtMs > this.#clock.monotonicMs())
        return answer(200, { ...head, status: 'pending', seq: 1, sub: 0 });
      return answer(200, { ...head, ...done.body });
    }
    const winner = this.#byNonce.get(`${query.scope} ${query.nonce}`);
    if (winner !== undefined) {
      const details = { status: 'conflict', epoch, conflictingRequest: winner.requestId };
      return refusal(409, 'conflict', details);
    }
    return refusal(404, 'not_found', { status: 'not_found', epoch, asOfSeq: Number(this.seq) });
  }

  async nonce(signer: Address, _minSeq?: bigint): Promise<RawAnswer | NoAnswer> {
    await this.#wait(1);
    if (this.isDown) return { kind: 'lost', why: 'connection refused' };
    const nonce = this.#next.get(`agent:${signer}`) ?? 0n;
    return answer(200, { nonce: Number(nonce), signingAccountId: 7, scope: `agent:${signer}` });
  }

  async openOrders(): Promise<RawAnswer | NoAnswer> {
    await this.#wait(1);
    if (this.isDown) return { kind: 'lost', why: 'connection refused' };
    const orders = [...this.orders].map((orderId) => ({ orderId }));
    return answer(200, { orders, seq: Number(this.seq), epoch: this.epoch });
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(delayMs, resolve));
  }

  #read(write: OutgoingWrite): { posted: Posted; items: Record<string, unknown>[] } {
    const opened = openEnvelope(JSON.parse(write.body));
    if ('problem' in opened) throw new Error(opened.problem.message);
    const { envelope, business } = opened;
    const read = readWrite(write.path, business, CONTEXT);
    if ('problem' in read) throw new Error(read.problem.message);
    const signer = this.#signers.find((other) => other.address === envelope.signer);
    if (signer === undefined || 'agent' in read.canonical) throw new Error('an unknown signer');
    const bytes = encodeCommand(read.canonical as Parameters<typeof encodeCommand>[0]);
    const { requestId } = signer.prepare(bytes, envelope.nonce as Nonce, read.canonical);
    const posted: Posted = {
      ...write,
      requestId,
      nonce: envelope.nonce,
      signer: signer.address,
      kind: read.canonical.kind,
      atMs: this.#clock.monotonicMs(),
      isRecorded: this.isDurable(requestId),
    };
    return { posted, items: this.#itemsOf(business) };
  }

  #itemsOf(business: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
    const lists = business as Record<'orders' | 'cancels', Record<string, string>[] | undefined>;
    const isCancel = (item: Record<string, string>) => item['side'] === undefined;
    const orders = lists.orders ?? [];
    const cancels = [...(lists.cancels ?? []), ...orders.filter(isCancel)];
    return [
      ...cancels.map((item, inputIndex) => ({ ...item, inputIndex, kind: 'cancel' })),
      ...orders
        .filter((item) => !isCancel(item))
        .map((item, inputIndex) => ({ ...item, inputIndex, kind: 'place' })),
    ];
  }

  #execute(posted: Posted, items: readonly Record<string, unknown>[], pendingMs = 0): RawAnswer {
    const scope = `agent:${posted.signer}`;
    const known = this.#done.get(posted.requestId);
    if (known !== undefined)
      return answer(200, { requestId: posted.requestId, epoch: this.epoch, ...known.body });
    if (posted.nonce !== (this.#next.get(scope) ?? 0n)) return refusal(409, 'NonceMismatch');
    if (posted.kind === 'CancelAll' && !this.isCancelAllSupported) return refusal(403, 'AgentScopeViolation');
    this.executed.push(posted);
    const outcomes = items.map((item) => this.#executeItem(item));
    if (posted.kind === 'CancelAll') this.orders.clear();
    const done = this.#doneOf(posted, { status: 'executed', items: outcomes }, pendingMs);
    this.#finish(done);
    return answer(200, { requestId: posted.requestId, epoch: this.epoch, ...done.body });
  }

  #executeItem({ inputIndex, kind, symbol, orderId, price, size }: Record<string, unknown>): object {
    const head = { inputIndex, kind, symbol };
    if (kind === 'cancel') {
      const isOpen = this.orders.delete(String(orderId));
      return isOpen
        ? { ...head, orderId, state: 'canceled', canceledSize: formatSize(aMarket(), lots(1)) }
        : { ...head, orderId, state: 'rejected', reason: 'UnknownOrder' };
    }
    if (price === this.rejectedPriceText) return { ...head, state: 'rejected', reason: 'PostOnlyWouldCross' };
    const id = String((this.seq << 16n) | BigInt(this.orders.size));
    this.orders.add(id);
    return { ...head, orderId: id, state: 'accepted', size, filledSize: '0', resting: true };
  }

  #doneOf(posted: Posted, body: Record<string, unknown>, pendingMs = 0): Done {
    this.seq += 1n;
    const { requestId, nonce, signer } = posted;
    const whole = { ...body, seq: Number(this.seq), sub: 0, nonceConsumed: true };
    const readableAtMs = this.#clock.monotonicMs() + pendingMs;
    return { requestId, nonce, scope: `agent:${signer}`, body: whole, readableAtMs };
  }

  #finish(done: Done): void {
    this.#next.set(done.scope, done.nonce + 1n);
    this.#done.set(done.requestId, done);
    this.#byNonce.set(`${done.scope} ${done.nonce}`, done);
  }
}

/** An executor over a fake gateway. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly gateway: FakeGateway;
  readonly journal: InMemoryJournal;
  readonly executor: Executor;
  readonly facts: Fact[];
  readonly bugs: unknown[];
  readonly trader: CommandSigner;
  readonly safety: CommandSigner;
  /** Reasons for red health. */
  readonly red: string[];
  run(durationMs: number): Promise<void>;
  /** Starts and arms. */
  start(): Promise<void>;
  of<T extends Fact['type']>(type: T): Extract<Fact, { type: T }>[];
  options: ExecutorOptions;
}

/** Builds a bench; `isShared`: one wallet for all. */
export function aBench(
  changes: Partial<ExecutorOptions> & {
    readonly isShared?: boolean;
    readonly memory?: InMemoryJournal;
    readonly clock?: VirtualClock;
    readonly gateway?: FakeGateway;
  } = {},
): Bench {
  const clock = changes.clock ?? new VirtualClock(START_MS);
  const trader = aSigner(1);
  const safety = aSigner(2);
  const gateway = changes.gateway ?? new FakeGateway(clock, [trader, safety]);
  const journal = changes.memory ?? createInMemoryJournal({ commit: { clock, delayMs: 1 } });
  const durable = (requestId: string) => journal.rows().some((row) => row.body.includes(requestId));
  gateway.isDurable = durable;
  const facts: Fact[] = [];
  const bugs: unknown[] = [];
  const red: string[] = [];
  const { isShared = false, memory: _memory, gateway: _gateway, clock: _clock, ...rest } = changes;
  const options: ExecutorOptions = {
    clock,
    random: seededRandom(1),
    log: silentLog,
    pipe: gateway,
    journal,
    sink: (fact) => void facts.push(fact),
    context: CONTEXT,
    account: ACCOUNT,
    lanes: isShared
      ? [{ id: TRADER, signer: trader }]
      : [
          { id: TRADER, signer: trader },
          { id: SAFETY, signer: safety },
        ],
    safetyLane: isShared ? TRADER : SAFETY,
    serverNowMs: () => clock.nowMs() as UnixMs,
    health: () => red,
    onBug: (error) => void bugs.push(error),
    ...rest,
  };
  const executor = createExecutor(options);
  return {
    clock,
    gateway,
    journal,
    executor,
    facts,
    bugs,
    trader,
    safety,
    red,
    options,
    run: (durationMs) => clock.advanceAsync(durationMs),
    start: async () => {
      const started = executor.start();
      await clock.advanceAsync(100);
      await started;
    },
    of: <T extends Fact['type']>(type: T) =>
      facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type),
  };
}

export { BTC, fromHex, toHex };
