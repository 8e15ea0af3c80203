/**
 * @module
 * One rule of reading for all answers: a field may have each of its other names, and what is not needed may be absent
 * (obligation O14, ambiguity A20). Each name at each place, and each set of fields that may be left out.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import {
  decodeAccount,
  decodeAgentAccounts,
  decodeExchange,
  decodeFillsPage,
  decodeFrame,
  decodeLedgerPage,
  decodePage,
  decodePositions,
  readStatus,
} from '../../src/wire/protocol/index.ts';
import * as account from '../../src/wire/protocol/schema/account.ts';
import { type AnySchema, decodeAnswer, type PeopleSchema } from '../../src/wire/protocol/schema/schema.ts';
import * as write from '../../src/wire/protocol/schema/write.ts';
import { CONTEXT } from '../unit/wire/protocol/support.ts';

const text = (value: unknown): string => JSON.stringify(value);
const read = <T>(decoded: { readonly ok: boolean; readonly value?: T; readonly error?: unknown }): T => {
  expect(decoded.error).toBeUndefined();
  return must(decoded.value, 'a value');
};

/** A value of each kind; a schema takes the first that it reads. */
const CANDIDATES: readonly unknown[] = ['1-1-1', '7', '1.5', 7, true, {}, 'text'];

/** JSON that `schema` reads, with all of its fields. */
function sampleOf(schema: AnySchema): unknown {
  if (schema.fields !== undefined)
    return Object.fromEntries(Object.entries(schema.fields).map(([name, field]) => [name, sampleOf(field)]));
  if (schema.item !== undefined) return [sampleOf(schema.item)];
  if (schema.values !== undefined) return schema.values[0];
  return CANDIDATES.find((one) => schema.read(one) !== undefined);
}

/** Paths of the fields that `schema` lets be absent. */
function* optionalPaths(schema: AnySchema, path: readonly string[] = []): Generator<readonly string[]> {
  if (schema.item !== undefined) yield* optionalPaths(schema.item, [...path, '0']);
  for (const [name, field] of Object.entries(schema.fields ?? {})) {
    if (field.absent !== undefined) yield [...path, name];
    yield* optionalPaths(field, [...path, name]);
  }
}

function without(value: unknown, paths: readonly (readonly string[])[]): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    let at = copy as Record<string, unknown> | undefined;
    for (const name of path.slice(0, -1)) at = at?.[name] as Record<string, unknown> | undefined;
    if (at !== undefined) delete at[must(path.at(-1), 'a name')];
  }
  return copy;
}

const SCHEMAS = Object.entries({ ...account, ...write } as Record<string, AnySchema>);

describe('what is not needed', () => {
  test.each(SCHEMAS)('of %s may be absent, each field and any set of them', (_name, schema) => {
    const sample = sampleOf(schema);
    const paths = [...optionalPaths(schema)];
    for (const path of paths)
      expect(decodeAnswer(schema as PeopleSchema<unknown>, text(without(sample, [path])))).toMatchObject({
        ok: true,
      });
    fc.assert(
      fc.property(fc.subarray(paths), (some) => {
        expect(decodeAnswer(schema as PeopleSchema<unknown>, text(without(sample, some)))).toMatchObject({
          ok: true,
        });
      }),
      { numRuns: 30 },
    );
  });

  test('is the profit of a position, for the bot too', () => {
    const position = { symbol: 'BTC-USD', size: '-0.001', costBasis: '-100.05' };
    const decoded = read(decodePositions(text({ positions: [position], seq: 4 }), CONTEXT));
    expect(decoded.value).toMatchObject([{ sizeLots: -1, costBasis: -100_050_000n }]);
  });
});

