/** @module A document for a reader with little room: long lists and texts are cut, and what was cut is said. */
import { formatJson, isRecord } from '../../core/index.ts';

/** Entries of a list that are tried one after the other, until the document fits. */
const LENGTHS = [1_000, 200, 50, 20, 5, 1] as const;
const TEXT_MAX = 2_000;

/**
 * `document` as JSON of at most `bytesMax` bytes: lists keep their first entries and long texts their beginning. The key
 * `leftOut` says how many entries of which list are not there. A document that is too large with single entries is not
 * given: its keys are.
 */
export function boundedJson(document: object, bytesMax: number): string {
  const whole = formatJson(document);
  if (Buffer.byteLength(whole) <= bytesMax) return whole;
  for (const length of LENGTHS) {
    const leftOut: Record<string, number> = {};
    const cut = cutTo(document, { length, path: '', leftOut });
    const text = formatJson({ ...(isRecord(cut) ? cut : {}), leftOut });
    if (Buffer.byteLength(text) <= bytesMax) return text;
  }
  const keys = Object.keys(document).slice(0, 100);
  return formatJson({ leftOut: { document: Buffer.byteLength(whole) }, keys });
}

interface Cut {
  readonly length: number;
  /** Of the value, with dots; empty for the document. */
  readonly path: string;
  readonly leftOut: Record<string, number>;
}

function cutTo(value: unknown, { length, path, leftOut }: Cut): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)} (cut)` : value;
  const below = (name: string) => ({ length, path: path === '' ? name : `${path}.${name}`, leftOut });
  if (Array.isArray(value)) {
    const rest = value.length - length;
    if (rest > 0) leftOut[path] = (leftOut[path] ?? 0) + rest;
    return value.slice(0, length).map((one: unknown) => cutTo(one, below('*')));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cutTo(one, below(name))]));
}
