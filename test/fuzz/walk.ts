/**
 * @module
 * What must hold of every decoded value, however it came about: numbers that are numbers, ticks and lots that can be
 * counted, ids that later code can take apart.
 */

/** Names under which the wire's own JSON is handed on unread. */
const RAW = new Set(['data', 'details', 'version', 'entries']);
const COUNTED = /(?:Ticks|Lots|Step|Decimals)$/;
const PLACE = /^[0-9]{1,20}(?:-[0-9]{1,20}){0,2}$/;
const NUMBER = /^(?:0|[1-9][0-9]{0,19})$/;

/** The first flaw of `value`; `undefined` when it has none. `signed` names counts that may be negative. */
export function flawOf(value: unknown, signed: readonly string[] = []): string | undefined {
  return flawAt(value, { path: 'value', name: '', signed });
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly signed: readonly string[];
}

function flawAt(value: unknown, place: Place): string | undefined {
  const { path, name } = place;
  if (typeof value === 'number') return numberFlaw(value, place);
  if (typeof value === 'string') return idFlaw(value, name, path);
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return `${path} has a key __proto__`;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
    return ArrayBuffer.isView(value) ? undefined : `${path} is an object of another kind`;
  for (const [key, item] of Object.entries(value)) {
    const at = { ...place, path: `${path}.${key}`, name: Array.isArray(value) ? name : key };
    const flaw = RAW.has(key) ? pollutedAt(item, at.path, 0) : flawAt(item, at);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function numberFlaw(value: number, { path, name, signed }: Place): string | undefined {
  if (!Number.isSafeInteger(value)) return `${path} is ${value}`;
  const isCount = COUNTED.test(name) && !signed.includes(name);
  return isCount && value < 0 ? `${path} is ${value}, below zero` : undefined;
}

function idFlaw(text: string, name: string, path: string): string | undefined {
  if (name === 'orderId' && !NUMBER.test(text)) return `${path} is no order number: ${text.slice(0, 60)}`;
  if (name === 'cursor' && !PLACE.test(text)) return `${path} is no place in history: ${text.slice(0, 60)}`;
  return undefined;
}

const RAW_DEPTH_MAX = 50;

/** Unread JSON may say anything, but no key of it may become a prototype when it is copied. */
function pollutedAt(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth > RAW_DEPTH_MAX) return undefined;
  if (Object.hasOwn(value, '__proto__')) return `${path} has a key __proto__`;
  for (const [key, item] of Object.entries(value)) {
    const flaw = pollutedAt(item, `${path}.${key}`, depth + 1);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}
