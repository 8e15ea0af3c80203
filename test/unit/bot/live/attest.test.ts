import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Attestation,
  attestationText,
  parseAttestation,
  signAttestation,
  signerOf,
} from '../../../../src/bot/live/attest/document.ts';
import type { AccountPoint } from '../../../../src/bot/live/attest/lines.ts';
import { statementOf } from '../../../../src/bot/live/attest/statement.ts';
import { checkAttestation, type PublicRecords } from '../../../../src/bot/live/attest/verify.ts';
import { must, seededRandom } from '../../../../src/core/index.ts';
import type { Fill, LedgerEntry } from '../../../../src/domain/index.ts';
import {
  type Crypto,
  generateSecretKey,
  loadCrypto,
  type SigningRequest,
} from '../../../../src/wire/crypto/index.ts';
import { oracleDigest } from '../../../support/typed-data-oracle.ts';

const DAYS = 30;
const PER_TICK_LOT = 100n;
const STRATEGIES = ['carry', 'maker', 'taker'] as const;
const SYMBOL = 'BTC-USD';

/**
 * Thirty days of three strategies on one netted market: fills with fees and rebates, funding each eight hours, transfers, and
 * a liquidation. What the account has is kept here on its own, by the rules of the exchange.
 */
function month(seed: number, days = DAYS) {
  const random = seededRandom(`${seed} month`);
  const fills: Fill[] = [];
  const ledger: LedgerEntry[] = [];
  const owners = new Map<string, string>();
  let [seq, price, lots, cash] = [0, 1_000_000, 0, 0n];
  const book = (kind: string, amount: bigint, orderId: string | null, sub: number): void => {
    cash += amount;
    const symbol = kind === 'transfer' || kind === 'deposit' ? null : SYMBOL;
    ledger.push({
      id: `${seq}-0-${sub}`,
      kind,
      amount,
      symbol,
      orderId,
      atMs: seq,
    } as unknown as LedgerEntry);
  };
  const trade = (size: number, orderId: string, fee: bigint, kind: string): void => {
    seq++;
    lots += size;
    const side = size > 0 ? 'buy' : 'sell';
    fills.push({
      ...{
        id: `${seq}-0-1`,
        orderId,
        symbol: SYMBOL,
        side,
        role: 'maker',
        priceTicks: price,
        sizeLots: Math.abs(size),
      },
      ...{ fee, atMs: seq },
    } as unknown as Fill);
    book('trade', -BigInt(size) * BigInt(price) * PER_TICK_LOT, orderId, 2);
    book(kind, -fee, orderId, 3);
  };
  const point = (): AccountPoint => {
    const value = BigInt(lots) * BigInt(price) * PER_TICK_LOT + 7n * BigInt(Math.sign(lots));
    return {
      ...{ fills: fills.at(-1)?.id ?? null, ledger: ledger.at(-1)?.id ?? null, collateral: `${cash}` },
      equity: `${cash + value + 3n}`,
      positions: lots === 0 ? [] : [{ symbol: SYMBOL, lots, value: `${value}` }],
    };
  };
  seq++;
  book('deposit', 10n ** 12n, null, 1);
  let start = point();
  for (let hour = 0; hour <= (days + 2) * 24; hour++) {
    if (hour === 48) start = point();
    for (let n = random.integer(0, 4); n > 0; n--) {
      price += random.integer(-500, 500);
      const owner = STRATEGIES[random.integer(0, 2)] ?? 'maker';
      const size = random.integer(1, 40) * (random.integer(0, 1) === 0 ? 1 : -1);
      const orderId = `${seq + 1}00`;
      owners.set(orderId, owner);
      const isRebate = random.integer(0, 1) === 0;
      trade(size, orderId, isRebate ? -11n : 37n, isRebate ? 'maker_rebate' : 'taker_fee');
    }
    seq++;
    if (hour % 8 === 7 && lots !== 0) book('funding', -BigInt(lots) * 13n + 1n, null, 1);
    if (hour % 100 === 50) book('transfer', BigInt(random.integer(-1_000_000, 1_000_000)), null, 2);
    if (hour === 60 + days * 8 && lots !== 0) {
      trade(-Math.trunc(lots / 2) || -lots, 'liq', 0n, 'taker_fee');
      book('liquidation_fee', -12_345n, 'liq', 4);
    }
    if (hour === (days + 2) * 24) {
      const end = point();
      return { fills, ledger, owners, start, end };
    }
  }
  throw new Error('expected the month to end');
}

let crypto: Crypto;
beforeAll(async () => {
  crypto = await loadCrypto();
});

