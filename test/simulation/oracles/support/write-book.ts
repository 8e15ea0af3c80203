/**
 * @module
 * Every signed write of the bot from its record to its end, put together from three sides: the journal's rows, what
 * passed on the wire, and the exchange's log. A write is known by scope, nonce and canonical bytes: the same on all sides,
 * whatever the exchange makes its request ids of (ambiguity A1).
 */
import type { CanonicalCommand } from '../../../../src/domain/index.ts';
import type { OracleWorld, Sight } from '../../types.ts';
import { bytesOfCommand, commandOfBody, type ReadBody } from './codec.ts';
import { type OutcomeRow, type RowOrder, rowOf, type WriteRow } from './journal-text.ts';
import type { Receipt } from './truth.ts';

/** An answer to a write, or to the question after its receipt. */
export interface SeenAnswer {
  readonly status: number;
  readonly life: number;
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly code: string | undefined;
}

/** One signed write. */
export interface Write {
  readonly scope: string;
  readonly nonce: bigint;
  readonly bytes: string;
  /** As the journal has it, from the moment it was handed over. */
  row?: WriteRow;
  /** The life that recorded it last, and when. */
  life: number;
  recordedAtMs?: number;
  isDurable: boolean;
  /** When it left, oldest first. */
  readonly sentAtMs: number[];
  arrivals: number;
  readonly answers: SeenAnswer[];
  readonly receipts: SeenAnswer[];
  /** A promise of an answer was broken, or an answer decided nothing. */
  isDoubtful: boolean;
  /** The log's word so far. */
  truth?: Receipt;
  /** The ledger in which it said so. */
  truthEpoch?: string;
  /** It was refused by the log before it was executed there. */
  wasRefusedByLog: boolean;
  outcome?: OutcomeRow;
  outcomeAtMs?: number;
}

/** A POST of an API wallet as it was understood. */
export interface SentWrite {
  readonly write: Write | undefined;
  readonly read: ReadBody;
  readonly body: Readonly<Record<string, unknown>>;
  readonly signer: string;
}

/** All writes of a world. */
export class WriteBook {
  readonly #world: OracleWorld;
  readonly #byKey = new Map<string, Write>();
  readonly #byRequestId = new Map<string, Write>();
  readonly #scopes = new Set<string>();
  /** By `scope nonce`. */
  readonly #byNonce = new Map<string, Write[]>();
  readonly #byBody = new Map<string, Write>();
  readonly #asked = new Map<number, { readonly write: Write; readonly isReceipt: boolean }>();
  readonly #sent = new WeakMap<object, SentWrite | undefined>();
  /** What the log executed before the bot had such a write. */
  readonly #strangers = new Map<string, { readonly truth: Receipt; readonly truthEpoch: string }>();
  /** Writes with a record and without an end. */
  readonly open = new Set<Write>();

  constructor(world: OracleWorld) {
    this.#world = world;
  }

  /** Every write, oldest first. */
  all(): Iterable<Write> {
    return this.#byKey.values();
  }

  /** Is there a write of this scope? */
  hasScope(scope: string): boolean {
    return this.#scopes.has(scope);
  }

  /** Writes of a scope with one nonce, oldest first: seldom more than one. */
  ofNonce(scope: string, nonce: bigint): readonly Write[] {
    return this.#byNonce.get(`${scope} ${nonce}`) ?? [];
  }

  /** The write that a row of the journal names. */
  byRequestId(requestId: string): Write | undefined {
    return this.#byRequestId.get(requestId.toLowerCase());
  }

  /**
   * The write of a receipt of the log. While ids follow from digests, another id under the same bytes is another signing
   * domain: a second writer on the wallet, not the bot, whose bytes were refused there (F40, F69).
   */
  byReceipt({ scope, request }: Receipt): Write | undefined {
    const bytes = bytesOfCommand(request.operation as CanonicalCommand);
    const write = bytes === undefined ? undefined : this.#byKey.get(keyOf(scope, request.nonce, bytes));
    const ownId = write?.row?.requestId.toLowerCase();
    const { A1 } = this.#world.plan.ambiguities as { readonly A1?: string };
    const isDrawn = A1 === 'random';
    return isDrawn || ownId === undefined || ownId === request.requestId.toLowerCase() ? write : undefined;
  }

