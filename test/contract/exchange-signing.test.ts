/**
 * What a developer who has openapi.yaml alone needs to sign: the canonical bytes of every command that an operation
 * names, told by the document and by nothing else (exchange.md#command-bytes).
 */
import { describe, expect, test } from 'vitest';
import type { CanonicalCommand } from '../../src/domain/index.ts';
import { encodeCommand } from '../../src/wire/protocol/index.ts';
import { GOLDEN_COMMANDS } from '../support/golden-commands.ts';
import { OPENAPI } from '../support/openapi.ts';

interface Table {
  readonly codecVersion: number;
  readonly values: { readonly side: Record<string, number>; readonly tif: Record<string, number> };
  readonly types: { readonly order: readonly string[] };
  readonly commands: Record<string, { readonly tag: number; readonly fields: readonly string[] }>;
}
const TABLE = OPENAPI['x-commands'] as Table;

/** Little-endian hex. */
function le(value: bigint, byteCount: number): string {
  const bytes = Array.from({ length: byteCount }, (_none, at) => Number((value >> BigInt(8 * at)) & 0xffn));
  return Buffer.from(bytes).toString('hex');
}

function numberOf(name: string, value: unknown): bigint {
  if (name.toLowerCase().endsWith('side')) return BigInt(TABLE.values.side[String(value)] ?? -1);
  if (name === 'tif') return BigInt(TABLE.values.tif[String(value)] ?? -1);
  if (name === 'parentOrderId' && value === undefined) return 2n ** 64n - 1n;
  if (typeof value === 'object') {
    const { market, orderSeq } = value as { market: number; orderSeq: bigint };
    return (BigInt(market) << 48n) | orderSeq;
  }
  return BigInt(value as number | bigint | boolean);
}

function encode(field: string, record: Record<string, unknown>): string {
  const [name = '', type = ''] = field.split(' ');
  const value = record[name];
  if (type.endsWith('[]')) {
    const items = value as readonly Record<string, unknown>[];
    const element = (item: Record<string, unknown>): string =>
      type === 'order[]'
        ? TABLE.types.order.map((one) => encode(one, item)).join('')
        : le(numberOf('orderId', item), 8);
    return le(BigInt(items.length), 4) + items.map(element).join('');
  }
  return le(numberOf(name, value), type === 'bool' ? 1 : Number(type.slice(1)) / 8);
}

/** The bytes of a command, out of the document. */
function bytesOf(command: CanonicalCommand): string {
  const entry = TABLE.commands[command.kind];
  if (entry === undefined) throw new Error(`the document has no ${command.kind}`);
  const record = command as unknown as Record<string, unknown>;
  const head = le(BigInt(TABLE.codecVersion), 1) + le(BigInt(entry.tag), 1);
  return head + ['account u32', ...entry.fields].map((field) => encode(field, record)).join('');
}

describe('canonical bytes out of the document', () => {
  const described = GOLDEN_COMMANDS.filter(({ command }) => command.kind in TABLE.commands);

  test.each(described)('$name is encoded as the exchange encodes it', ({ command, hex }) => {
    expect(bytesOf(command)).toBe(hex);
  });

  test('cancel-all too, which no known codec has', () => {
    const command = { kind: 'CancelAll', account: 7 } as const;
    expect(bytesOf(command)).toBe(Buffer.from(encodeCommand(command)).toString('hex'));
  });

  test('every command that an operation names is described', () => {
    const named = Object.values(OPENAPI.paths)
      .flatMap((item) => Object.values(item))
      .flatMap((operation) => (operation['x-eip712']?.['commands'] ?? []) as string[]);
    expect(Object.keys(TABLE.commands).sort()).toEqual([...new Set(named)].sort());
  });
});