describe('thirty days of three strategies on one netted market', () => {
  test.each([1, 2, 3, 4, 5])('leave nothing unexplained (seed %i)', (seed) => {
    const { start, end, fills, ledger, owners } = month(seed);
    const made = statementOf({ start, end, fills, ledger, owners });
    expect(made.residual).toBe('0');
    expect(made.disagreements).toEqual([]);
    const names = made.lines.map(({ line }) => line);
    expect(names).toEqual(
      expect.arrayContaining(['fills', 'fees', 'rebates', 'funding', 'transfers', 'liquidation', 'value']),
    );
    // Each entry of the span is of one line, once.
    const told = made.lines.flatMap(({ entries }) => entries);
    expect(new Set(told).size).toBe(told.length);
    const from = ledger.findIndex(({ id }) => id === start.ledger);
    expect(told.length).toBe(ledger.length - 1 - from);
    // Strategies hold the account between them, the liquidation included.
    const lotsAtEnd = made.owners.map(({ lotsAtEnd: own }) => own[SYMBOL] ?? 0);
    expect(lotsAtEnd.reduce((sum, one) => sum + one, 0)).toBe(end.positions[0]?.lots ?? 0);
    expect(made.owners.find(({ owner }) => owner === 'account')?.lotsAtEnd).toEqual({});
    const changes = made.owners.reduce((sum, { change }) => sum + BigInt(change), 0n);
    expect(`${changes}`).toBe(made.equityChange);
  });
});

async function attested(
  seed = 1,
): Promise<{ readonly document: Attestation; readonly records: PublicRecords }> {
  const { start, end, fills, ledger, owners } = month(seed, 3);
  const orders: Record<string, string[]> = {};
  for (const [id, owner] of owners) orders[owner] = [...(orders[owner] ?? []), id];
  const key = generateSecretKey(crypto, (count) => new Uint8Array(randomBytes(count)));
  const statement = statementOf({ start, end, fills, ledger, owners });
  const document = await signAttestation(
    {
      ...{ schema: 1, kind: 'ballast-attestation', runId: 'run-1', name: 'maker' },
      environment: { id: 'env', baseUrl: 'http://gateway', headerPrefix: 'x' },
      account: { address: '0x1', subaccount: 0 },
      ...{ epoch: 'e', start, end, statement, orders },
    },
    crypto,
    key,
  );
  return { document, records: { epoch: 'e', environment: 'env', fills, ledger, agents: [key.address] } };
}

const check = (document: Attestation, records: PublicRecords) =>
  checkAttestation(document, signerOf(document, crypto), records);

test('a document is verified by public records, also when later history follows', async () => {
  const { document, records } = await attested();
  const read = parseAttestation(attestationText(document));
  expect(check(read, records).differences).toEqual([]);
  const later = {
    ...records.ledger.at(-1),
    id: '999999-0-1',
    kind: 'transfer',
    amount: 5n,
    symbol: null,
  } as unknown as LedgerEntry;
  const fill = { ...records.fills.at(-1), id: '999999-0-2', orderId: 'later' } as unknown as Fill;
  const more = { ...records, ledger: [...records.ledger, later], fills: [...records.fills, fill] };
  expect(check(read, more).differences).toEqual([]);
});