describe('the position of a read', () => {
  const summary = sampleOf(account.ACCOUNT) as Readonly<Record<string, unknown>>;

  test('is that of the body, or of the header where the body has none', () => {
    expect(read(decodeAccount(text({ ...summary, seq: 4 }), CONTEXT, 9n)).seq).toBe(4n);
    expect(read(decodeAccount(text({ ...summary, seq: undefined }), CONTEXT, 9n)).seq).toBe(9n);
    expect(read(decodeAnswer(account.ACCOUNT, text({ ...summary, seq: undefined }), 9n)).seq).toBe(9n);
    expect(decodeAccount(text({ ...summary, seq: undefined }), CONTEXT)).toMatchObject({ ok: false });
  });
});

describe('a page of history', () => {
  const head = { epoch: 'k1', upper: '9-0-0', next: null, hasMore: false };
  const fill = {
    id: '1-0-0',
    symbol: 'BTC-USD',
    orderId: '7',
    side: 'buy',
    role: 'maker',
    price: '1.0',
    size: '0.001',
  };
  const entry = { id: '1-0-0', kind: 'trade', amount: '1.5' };

  test.each(['data', 'fills', 'entries', 'events'])('has its list as %s', (name) => {
    expect(read(decodePage(text({ ...head, [name]: [fill] }))).entries).toEqual([fill]);
    expect(read(decodeFillsPage(text({ ...head, [name]: [fill] }), CONTEXT)).entries).toHaveLength(1);
    expect(read(decodeLedgerPage(text({ ...head, [name]: [entry] }), CONTEXT)).entries).toHaveLength(1);
    expect(read(decodeAnswer(account.LEDGER_PAGE, text({ ...head, [name]: [entry] }))).data).toHaveLength(1);
  });

  test('without a list is none', () => {
    expect(decodePage(text({ ...head, items: [fill] }))).toMatchObject({ ok: false });
  });
});

describe('the codec version', () => {
  const exchange = { chainId: 7, domain: { name: 'x' }, tokens: [{ decimals: 6 }] };
  const NAMES = ['codecVersion', 'codecVer', 'codec_ver'] as const;
  const PLACES = NAMES.flatMap((name) => [
    [name, 'beside', (value: number) => ({ ...exchange, [name]: value, version: { pkg: '1' } })] as const,
    [name, 'within', (value: number) => ({ ...exchange, version: { [name]: value } })] as const,
  ]);

  test.each(PLACES)('is found as %s %s version, and another one stays another one', (_name, _where, made) => {
    for (const value of [1, 2]) expect(read(decodeExchange(text(made(value)))).codecVersion).toBe(value);
  });

  test('is one: two that differ make the answer unreadable', () => {
    const answer = { ...exchange, codecVer: 1, version: { codec_ver: 2 } };
    expect(decodeExchange(text(answer))).toMatchObject({ ok: false });
  });
});

describe('other names', () => {
  const validity = { validUntilMs: '0', expired: false };
  const address = `0x${'ab'.repeat(20)}`;

  test.each([
    ['account', address, { account: address, accountId: undefined }],
    ['master', address, { account: address, accountId: undefined }],
    ['master', 4, { account: undefined, accountId: 4 }],
    ['master', '4', { account: undefined, accountId: 4 }],
  ])('a grant names its account as %s %s', (name, value, expected) => {
    const grants = [{ [name]: value, ...validity }];
    expect(read(decodeAgentAccounts(text({ agent: address, grants })))).toMatchObject([expected]);
  });

  test.each([
    ['beside data', { epoch: 'k1', data: { channel: 'prices' } }],
    ['in data', { data: { channel: 'prices', epoch: 'k1' } }],
  ])('an acknowledgement has its epoch %s', (_where, frame) => {
    const decoded = decodeFrame(text({ channel: 'subscribed', ...frame }), CONTEXT, {
      book: () => undefined,
    });
    expect(read(decoded)).toMatchObject({ channel: 'subscribed', epoch: 'k1' });
  });

  test('an executed write is ok; any other word is no outcome', () => {
    expect(['ok', 'executed', 'rejected', 'OK', 'done', 7].map((word) => readStatus(word))).toEqual([
      ...['executed', 'executed', 'rejected'],
      ...[undefined, undefined, undefined],
    ]);
  });
});
