/**
 * @module
 * What the interface document leaves open, as options of the exchange (quirks.md, ambiguities A1 to A20). The first
 * value of each is the likely one and the default; a client must be right under all of them.
 */
import { BotError } from '../../core/index.ts';

/** One open question with the answers that an exchange can be given. */
interface QuirkSpec {
  readonly about: string;
  readonly values: readonly [string, ...string[]];
}

/** The open questions by id. What each value does: docs/reference/quirks.md. */
export const QUIRKS = {
  A1: { about: 'how a request id is made', values: ['digest', 'random'] },
  A2: { about: 'nonces that skip numbers', values: ['strict', 'gaps'] },
  A3: { about: 'limits of schedule-cancel', values: ['plain', 'lead', 'cap', 'no-clear'] },
  A4: {
    about: 'what frames of prices and positions hold after the snapshot',
    values: ['delta', 'full'],
  },
  A5: { about: 'a snapshot of open orders after lagged', values: ['sent', 'none'] },
  A6: { about: 'the nonce of a write refused with 412, 421 or 429', values: ['kept', 'consumed'] },
  A7: { about: 'direction of history pages', values: ['ascending', 'descending'] },
  A8: { about: 'the nonce of an order that arrives past its expiry', values: ['consumed', 'kept'] },
  A9: { about: 'after with bounds that no first page gave', values: ['accepted', 'refused'] },
  A10: { about: 'the number of an order after a replace', values: ['new', 'kept'] },
  A11: { about: 'does a ping of the WebSocket protocol count as a client frame', values: ['no', 'yes'] },
  A12: { about: 'JSON type of epoch', values: ['text', 'integer'] },
  A13: { about: 'reach of cancel-all and switch over trigger orders', values: ['all', 'plain'] },
  A14: { about: 'the switch over a restart of the exchange', values: ['kept', 'lost'] },
  A15: { about: 'nonce of an API wallet that is approved again', values: ['continues', 'restarts'] },
  A16: { about: 'a receipt that contradicts the answer', values: ['never'] },
  A17: { about: 'JSON type of positions and ids', values: ['mixed', 'text', 'number'] },
  A18: { about: 'order of the frames of a fill', values: ['fills-first', 'orders-first', 'blocks-first'] },
  A19: { about: 'accounts that cancel-all and switch reach', values: ['account', 'wallet'] },
  A20: { about: 'names of fields, and which are left out', values: ['seed', 'sdk', 'thin'] },
} as const satisfies Readonly<Record<string, QuirkSpec>>;

/** Id of an open question. */
export type QuirkId = keyof typeof QUIRKS;
/** An answer to one of them. */
export type QuirkValue<Id extends QuirkId> = (typeof QUIRKS)[Id]['values'][number];
/** An answer to each of them. */
export type Quirks = { readonly [Id in QuirkId]: QuirkValue<Id> };

/** The ids in order. */
export const QUIRK_IDS = Object.keys(QUIRKS) as readonly QuirkId[];

/** Hears that an open question came up in a run, and how it is answered there. */
export type QuirkListener = (id: QuirkId, value: string) => void;

/** The likely answers. */
export function defaultQuirks(): Quirks {
  return Object.fromEntries(QUIRK_IDS.map((id) => [id, QUIRKS[id].values[0]])) as unknown as Quirks;
}

/**
 * An option of the command line as one answer. @throws BotError `CONFIG_QUIRK_INVALID` naming what is there to choose.
 * @example parseQuirk('A4=delta') // { A4: 'delta' }
 */
export function parseQuirk(text: string): Partial<Quirks> {
  const [id = '', value, ...rest] = text.split('=');
  const spec: QuirkSpec | undefined = Object.hasOwn(QUIRKS, id) ? QUIRKS[id as QuirkId] : undefined;
  if (spec === undefined) throw invalid(`expected a quirk as A1=value to A20=value, got ${quoted(text)}`);
  if (value === undefined || rest.length > 0 || !spec.values.includes(value))
    throw invalid(
      `expected ${id} (${spec.about}) as one of ${spec.values.join(', ')}, got ${quoted(value ?? '')}`,
    );
  return { [id]: value };
}

/** The answers of one exchange. Who asks for one notes that the question came up. */
export class QuirkSwitches {
  #values: Quirks;
  readonly #listeners: QuirkListener[] = [];

  constructor(values: Quirks) {
    this.#values = values;
  }

  /** All answers. */
  get values(): Quirks {
    return this.#values;
  }

  /** Changes an answer from now on. @throws BotError `CONFIG_QUIRK_INVALID`. */
  answer(id: QuirkId, value: string): void {
    this.#values = { ...this.#values, ...parseQuirk(`${id}=${value}`) };
  }

  /** True if `value` is the answer to `id`. Call it where the answer makes a difference, and only there. */
  takes<Id extends QuirkId>(id: Id, value: QuirkValue<Id>): boolean {
    this.meet(id);
    return this.#values[id] === value;
  }

  /** Notes that `id` came up where something else than this object answers it. */
  meet(id: QuirkId): void {
    for (const listener of this.#listeners) listener(id, this.#values[id]);
  }

  /** Calls `listener` whenever a question comes up from now on. It must change nothing. */
  onMet(listener: QuirkListener): void {
    this.#listeners.push(listener);
  }
}

function invalid(message: string): BotError {
  return new BotError({
    code: 'CONFIG_QUIRK_INVALID',
    message,
    remedy: 'The options and their values are listed in docs/reference/quirks.md.',
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