/** All paths to a text or a number in a value. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  // Of long lists the first is as good as any.
  const entries = Object.entries(value);
  return (Array.isArray(value) ? entries.slice(0, 1) : entries).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, key]),
  );
}

test('each field that is changed is found, with the signature of before and with one of its own', async () => {
  const { document, records } = await attested();
  const key = generateSecretKey(crypto, (count) => new Uint8Array(randomBytes(count)));
  const free = new Set([
    'runId',
    'name',
    'baseUrl',
    'headerPrefix',
    'address',
    'subaccount',
    'schema',
    'kind',
  ]);
  for (const path of leavesOf(document)) {
    const changed = structuredClone(document) as unknown as Record<string, never>;
    let at: Record<string, unknown> = changed;
    for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>;
    const last = path.at(-1) ?? '';
    const before = at[last];
    at[last] = typeof before === 'number' ? before + 1 : before === null ? '1-0-0' : `${String(before)}1`;
    const found = check(changed as unknown as Attestation, records);
    expect(found.differences, path.join('.')).not.toEqual([]);
    if (path.some((step) => free.has(step)) || ['signature', 'signer', 'scheme'].includes(last)) continue;
    // Who signs something else is not found by the signature, but by its lines; a past price nobody can see.
    const { signature, signer, scheme, ...named } = changed as unknown as Attestation;
    const signed = await signAttestation(named, crypto, key);
    expect([signature, signer, scheme].length).toBe(3);
    const { differences, unseen } = check(signed, { ...records, agents: [key.address] });
    expect([...differences, ...unseen], path.join('.')).not.toEqual([]);
  }
});

test('a deleverage moves lots by the share of each, and the end of a market all of them', () => {
  const entry = (id: string, kind: string, amount: bigint, orderId: string | null = null): LedgerEntry =>
    ({ id, kind, amount, symbol: SYMBOL, orderId, atMs: 1 }) as unknown as LedgerEntry;
  const bought = (id: string, orderId: string, sizeLots: number): Fill =>
    ({
      id,
      orderId,
      symbol: SYMBOL,
      side: 'buy',
      role: 'maker',
      priceTicks: 10,
      sizeLots,
      fee: 0n,
    }) as unknown as Fill;
  const owners = new Map([
    ['1', 'carry'],
    ['2', 'maker'],
  ]);
  const fills = [bought('1-0-1', '1', 20), bought('2-0-1', '2', 10)];
  const ledger = [
    ...[entry('1-0-2', 'trade', -200n, '1'), entry('2-0-2', 'trade', -100n, '2')],
    ...[entry('3-0-1', 'deleverage', 60n), entry('4-0-1', 'deleverage', 31n), entry('5-0-1', 'funding', -5n)],
  ];
  const point = (last: string | null, lots: number, cash: bigint): AccountPoint => ({
    ...{ fills: last === null ? null : '2-0-1', ledger: last, collateral: `${cash}` },
    equity: `${cash + BigInt(lots) * 10n}`,
    positions: lots === 0 ? [] : [{ symbol: SYMBOL, lots, value: `${lots * 10}` }],
  });
  const start = point(null, 0, 0n);
  const made = statementOf({ start, end: point('5-0-1', 21, -214n), fills, ledger, owners });
  expect(made).toMatchObject({ residual: '0', disagreements: [] });
  const lotsOf = (statement: typeof made) => statement.owners.map(({ lotsAtEnd }) => lotsAtEnd[SYMBOL] ?? 0);
  expect(lotsOf(made)).toEqual([0, 13, 8]);
  const ended = [...ledger, entry('6-0-1', 'final_settlement', 210n)];
  const settled = statementOf({ start, end: point('6-0-1', 0, -4n), fills, ledger: ended, owners });
  expect(settled).toMatchObject({ residual: '0', disagreements: [] });
  expect(lotsOf(settled)).toEqual([0, 0, 0]);
  // A position that no history explains is named.
  const strange = statementOf({ start, end: point('2-0-2', 31, -300n), fills, ledger, owners });
  expect(strange.disagreements).toEqual([expect.stringContaining('owners hold 30 lots')]);
});

test('a position that is liquidated whole is paid to those that held it', () => {
  const fill = (id: string, orderId: string, side: string, sizeLots: number): Fill =>
    ({
      id,
      orderId,
      symbol: SYMBOL,
      side,
      role: 'taker',
      priceTicks: 10,
      sizeLots,
      fee: 0n,
    }) as unknown as Fill;
  const entry = (id: string, kind: string, amount: bigint, orderId: string | null): LedgerEntry =>
    ({ id, kind, amount, symbol: SYMBOL, orderId, atMs: 1 }) as unknown as LedgerEntry;
  const parts = {
    owners: new Map([
      ['1', 'carry'],
      ['2', 'maker'],
    ]),
    fills: [fill('1-0-1', '1', 'buy', 20), fill('2-0-1', '2', 'buy', 10), fill('3-0-1', 'x', 'sell', 30)],
    ledger: [
      ...[entry('1-0-2', 'trade', -200n, '1'), entry('2-0-2', 'trade', -100n, '2')],
      ...[entry('3-0-2', 'trade', 240n, 'x'), entry('3-0-3', 'taker_fee', -3n, 'x')],
      entry('3-0-4', 'liquidation_fee', -7n, null),
    ],
    start: { fills: null, ledger: null, collateral: '0', equity: '0', positions: [] },
    end: { fills: '3-0-1', ledger: '3-0-4', collateral: '-70', equity: '-70', positions: [] },
  };
  const { owners, residual, disagreements } = statementOf(parts);
  expect({ residual, disagreements }).toEqual({ residual: '0', disagreements: [] });
  // 200 - 160 - 2 - 5, and 100 - 80 - 1 - 2; of what does not divide the larger one bears the rest.
  expect(owners.map(({ owner, change }) => [owner, change])).toEqual([
    ['account', '0'],
    ['carry', '-47'],
    ['maker', '-23'],
  ]);
});

test('a signer elsewhere signs typed data of a domain that no exchange has, and nothing else is believed', async () => {
  const { document } = await attested();
  const { signature, signer, scheme, ...run } = document;
  expect([signature.length, signer.length, scheme]).toEqual([132, 42, 'eip191']);
  const key = generateSecretKey(crypto, (count) => new Uint8Array(randomBytes(count)));
  const asked: SigningRequest[] = [];
  const honest = {
    sign: async (request: SigningRequest) => {
      asked.push(request);
      return crypto.sign(Buffer.from(request.digest.slice(2), 'hex'), key);
    },
  };
  const signed = await signAttestation(run, crypto, { address: key.address, signer: honest });
  expect(signed).toMatchObject({ signer: key.address, scheme: 'eip712' });
  expect(signerOf(signed, crypto)).toBe(key.address);
  expect(signerOf({ ...signed, scheme: 'eip191' }, crypto)).not.toBe(key.address);
  expect(asked[0]?.typedData.domain['name']).toBe('ballast attestation');
  expect(oracleDigest(must(asked[0], 'a request').typedData)).toBe(asked[0]?.digest);
  const liar = { sign: async () => signature };
  await expect(signAttestation(run, crypto, { address: key.address, signer: liar })).rejects.toThrow(
    /expected a signature of/,
  );
});
