/**
 * @module
 * Rows of the journal as text, read without the journal's code: JSON in which `{"$big":"123"}` is an integer. Oracles
 * look at what a row says, not at what the client thinks that it says.
 */
import type { BotView, Sight } from '../../types.ts';

/** A placement inside a write, in the client's numbers. */
export interface RowOrder {
  readonly intentId: string;
  readonly strategyId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly priceTicks: number;
  readonly sizeLots: number;
  readonly reduceOnly: boolean;
  readonly clientOrderId: string;
  readonly trigger?: { readonly priceTicks: number };
}

/** A signed write before its first byte leaves. */
export interface WriteRow {
  readonly kind: 'write' | 'fence';
  readonly lane: string;
  readonly scope: string;
  readonly nonce: bigint;
  readonly requestId: string;
  readonly commandHash: string;
  readonly epoch: string;
  readonly nowMs: number;
  readonly bytes: string;
  readonly command: {
    readonly kind: string;
    readonly orders?: readonly RowOrder[];
    readonly cancels?: readonly { readonly orderId: string }[];
    readonly triggerAtMs?: number;
  };
}

/** What became of a write. */
export interface OutcomeRow {
  readonly requestId: string;
  readonly outcome: 'executed' | 'rejected' | 'refused' | 'superseded' | 'void' | 'notSent';
  readonly nonceConsumed: boolean;
  readonly proof: string;
  /** Where the log has it, as far as that was believed. */
  readonly seq?: bigint;
  readonly placed?: readonly {
    readonly orderId: string;
    readonly strategyId: string;
    readonly intentId: string;
  }[];
}

/** A fill as the journal keeps it. */
export interface RowFill {
  readonly id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly priceTicks: number;
  readonly sizeLots: number;
}

/** Effects of the account's history with their epoch. */
export interface EffectsRow {
  readonly epoch: string;
  readonly fills: readonly RowFill[];
  readonly ledger: BotView['ledger'];
}

/** A row that oracles look at. */
export type Row =
  | { readonly type: 'write'; readonly value: WriteRow }
  | { readonly type: 'outcome'; readonly value: OutcomeRow }
  | { readonly type: 'effects'; readonly value: EffectsRow }
  | { readonly type: 'epoch'; readonly value: { readonly epoch: string } };

const TYPES: ReadonlySet<string> = new Set(['write', 'outcome', 'effects', 'epoch']);
/** Rows by their bodies: a row is seen when it is handed over, and again when it is durable. */
const parsed = new Map<string, Row>();
const PARSED_MAX = 2_000;
/** The sight that all oracles are being shown, one after the other, and its row: its long text is looked up once. */
let shown: Sight | undefined;
let row: Row | undefined;

/** The row of a sight `recorded` or `durable`; `undefined` for any other sight, and for rows that nobody looks at. */
export function rowOf(sight: Sight): Row | undefined {
  if (sight.kind !== 'recorded' && sight.kind !== 'durable') return undefined;
  if (sight !== shown) {
    row = parsedRow(sight);
    shown = sight;
  }
  return row;
}

function parsedRow({ type, body }: Extract<Sight, { kind: 'recorded' | 'durable' }>): Row | undefined {
  if (!TYPES.has(type)) return undefined;
  const known = parsed.get(body);
  if (known?.type === type) return known;
  if (parsed.size >= PARSED_MAX) parsed.clear();
  const made = { type, value: revived(JSON.parse(body)) } as Row;
  parsed.set(body, made);
  return made;
}

/** `value` with every `{"$big": digits}` in it as a bigint. */
function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revived);
  const fields = value as Record<string, unknown>;
  if (typeof fields['$big'] === 'string') return BigInt(fields['$big']);
  for (const name in fields) {
    const item = fields[name];
    if (typeof item === 'object' && item !== null) fields[name] = revived(item);
  }
  return fields;
}