  /** The write that a request carries; `undefined`: it is no write of an API wallet. */
  sentBy(sight: Sight): SentWrite | undefined {
    if (sight.kind !== 'request' || sight.method !== 'POST') return undefined;
    if (!this.#sent.has(sight)) this.#sent.set(sight, this.#readRequest(sight));
    return this.#sent.get(sight);
  }

  /** Which write a request was about, as long as it is under way. */
  askedBy(requestNumber: number): Write | undefined {
    return this.#asked.get(requestNumber)?.write;
  }

  /** Takes a sight. */
  take(sight: Sight): void {
    switch (sight.kind) {
      case 'recorded':
        this.#recorded(sight);
        break;
      case 'durable':
        this.#durable(sight.body);
        break;
      case 'request':
        this.#request(sight);
        break;
      case 'arrived': {
        const asked = this.#asked.get(sight.id);
        if (asked?.isReceipt === false) asked.write.arrivals++;
        break;
      }
      case 'answer':
        this.#answer(sight);
        break;
      case 'noAnswer': {
        const asked = this.#asked.get(sight.id);
        if (asked?.isReceipt === false) asked.write.isDoubtful ||= !sight.why.startsWith('not sent');
        break;
      }
      default:
        break;
    }
  }

  /** Takes what the log made of a request. */
  applied(receipt: Receipt): void {
    const write = this.byReceipt(receipt);
    if (write === undefined) {
      // A second bot on the same wallet may have executed the very bytes that the first one comes to sign (F69, F72).
      const bytes = bytesOfCommand(receipt.request.operation as CanonicalCommand);
      if (bytes !== undefined && receipt.nonceConsumed)
        this.#strangers.set(keyOf(receipt.scope, receipt.request.nonce, bytes), {
          truth: receipt,
          truthEpoch: this.#world.exchange.epoch,
        });
      return;
    }
    if (!receipt.nonceConsumed) write.wasRefusedByLog = true;
    // The log's first final word stands: a replayed request finds its nonce used.
    if (write.truth?.nonceConsumed !== true || receipt.nonceConsumed) {
      write.truth = receipt;
      write.truthEpoch = this.#world.exchange.epoch;
    }
  }

  /** A life is over: of rows that were not acknowledged nobody knows whether they are on the disk. */
  died(life: number): void {
    for (const write of this.#byBody.values()) if (write.life === life) this.open.delete(write);
    this.#byBody.clear();
  }

  /** Rows were lost or changed on the disk: what is open is for the start-up check to find. */
  forget(): void {
    this.open.clear();
  }

  #recorded(sight: Extract<Sight, { kind: 'recorded' | 'durable' }>): void {
    const row = rowOf(sight);
    if (row?.type === 'write') {
      const { scope, nonce, requestId } = row.value;
      const write = this.#writeOf(scope, nonce, row.value.bytes.replace(/^0x/, '').toLowerCase());
      write.row = row.value;
      write.life = sight.life;
      write.recordedAtMs = sight.atMs;
      // The same command for a nonce that an unsent write left free is the same request.
      if (write.outcome?.outcome === 'notSent') delete write.outcome;
      this.#byRequestId.set(requestId.toLowerCase(), write);
      this.#byBody.set(sight.body, write);
      this.open.add(write);
    } else if (row?.type === 'outcome') {
      const write = this.byRequestId(row.value.requestId);
      if (write === undefined) return;
      write.outcome = row.value;
      write.outcomeAtMs = sight.atMs;
      if (row.value.outcome !== 'refused') this.open.delete(write);
    }
  }

  #durable(body: string): void {
    const write = this.#byBody.get(body);
    if (write === undefined) return;
    write.isDurable = true;
    this.#byBody.delete(body);
  }

  #request(sight: Extract<Sight, { kind: 'request' }>): void {
    const id = sight.method === 'GET' ? /\/v1\/requests\/(0x[0-9a-fA-F]+)/.exec(sight.path)?.[1] : undefined;
    if (id !== undefined) {
      const write = this.byRequestId(id);
      if (write !== undefined) this.#asked.set(sight.id, { write, isReceipt: true });
      return;
    }
    const write = this.sentBy(sight)?.write;
    if (write === undefined) return;
    write.sentAtMs.push(sight.atMs);
    this.#asked.set(sight.id, { write, isReceipt: false });
  }

  #answer(sight: Extract<Sight, { kind: 'answer' }>): void {
    const asked = this.#asked.get(sight.id);
    if (asked === undefined) return;
    this.#asked.delete(sight.id);
    const answer = readAnswer(sight);
    (asked.isReceipt ? asked.write.receipts : asked.write.answers).push(answer);
    if (!asked.isReceipt && (answer.json === undefined || sight.status === 202 || sight.status >= 500))
      asked.write.isDoubtful = true;
  }

  #readRequest(sight: Extract<Sight, { kind: 'request' }>): SentWrite | undefined {
    const json = parseObject(sight.body);
    const signer = json?.['signer'];
    if (json === undefined || typeof signer !== 'string') return undefined;
    const { account: _a, nonce: _n, signature: _s, subaccount: _b, signer: _w, ...body } = json;
    const read = commandOfBody(sight.path.split('?')[0] ?? '', body, {
      account: this.#world.accountId,
      market: (symbol) =>
        this.#world.exchange.control.venue.markets().find(({ market }) => market.symbol === symbol)?.market,
    });
    // The digits as they stand: JSON.parse would round a nonce beyond 2^53.
    const digits = /"nonce":([0-9]+)/.exec(sight.body)?.[1];
    const bytes = 'command' in read ? bytesOfCommand(read.command) : undefined;
    const scope = `agent:${signer.toLowerCase()}`;
    const nonce = BigInt(digits ?? 0);
    const moved = this.#movedWrite(scope, nonce, bytes);
    if (moved !== undefined) return { write: moved, read, body: json, signer };
    if (digits === undefined || bytes === undefined) return { write: undefined, read, body: json, signer };
    return { write: this.#writeOf(scope, nonce, bytes), read, body: json, signer };
  }

  /**
   * A market whose decimals or number change while a write is on its way reads other bytes out of the same body (F39):
   * then the newest record of the nonce is the one that left.
   */
  #movedWrite(scope: string, nonce: bigint, bytes: string | undefined): Write | undefined {
    const { F39, F40 } = this.#world.plan.faults as { readonly F39?: number; readonly F40?: number };
    if (F39 === undefined && F40 === undefined) return undefined;
    const isKnown = bytes !== undefined && this.#byKey.get(keyOf(scope, nonce, bytes))?.row !== undefined;
    return isKnown ? undefined : this.ofNonce(scope, nonce).findLast((write) => write.row !== undefined);
  }

  #writeOf(scope: string, nonce: bigint, bytes: string): Write {
    const key = keyOf(scope, nonce, bytes);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const write: Write = {
      scope,
      nonce,
      bytes,
      life: 0,
      isDurable: false,
      sentAtMs: [],
      arrivals: 0,
      answers: [],
      receipts: [],
      isDoubtful: false,
      wasRefusedByLog: false,
    };
    Object.assign(write, this.#strangers.get(key));
    this.#byKey.set(key, write);
    this.#scopes.add(scope);
    const others = this.#byNonce.get(`${scope} ${nonce}`);
    if (others === undefined) this.#byNonce.set(`${scope} ${nonce}`, [write]);
    else others.push(write);
    return write;
  }
}

