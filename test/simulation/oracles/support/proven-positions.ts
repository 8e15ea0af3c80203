/**
 * @module
 * Positions of those that prove what became of writes: they read open orders, and all books as a run ends, at or after the
 * newest outcome that they know of. Streams and audits come further, and read the same at their own positions.
 */
import type { OracleWorld, Sight } from '../../types.ts';
import type { Row } from './journal-text.ts';

/** Reads whose answers say how far the log has come. */
const TELLING = /^\/v1\/(requests\/|account\/orders(\?|$))/;

/** What one life may know by its own writes. */
export class ProvenPositions {
  readonly #world: OracleWorld;
  readonly #asked = new Set<number>();
  readonly #named = new Set<bigint>();
  /** Of the outcomes that the bot has booked in this ledger. */
  #newestOutcome: bigint | undefined;

  constructor(world: OracleWorld) {
    this.#world = world;
  }

  /** Another life: it knows of nothing. */
  clear(): void {
    this.#asked.clear();
    this.#named.clear();
    this.beginEpoch();
  }

  /** Another ledger: its outcomes begin at lower positions. */
  beginEpoch(): void {
    this.#newestOutcome = undefined;
  }

  ask({ id, method, path }: Extract<Sight, { kind: 'request' }>): void {
    if (method === 'POST' || TELLING.test(path)) this.#asked.add(id);
  }

  hear({ id, status, headers, body }: Extract<Sight, { kind: 'answer' }>): void {
    // A replica that is behind names its own position, and no reader takes that one.
    if (!this.#asked.delete(id) || status === 412) return;
    const header = Object.keys(headers).find((one) => one.endsWith('-seq'));
    if (header !== undefined) this.note(headers[header]);
    const { seq, error } = recordOf(parsed(body));
    this.note(seq);
    this.note(recordOf(recordOf(error)['details'])['seq']);
  }

  /** A position that the bot was told; anything else is passed over. */
  note(seq: unknown): void {
    if (/^[0-9]+$/.test(String(seq))) this.#named.add(BigInt(String(seq)));
  }

  /** Of the journal: it holds a position only where the bot has believed it. */
  settle({ value: { seq } }: Extract<Row, { type: 'outcome' }>): void {
    if (seq === undefined) return;
    this.note(seq);
    if (this.#newestOutcome === undefined || seq > this.#newestOutcome) this.#newestOutcome = seq;
  }

  /** May one of them read at `minSeq`: at a position that was told, and not before the newest outcome? */
  has(minSeq: bigint): boolean {
    if (!this.#named.has(minSeq)) return false;
    const newest = this.#newestOutcome;
    // A false position beyond the log (F76) is given up again.
    return newest === undefined || newest > BigInt(this.#world.exchange.seq) || minSeq >= newest;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A garbled answer tells nothing.
    return undefined;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
