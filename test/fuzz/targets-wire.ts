/**
 * @module
 * What the gateway sends: frames and bodies of answers. Whatever comes, decoding gives a value or says why there is none;
 * a value holds nothing that later code could stumble over (obligations O7, O14).
 */
import { ProtocolError } from '../../src/core/index.ts';
import type { ServerFrame } from '../../src/wire/protocol/decode/frame-types.ts';
import {
  allocateBookLevels,
  type BookLevels,
  type Decoded,
  decodeAccount,
  decodeAgentAccounts,
  decodeAgents,
  decodeCandles,
  decodeErrorBody,
  decodeExchange,
  decodeFillsPage,
  decodeFrame,
  decodeFundingHistory,
  decodeLedgerPage,
  decodeMarkets,
  decodeNonce,
  decodeOrders,
  decodePage,
  decodePositions,
  decodeReceipt,
  decodeTime,
  decodeTrades,
} from '../../src/wire/protocol/index.ts';
import * as account from '../../src/wire/protocol/schema/account.ts';
import * as market from '../../src/wire/protocol/schema/market.ts';
import { decodeAnswer, type PeopleSchema } from '../../src/wire/protocol/schema/schema.ts';
import * as vault from '../../src/wire/protocol/schema/vault.ts';
import * as write from '../../src/wire/protocol/schema/write.ts';
import { ANSWERS, SERVER_FRAMES, WRITE_ANSWERS } from '../support/wire-samples.ts';
import { CONTEXT } from '../unit/wire/protocol/support.ts';
import { type Outcome, REFUSED, type Target, taken, wrong } from './target.ts';
import { flawOf } from './walk.ts';

const LEVELS = allocateBookLevels();

/** Frames of the server. */
export const frames: Target = {
  name: 'frames',
  samples: () => SERVER_FRAMES.map((frame) => JSON.stringify(frame)),
  feed: (text) => {
    const frame = decodeFrame(text, CONTEXT, { book: () => LEVELS });
    // The store of the book refuses one with a flaw.
    const isFlawed = frame.ok && frame.value.channel === 'book' && frame.value.flaw !== undefined;
    return isFlawed ? REFUSED : judged(text, frame, frameFlaw);
  },
};

/** Bodies of answers: each text goes through every decoder. */
export const bodies: Target = {
  name: 'bodies',
  samples: () =>
    [...Object.values(ANSWERS), ...Object.values(WRITE_ANSWERS)].map((body) => JSON.stringify(body)),
  feed: (text) => {
    let outcome = REFUSED;
    for (const [name, decode] of Object.entries(DECODERS)) {
      const next = judged(text, decode(text), (value) => bodyFlaw(name, value));
      if (next.kind === 'wrong') return wrong(`${name}: ${next.why}`);
      if (next.kind === 'accepted') outcome = next;
    }
    return outcome;
  },
};

const PEOPLE = 'people ';

const DECODERS: Readonly<Record<string, (text: string) => Decoded<unknown>>> = {
  time: decodeTime,
  exchange: decodeExchange,
  markets: (text) => decodeMarkets(text, 6),
  nonce: decodeNonce,
  agents: decodeAgents,
  agentAccounts: decodeAgentAccounts,
  account: (text) => decodeAccount(text, CONTEXT),
  orders: (text) => decodeOrders(text, CONTEXT),
  positions: (text) => decodePositions(text, CONTEXT),
  trades: (text) => decodeTrades(text, CONTEXT),
  candles: (text) => decodeCandles(text, CONTEXT),
  funding: (text) => decodeFundingHistory(text, CONTEXT),
  page: decodePage,
  fills: (text) => decodeFillsPage(text, CONTEXT),
  ledger: (text) => decodeLedgerPage(text, CONTEXT),
  receipt: decodeReceipt,
  error: decodeErrorBody,
  ...forPeople({ ...account, ...market, ...vault, ...write }),
};

/** Every answer in the form that the client gives. */
function forPeople(schemas: Readonly<Record<string, PeopleSchema<unknown>>>): typeof DECODERS {
  const decoders = Object.entries(schemas).map(
    ([name, schema]) => [`${PEOPLE}${name}`, (text: string) => decodeAnswer(schema, text)] as const,
  );
  return Object.fromEntries(decoders);
}

function judged<T>(text: string, decoded: Decoded<T>, flawIn: (value: T) => string | undefined): Outcome {
  if (!decoded.ok)
    return decoded.error instanceof ProtocolError
      ? REFUSED
      : wrong('refused with another error than a ProtocolError');
  try {
    JSON.parse(text);
  } catch {
    return wrong('a text was taken that is no JSON');
  }
  return taken(flawIn(decoded.value));
}

function frameFlaw(frame: ServerFrame): string | undefined {
  switch (frame.channel) {
    case 'book':
      return flawOf(frame) ?? bookFlaw(LEVELS);
    case 'fills':
      return flawOf(frame) ?? flawOf({ cursor: frame.fill.id });
    case 'ledger':
      return flawOf(frame) ?? flawOf({ cursor: frame.entry.id });
    case 'positions':
      return flawOf(frame, ['sizeLots']);
    default:
      return flawOf(frame);
  }
}

function bodyFlaw(name: string, value: unknown): string | undefined {
  // People get Decimals, and ids as they came.
  if (name.startsWith(PEOPLE)) return undefined;
  switch (name) {
    case 'positions':
      return flawOf(value, ['sizeLots']);
    case 'page':
      return undefined;
    case 'fills':
    case 'ledger': {
      const { entries } = value as { readonly entries: readonly { readonly id: string }[] };
      return flawOf(entries) ?? flawOf(entries.map(({ id }) => ({ cursor: id })));
    }
    case 'nonce':
      return flawOf(value) ?? accountFlaw((value as { readonly signingAccountId: number }).signingAccountId);
    case 'markets':
      return flawOf(value) ?? marginFlaw(Reflect.get(Object(value), 'markets'));
    default:
      return flawOf(value);
  }
}

/** Account numbers are signed as 32 bits (exchange.md#command-bytes). */
function accountFlaw(id: number): string | undefined {
  return id >= 0 && id <= 0xffff_ffff ? undefined : `an account number of ${id}`;
}

interface Margins {
  readonly initialMarginPpm: number;
  readonly maintenanceFractionPpm: number;
}

/** A margin below nothing would let positions of any size pass. */
function marginFlaw(markets: readonly Margins[]): string | undefined {
  const broken = markets.find(
    ({ initialMarginPpm, maintenanceFractionPpm }) => initialMarginPpm < 0 || maintenanceFractionPpm < 0,
  );
  return broken === undefined ? undefined : 'a margin below zero';
}

function bookFlaw({
  bidCount,
  askCount,
  bidTicks,
  bidLots,
  askTicks,
  askLots,
}: BookLevels): string | undefined {
  const isCountable = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
  const bids = bidTicks.subarray(0, bidCount);
  const asks = askTicks.subarray(0, askCount);
  const sizes = [...bidLots.subarray(0, bidCount), ...askLots.subarray(0, askCount)];
  if (![...bids, ...asks, ...sizes].every(isCountable)) return 'a level that cannot be counted';
  if (bids.some((price, at) => at > 0 && price >= (bids[at - 1] ?? 0))) return 'bids out of order';
  if (asks.some((price, at) => at > 0 && price <= (asks[at - 1] ?? 0))) return 'asks out of order';
  const isCrossed = bidCount > 0 && askCount > 0 && (bids[0] ?? 0) >= (asks[0] ?? 0);
  return isCrossed ? 'a crossed book' : undefined;
}