/** Placements of a write: what a cancel names is none. */
export function placesOf({ row }: Pick<Write, 'row'>): readonly RowOrder[] {
  const kind = row?.command.kind;
  return kind === 'place' || kind === 'replace' ? (row?.command.orders ?? []) : [];
}

/** An answer with what oracles ask of it. */
export function readAnswer(sight: Extract<Sight, { kind: 'answer' }>): SeenAnswer {
  const json = parseObject(sight.body);
  const error = json?.['error'];
  const code =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>)['code'] : undefined;
  return {
    status: sight.status,
    life: sight.life,
    json,
    code: typeof code === 'string' ? code : undefined,
  };
}

/** The text that was read last: all oracles are shown a sight before the next one. */
let lastText = '';
let lastObject: Readonly<Record<string, unknown>> | undefined;

/** A JSON object; `undefined` for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text === lastText) return lastObject;
  lastText = text;
  lastObject = objectOf(text);
  return lastObject;
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const fields = value as Record<string, unknown>;
    // The word of another exchange for the same (ambiguity A20).
    return fields['status'] === 'ok' ? { ...fields, status: 'executed' } : fields;
  } catch {
    return undefined;
  }
}

function keyOf(scope: string, nonce: bigint, bytes: string): string {
  return `${scope} ${nonce} ${bytes}`;
}
