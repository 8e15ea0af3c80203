/** @module One JSON message of Binance: its fields, each of the type that is asked for. */
import { isRecord, parseJson } from '../../../core/index.ts';
import { FOUND_LENGTH_MAX, malformed, type Place, quoted } from '../location.ts';
import { recordedUs } from '../recorded-time.ts';

/** Price and total size as they are in the message; size 0 removes the level. */
export type TextLevel = readonly [price: string, size: string];

/** A venue of Binance with linear markets. */
export type BinanceVenue = 'um' | 'spot';

/** The object that `text` is. @throws ProtocolError naming the location. */
export function parseMessage(place: Place, text: string): Record<string, unknown> {
  let message: unknown;
  try {
    message = parseJson(text);
  } catch {
    throw malformed(place, 'a JSON message', quoted(text));
  }
  if (isRecord(message)) return message;
  throw malformed(place, 'a JSON object', quoted(text));
}

/** See the module. A field that is not of its type is an error that names the location. */
export class Message {
  readonly #place: Place;
  readonly #fields: Record<string, unknown>;

  readonly venue: BinanceVenue;

  constructor(place: Place, fields: Record<string, unknown>, venue: BinanceVenue) {
    this.#place = place;
    this.#fields = fields;
    this.venue = venue;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined;
  }

  record(name: string): Record<string, unknown> {
    const value = this.#fields[name];
    return isRecord(value) ? value : this.#refuse(name, 'an object');
  }

  text(name: string): string {
    const value = this.#fields[name];
    return typeof value === 'string' ? value : this.#refuse(name, 'a text');
  }

  flag(name: string): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : this.#refuse(name, 'true or false');
  }

  integer(name: string): number {
    const value = this.#fields[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? value
      : this.#refuse(name, 'an integer');
  }

  /** Unix us. Streams of spot may be asked for in microseconds. */
  instantUs(name: string): number {
    const value = this.#fields[name];
    if (typeof value !== 'number' && typeof value !== 'bigint') return this.#refuse(name, 'an integer');
    return recordedUs(this.#place, String(value), { name, unit: this.venue === 'um' ? 'ms' : 'auto' });
  }

  levels(name: string): readonly TextLevel[] {
    const value = this.#fields[name];
    return Array.isArray(value) && value.every(isTextLevel)
      ? value
      : this.#refuse(name, 'a list of [price, size]');
  }

  #refuse(name: string, expected: string): never {
    const found = JSON.stringify(this.#fields[name]) ?? 'missing';
    throw malformed(this.#place, `${name} as ${expected}`, found.slice(0, FOUND_LENGTH_MAX));
  }
}

function isTextLevel(value: unknown): value is TextLevel {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'string'
  );
}
