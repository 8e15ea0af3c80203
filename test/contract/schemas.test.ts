/**
 * Every schema of an answer against openapi.yaml, in both directions: the same fields, the same kinds, the same lists of
 * values, and the same fields that may be absent or null. A field that is added to one side only fails here.
 */
import { describe, expect, test } from 'vitest';
import * as account from '../../src/wire/protocol/schema/account.ts';
import * as market from '../../src/wire/protocol/schema/market.ts';
import { type AnySchema, mayBeAbsent, nullable, record } from '../../src/wire/protocol/schema/schema.ts';
import { amount, choice, integer, text } from '../../src/wire/protocol/schema/values.ts';
import * as vault from '../../src/wire/protocol/schema/vault.ts';
import * as write from '../../src/wire/protocol/schema/write.ts';
import { deref, type Node, OPENAPI } from '../support/openapi.ts';

const documents = OPENAPI.components['schemas'] ?? {};

/** `LEDGER_ENTRY` is the schema `LedgerEntry` of the document, but for these. */
const NAMES: Readonly<Record<string, string>> = { ERROR_BODY: 'Error', SEQUENCED_ANSWER: 'SequencedAnswer' };
/** Of no schema of its own in the document: a union of three that it has, and parts that are read apart. */
const UNIONS = new Set(['OUTCOME', 'ORDER_END', 'ANY_PAGE', 'AGENT_GRANT']);

const schemas = Object.entries({ ...account, ...market, ...vault, ...write } as Record<string, AnySchema>)
  .filter(([name]) => !UNIONS.has(name))
  .map(([name, schema]) => [NAMES[name] ?? documentName(name), schema] as const);

function documentName(name: string): string {
  return name.replaceAll(
    /_?([A-Z])([A-Z]*)/g,
    (_all, first: string, rest: string) => first + rest.toLowerCase(),
  );
}

/** What the document says of a value, its references followed and null taken out. */
function described(node: Node): { readonly node: Node; readonly isNullable: boolean } {
  const followed = {
    ...deref(node),
    ...Object.fromEntries(Object.entries(node).filter(([key]) => key !== '$ref')),
  };
  const variants = followed['oneOf'] as readonly Node[] | undefined;
  const value = variants?.find((variant) => variant['type'] !== 'null');
  if (variants !== undefined && value !== undefined)
    return {
      node: described(value).node,
      isNullable: variants.some((variant) => variant['type'] === 'null'),
    };
  const types = followed['type'];
  if (!Array.isArray(types)) return { node: followed, isNullable: false };
  const [type] = types.filter((one) => one !== 'null');
  return { node: { ...followed, type }, isNullable: types.includes('null') };
}

function typeOf(node: Node): string {
  if (node['prefixItems'] !== undefined) return 'pair';
  if (node['const'] !== undefined) return 'text';
  const isDecimal = String(node['pattern']).includes('(\\.[0-9]+)?');
  const types: Readonly<Record<string, string>> = {
    string: isDecimal ? 'decimal' : 'text',
    integer: 'integer',
    boolean: 'flag',
    array: 'list',
    object: 'object',
  };
  return types[String(node['type'])] ?? String(node['type']);
}

/** Where a schema and the document differ, in sentences. */
function differences(schema: AnySchema, document: Node, place: string): string[] {
  const { node } = described(document);
  const found: string[] = [];
  const differ = (what: string, ours: unknown, theirs: unknown) => {
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      found.push(`${place}: ${what} is ${JSON.stringify(ours)} here and ${JSON.stringify(theirs)} there`);
  };
  differ('kind', schema.type, typeOf(node));
  const values = node['const'] === undefined ? node['enum'] : [node['const']];
  differ('list of values', schema.values, values);
  if (schema.item !== undefined)
    found.push(...differences(schema.item, (node['items'] ?? {}) as Node, `${place}[]`));
  const properties = node['properties'] as Readonly<Record<string, Node>> | undefined;
  if (schema.fields === undefined) {
    if (properties !== undefined) found.push(`${place}: has fields there only`);
    return found;
  }
  const required = (node['required'] ?? []) as readonly string[];
  for (const name of new Set([...Object.keys(schema.fields), ...Object.keys(properties ?? {})])) {
    const [field, property] = [schema.fields[name], properties?.[name]];
    const at = `${place}.${name}`;
    if (field === undefined) found.push(`${at}: is in the document only`);
    else if (property === undefined) found.push(`${at}: is in the schema only`);
    else {
      const isOptional = field.presence === 'optional';
      if (isOptional === required.includes(name)) found.push(`${at}: may be absent on one side only`);
      if ((field.presence === 'nullable') !== described(property).isNullable)
        found.push(`${at}: may be null on one side only`);
      found.push(...differences(field, property, at));
    }
  }
  return found;
}

describe('the schemas of answers and openapi.yaml', () => {
  test.each(schemas)('%s is the same on both sides', (name, schema) => {
    expect(documents[name]).toBeDefined();
    expect(differences(schema, documents[name] ?? {}, name)).toEqual([]);
  });

  test('every answer of the document has a schema', () => {
    const answered = Object.values(OPENAPI.paths)
      .flatMap((verbs) => Object.values(verbs))
      .map(({ responses }) => responses['200'] as Node | undefined)
      .flatMap((response) => [
        ...JSON.stringify(response === undefined ? {} : deref(response)).matchAll(/schemas\/(\w+)/g),
      ])
      .map(([, name]) => name);
    const known = new Set(schemas.map(([name]) => name));
    expect(answered.length).toBeGreaterThan(30);
    expect([...new Set(answered)].filter((name) => name !== undefined && !known.has(name))).toEqual([]);
  });

  const document: Node = {
    type: 'object',
    required: ['a', 'b', 'c'],
    properties: {
      a: { type: 'string' },
      b: { type: ['integer', 'null'] },
      c: { $ref: '#/components/schemas/Side' },
      d: { $ref: '#/components/schemas/DecimalText' },
    },
  };
  const same = { a: text, b: nullable(integer), c: choice('buy', 'sell'), d: mayBeAbsent(amount) };
  test.each<[string, Record<string, AnySchema>, string]>([
    ['a field of ours', { ...same, e: text }, 'x.e: is in the schema only'],
    ['another kind', { ...same, a: integer }, 'x.a: kind is "integer" here and "text" there'],
    ['a field that cannot be null', { ...same, b: integer }, 'x.b: may be null on one side only'],
    [
      'another list of values',
      { ...same, c: choice('buy') },
      'x.c: list of values is ["buy"] here and ["buy","sell"] there',
    ],
    ['a field that is always there', { ...same, d: amount }, 'x.d: may be absent on one side only'],
  ])('error: %s is a difference', (_what, fields, difference) => {
    expect(differences(record(same), document, 'x')).toEqual([]);
    expect(differences(record(fields), document, 'x')).toEqual([difference]);
  });

  test('error: a field of the document alone is a difference', () => {
    const { a: _a, ...fewer } = same;
    expect(differences(record(fewer), document, 'x')).toEqual(['x.a: is in the document only']);
  });
});
