/**
 * @module
 * What the interface document leaves open (quirks.md): the values that a run may draw for each question and the
 * settings of the exchange that make them. A question has mattered when the exchange had to answer it in a run: it says
 * so itself.
 */
import type { Random } from '../../src/core/index.ts';
import {
  defaultQuirks,
  type Exchange,
  type ExchangeSettings,
  parseQuirk,
  QUIRK_IDS,
  QUIRKS,
} from '../../src/exchange/index.ts';
import type { AmbiguityId } from './types.ts';

/** One open question. */
export interface Ambiguity {
  readonly id: AmbiguityId;
  /** In a few words. */
  readonly what: string;
  /** Values that a run may draw; the first is the default. */
  readonly values: readonly string[];
  /** Values under which a right bot stops trading for good, by name: for directed tests, never drawn. */
  readonly halting: readonly string[];
  /** The settings of an exchange that answers so. */
  settingsOf(value: string): Partial<ExchangeSettings>;
}

/**
 * A client that makes its request ids itself takes another id for a forgery and halts by name (obligation O75), so a
 * server that draws them leaves nothing to be observed in a whole run (docs/decisions/0008).
 */
const HALTING: Readonly<Record<string, readonly string[]>> = { A1: ['random'] };

/** All of them, A1 to A20. */
export const AMBIGUITIES: readonly Ambiguity[] = QUIRK_IDS.map((id) => {
  const all: readonly string[] = QUIRKS[id].values;
  const halting = HALTING[id] ?? [];
  return {
    id,
    what: QUIRKS[id].about,
    values: all.filter((value) => !halting.includes(value)),
    halting,
    settingsOf: (value) => ({ quirks: parseQuirk(`${id}=${value}`) }),
  };
});

/** Answers by question. */
export type DrawnAmbiguities = Partial<Record<AmbiguityId, string>>;

/** Draws an answer to each question; those at their default are left out. */
export function drawAmbiguities(draw: Random): DrawnAmbiguities {
  const drawn: DrawnAmbiguities = {};
  for (const { id, values } of AMBIGUITIES) {
    const at = draw.fork(id).integer(0, values.length - 1);
    const value = values[at];
    if (at > 0 && value !== undefined) drawn[id] = value;
  }
  return drawn;
}

/** The settings that make all of `drawn` at once. */
export function settingsOfAmbiguities(drawn: DrawnAmbiguities): Partial<ExchangeSettings> {
  const quirks = Object.entries(drawn).map(([id, value]) => parseQuirk(`${id}=${value}`));
  return { quirks: Object.assign({}, defaultQuirks(), ...quirks) };
}

/** Calls `hit` each time a question had to be answered by `exchange`. */
export function watchAmbiguities(exchange: Exchange, hit: (id: AmbiguityId, value: string) => void): void {
  exchange.control.onQuirk(hit);
}
