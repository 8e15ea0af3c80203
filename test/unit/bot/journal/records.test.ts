import { describe, expect, test } from 'vitest';
import { genesisHash, nextHash } from '../../../../src/bot/journal/hash-chain.ts';
import { decodeRecord, encodeRecord } from '../../../../src/bot/journal/records.ts';
import { ProtocolError } from '../../../../src/core/index.ts';
import { aFill, anEntry, anOutcome, aWrite, SCOPE } from './support.ts';

describe('records', () => {
  test.each([
    { type: 'write', value: aWrite(3) },
    { type: 'outcome', value: anOutcome(3) },
    { type: 'effects', value: { epoch: 'e', fills: [aFill(2)], ledger: [anEntry(2)] } },
    { type: 'trigger', value: { triggerAtMs: aWrite(1).nowMs } },
    { type: 'epoch', value: { epoch: 'f' } },
  ] as const)('a record of type $type is read as it was written, digit by digit', (record) => {
    expect(decodeRecord(encodeRecord(record))).toEqual(record);
  });

  test('a text that looks like a tagged integer inside a label stays text', () => {
    const write = aWrite(3, { epoch: '{"$big":"1"}' });
    expect(decodeRecord(encodeRecord({ type: 'write', value: write }))).toEqual({
      type: 'write',
      value: write,
    });
  });

  test('a write names its nonce scope beside its body', () => {
    expect(encodeRecord({ type: 'write', value: aWrite(3) }).scope).toBe(SCOPE);
  });

  test('error: a type of another version is refused', () => {
    const row = { type: 'later' as 'write', scope: '', body: '{}' };
    expect(() => decodeRecord(row)).toThrow(ProtocolError);
  });

  test('a key that is called like the prototype is a key like any other', () => {
    const body = '{"epoch":"f","__proto__":{"epoch":{"$big":"1"}}}';
    const { value } = decodeRecord({ type: 'epoch', scope: '', body });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value).toEqual(
      JSON.parse('{"epoch":"f","__proto__":{"epoch":0}}', (_key, item) => (item === 0 ? 1n : item)),
    );
  });
});

describe('hash chain', () => {
  const row = { type: 'epoch', scope: '', body: '{}' } as const;

  test('every part of a row and all before it decide the head', () => {
    const heads = [
      nextHash(genesisHash('a'), row),
      nextHash(genesisHash('b'), row),
      nextHash(genesisHash('a'), { ...row, type: 'trigger' }),
      nextHash(genesisHash('a'), { ...row, scope: 's' }),
      nextHash(genesisHash('a'), { ...row, body: '{ }' }),
      nextHash(nextHash(genesisHash('a'), row), row),
    ];
    expect(new Set(heads).size).toBe(heads.length);
  });
});
