/**
 * @module
 * Which of the names that our document assumes an answer has: for people who want to know how far a gateway is the one that
 * the document describes. All of them are read (schema.ts).
 */
import { isRecord, type JsonObject, parseJson } from '../../../core/index.ts';
import { caught, type Decoded } from '../decode/decoded.ts';
import { type AnySchema, fieldNamed } from './schema.ts';

/** What was found of the assumed names of an answer, by path, such as `grants[].account`. */
export interface AssumedNames {
  readonly confirmed: readonly string[];
  /** Names that the gateway has in place of ours. */
  readonly otherwise: readonly { readonly path: string; readonly name: string }[];
  /** Fields that it leaves out. */
  readonly absent: readonly string[];
}

/**
 * The assumed names of an answer: fields that may be absent although the document promises them, or have other names. `seq`:
 * the position in the header of the answer.
 */
export function decodeAssumedNames(
  schema: AnySchema,
  text: string,
  seq: bigint | undefined,
): Decoded<AssumedNames> {
  return caught(() => {
    const { confirmed, otherwise, absent } = assumedNamesIn(schema, parseJson(text));
    if (seq === undefined || !absent.includes('seq')) return { confirmed, otherwise, absent };
    return {
      confirmed,
      otherwise: [...otherwise, { path: 'seq', name: 'the position in the header' }],
      absent: absent.filter((path) => path !== 'seq'),
    };
  });
}

function assumedNamesIn(schema: AnySchema, answer: unknown): AssumedNames {
  const confirmed = new Set<string>();
  const otherwise = new Map<string, string>();
  const absent = new Set<string>();
  const look = (of: AnySchema, value: unknown, path: string): void => {
    if (of.item !== undefined && Array.isArray(value)) {
      for (const one of value) look(of.item, one, `${path}[]`);
      return;
    }
    if (of.fields === undefined || !isRecord(value)) return;
    for (const [name, field] of Object.entries(of.fields)) {
      const place = path === '' ? name : `${path}.${name}`;
      const alias = aliasIn(value, name, field);
      const isAssumed =
        field.aliases !== undefined || (field.absent !== undefined && field.presence === undefined);
      if (isAssumed) {
        if (alias !== undefined) otherwise.set(place, alias);
        else if (value[name] === undefined) absent.add(place);
        else confirmed.add(place);
      }
      look(field, fieldNamed(value, name, field), place);
    }
  };
  look(schema, answer, '');
  return {
    confirmed: [...confirmed].filter((path) => !absent.has(path) && !otherwise.has(path)),
    otherwise: Array.from(otherwise, ([path, name]) => ({ path, name })),
    absent: [...absent],
  };
}

function aliasIn(value: JsonObject, name: string, { aliases = [] }: AnySchema): string | undefined {
  return value[name] === undefined ? aliases.find((alias) => value[alias] !== undefined) : undefined;
}
