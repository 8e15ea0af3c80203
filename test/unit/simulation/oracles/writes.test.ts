/** @module The oracles of records, nonces, intents and proofs: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES as INTENTS } from '../../../simulation/oracles/intents.ts';
import { ORACLES as NONCES } from '../../../simulation/oracles/nonces.ts';
import { ORACLES as ONCE } from '../../../simulation/oracles/posted-once.ts';
import { ORACLES as PROOFS } from '../../../simulation/oracles/proofs.ts';
import { ORACLES as AHEAD } from '../../../simulation/oracles/write-ahead.ts';
import type { Oracle } from '../../../simulation/types.ts';
import { MadeRun, orderBody, switchBody, TRADER, type WriteOptions } from './made-run.ts';

const first: WriteOptions = { nonce: 0n };
const second: WriteOptions = { nonce: 1n };
const other: WriteOptions = { nonce: 0n, body: orderBody({ price: '99800.0' }) };
const fence: WriteOptions = { ...switchBody(1_767_700_040_000), signer: TRADER, kind: 'fence' };

/** Records, sends and executes a write, with the outcome in the journal. */
function done(run: MadeRun, options: WriteOptions, orderSeq = 77n): MadeRun {
  const requestId = run.record(options);
  const id = run.post(options);
  run.tell({ kind: 'arrived', id, times: 1 }).rests(options, orderSeq);
  return run.answer(id, 200, { status: 'executed', requestId }).row('outcome', {
    requestId,
    outcome: 'executed',
    nonceConsumed: true,
    proof: 'answer',
  });
}

function run(oracles: readonly Oracle[]): MadeRun {
  return new MadeRun(oracles).live();
}

describe('a record before the wire (I8)', () => {
  test('is durable before the bytes leave', () => {
    const right = run(AHEAD);
    right.record(first);
    right.post(first);
    expect(right.broken).toEqual([]);
  });

  test('is missing, too late, or of other bytes', () => {
    const missing = run(AHEAD);
    missing.post(first);
    expect(missing.broken).toEqual(['I8']);
    const late = run(AHEAD);
    late.record(first, false);
    late.post(first);
    expect(late.broken).toEqual(['I8']);
    const elsewhere = run(AHEAD);
    elsewhere.record(first);
    elsewhere.post(other);
    expect(elsewhere.broken).toEqual(['I8']);
  });
});

describe('one lane (I7, I9)', () => {
  test('goes from nonce to nonce, each proven', () => {
    const right = done(done(run(NONCES), first), second, 78n);
    expect(right.broken).toEqual([]);
  });

  test('does not go on while a write is open', () => {
    const wrong = run(NONCES);
    wrong.record(first);
    wrong.post(first);
    wrong.record(second);
    wrong.post(second);
    expect(wrong.broken).toEqual(['I9']);
  });

  test('does not go on over a write of the life before', () => {
    const wrong = run(NONCES);
    wrong.record(first);
    wrong.post(first);
    wrong.lifeIs('killed').live().record(second);
    wrong.post(second);
    expect(wrong.broken).toEqual(['I9']);
  });

  test('signs a nonce again for a fence, or after a refusal, and for nothing else', () => {
    const fenced = run(NONCES);
    fenced.record(first);
    fenced.post(first);
    fenced.record(fence);
    fenced.post(fence);
    expect(fenced.broken).toEqual([]);
    const refused = run(NONCES);
    const requestId = refused.record(first);
    refused.post(first);
    refused.row('outcome', { requestId, outcome: 'refused', nonceConsumed: false, proof: 'refusal:X' });
    refused.record(other);
    refused.post(other);
    expect(refused.broken).toEqual([]);
    const wrong = run(NONCES);
    wrong.record(first);
    wrong.post(first);
    wrong.record(other);
    wrong.post(other);
    expect(wrong.broken).toEqual(['I7']);
  });

  test('leaves no number out', () => {
    const wrong = done(run(NONCES), first);
    const gap: WriteOptions = { nonce: 2n };
    wrong.record(gap);
    wrong.post(gap);
    expect(wrong.broken).toEqual(['I7']);
    expect(done(run(NONCES), first).receipt(gap).broken).toEqual(['I7']);
  });

  test('goes on behind what the ledger before had used, and not further', () => {
    const goingOnAt = (nonce: bigint): readonly string[] => {
      const one = done(done(run(NONCES), first), second, 78n).log({ kind: 'epoch', epoch: 'e2' });
      const requestId = one.record(other);
      one.post(other);
      one.row('outcome', { requestId, outcome: 'void', nonceConsumed: true, proof: 'epoch:e2' });
      one.record({ nonce });
      one.post({ nonce });
      return one.broken;
    };
    expect(goingOnAt(2n)).toEqual([]);
    expect(goingOnAt(3n)).toEqual(['I7']);
  });
});

describe('intents (I5, I6)', () => {
  test('are executed once and come to an end', () => {
    expect(done(run(INTENTS), first).tell({ kind: 'healed' }).pass(40_000).block().end().broken).toEqual([]);
  });

  test('are not executed twice, nor under the label of another', () => {
    const again: WriteOptions = { ...second, intentId: 'i0-0' };
    expect(done(done(run(INTENTS), first), again, 78n).broken).toEqual(['I5', 'I5']);
  });

  test('are not executed by a write that the journal does not know', () => {
    const wrong = run(INTENTS);
    wrong.post(first);
    expect(wrong.rests(first, 77n).broken).toEqual(['I5']);
  });

  test('are not left open 30 s after the healing, nor at the end', () => {
    const open = (): MadeRun => {
      const one = run(INTENTS);
      one.record(first);
      one.post(first);
      return one.tell({ kind: 'healed' });
    };
    expect(open().pass(29_000).block().broken).toEqual([]);
    expect(open().pass(31_000).block().broken).toEqual(['I6']);
    expect(open().end().broken).toEqual(['I6']);
  });

  test('whose record was never acknowledged are nobody’s', () => {
    const right = run(INTENTS);
    right.record(first, false);
    expect(right.lifeIs('killed').live().end().broken).toEqual([]);
  });
});

describe('bytes that leave once (I5)', () => {
  test.each([
    [
      'after a lost answer',
      (one: MadeRun, id: number) => one.tell({ kind: 'noAnswer', id, life: 1, why: 'ECONNRESET' }),
      ['I5'],
    ],
    [
      'after a 503',
      (one: MadeRun, id: number) => one.answer(id, 503, { error: { code: 'Unavailable' } }),
      ['I5'],
    ],
    ['after a page of a proxy', (one: MadeRun, id: number) => one.answer(id, 429, '<html>'), ['I5']],
    [
      'when not one left',
      (one: MadeRun, id: number) =>
        one.tell({ kind: 'noAnswer', id, life: 1, why: 'not sent: ECONNREFUSED' }),
      [],
    ],
    [
      'after a 412',
      (one: MadeRun, id: number) => one.answer(id, 412, { error: { code: 'ReplicaBehind' } }),
      [],
    ],
  ])('again %s', (_when, answer, broken) => {
    const one = run(ONCE);
    answer(one, one.post(first));
    one.post(first);
    expect(one.broken).toEqual(broken);
  });
});

describe('proofs (I30)', () => {
  const outcome = (requestId: string, fields: Readonly<Record<string, unknown>>) => ({
    requestId,
    outcome: 'executed',
    nonceConsumed: true,
    proof: 'answer',
    ...fields,
  });

  test('were on the wire, and the log says the same', () => {
    expect(done(run(PROOFS), first).broken).toEqual([]);
  });

  test('by a receipt need the receipt', () => {
    const one = run(PROOFS);
    const requestId = one.record(first);
    one.post(first);
    one.rests(first, 77n);
    const id = one.request('GET', `/v1/requests/${requestId}?scope=a&nonce=0`);
    one.answer(id, 200, { status: 'executed', requestId });
    expect(one.row('outcome', outcome(requestId, { proof: 'receipt' })).broken).toEqual([]);
    const wrong = run(PROOFS);
    const unheard = wrong.record(first);
    wrong.post(first);
    wrong.rests(first, 77n);
    expect(wrong.row('outcome', outcome(unheard, { proof: 'receipt' })).broken).toEqual(['I30']);
  });

  test.each([
    ['the ledger that executed it', 'e1', []],
    ['another ledger', 'e2', ['I30']],
  ])('by a receipt need one of %s (O119)', (_what, epoch, broken) => {
    const one = run(PROOFS);
    const requestId = one.record(first);
    one.post(first);
    one.rests(first, 77n);
    const id = one.request('GET', `/v1/requests/${requestId}?scope=a&nonce=0`);
    one.answer(id, 200, { status: 'executed', requestId, epoch });
    expect(one.row('outcome', outcome(requestId, { proof: 'receipt' })).broken).toEqual(broken);
  });

  test.each([
    ['that ledger', 'e1', []],
    ['another one', 'e2', ['I30']],
  ])('of bytes that a second bot had executed before need a receipt of %s (O119)', (_what, epoch, broken) => {
    const one = run(PROOFS);
    one.receipt(first, { status: 'executed', nonceConsumed: true });
    const requestId = one.record(first);
    one.post(first);
    const id = one.request('GET', `/v1/requests/${requestId}?scope=a&nonce=0`);
    one.answer(id, 200, { status: 'executed', requestId, epoch });
    expect(one.row('outcome', outcome(requestId, { proof: 'receipt' })).broken).toEqual(broken);
  });

  test('name the order that the log made of an intent, not one of another item (O58)', () => {
    const placed = (orderId: string): readonly string[] => {
      const one = run(PROOFS);
      const requestId = one.record(first);
      const id = one.post(first);
      one.rests(first, 77n).answer(id, 200, { status: 'executed', requestId });
      const order = { orderId, strategyId: 's1', intentId: 'i0-0' };
      return one.row('outcome', outcome(requestId, { placed: [order] })).broken;
    };
    expect(placed('77')).toEqual([]);
    expect(placed('78')).toEqual(['I30']);
  });

  test.each([
    ['executed, when the log has not executed it', {}],
    ['rejected by an answer that nobody gave', { outcome: 'rejected' }],
    ['refused by an answer that nobody gave', { outcome: 'refused', proof: 'refusal:AgentExpired' }],
    ['superseded, when nobody has used its nonce', { outcome: 'superseded', proof: 'conflict:0x1' }],
    ['superseded, by nothing', { outcome: 'superseded', proof: 'timeout' }],
    ['void, in an epoch that still runs', { outcome: 'void', proof: 'epoch:e1' }],
    ['superseded, by a ledger', { outcome: 'superseded', proof: 'epoch:e1' }],
  ])('do not hold for %s', (_what, fields) => {
    const wrong = run(PROOFS);
    const requestId = wrong.record(first);
    wrong.post(first);
    expect(wrong.row('outcome', outcome(requestId, fields)).broken).toEqual(['I30']);
  });

  test('by a new ledger hold when somebody else had used the nonce in the one before (O119, swarm seed 20310)', () => {
    const voided = (isUsed: boolean): readonly string[] => {
      const one = run(PROOFS);
      if (isUsed) one.receipt(first);
      one.log({ kind: 'epoch', epoch: 'e2' });
      const requestId = one.record(first);
      one.post(first);
      return one.row('outcome', outcome(requestId, { outcome: 'void', proof: 'epoch:e2' })).broken;
    };
    expect([voided(true), voided(false)]).toEqual([[], ['I30']]);
  });

  test('by a conflict need another one that used the nonce, and hold for good', () => {
    const one = run(PROOFS);
    const requestId = one.record(first);
    one.post(first);
    one.record(fence);
    one.post(fence);
    one.receipt(fence);
    one.row('outcome', outcome(requestId, { outcome: 'superseded', proof: 'conflict:0x1' }));
    expect(one.broken).toEqual([]);
    expect(one.rests(first, 77n).broken).toEqual(['I30']);
  });

  test('by a conflict hold when a stranger signed the same bytes for another domain (F40, F69, swarm seed 20491)', () => {
    const superseded = (domain: string): readonly string[] => {
      const one = run(PROOFS);
      const requestId = one.record(first);
      one.post(first);
      one.receipt({ ...first, domain });
      return one.row('outcome', outcome(requestId, { outcome: 'superseded', proof: 'conflict:0x1' })).broken;
    };
    expect([superseded('02'), superseded('')]).toEqual([[], ['I30']]);
  });

  test('by a conflict of the ledger that the write was signed in hold in the next one, those of an older one do not', () => {
    const spent = run(PROOFS).log({ kind: 'epoch', epoch: 'e0' });
    const superseded = (one: MadeRun): readonly string[] => {
      const requestId = one.record(first);
      one.post(first);
      one.log({ kind: 'epoch', epoch: 'e3' });
      return one.row('outcome', outcome(requestId, { outcome: 'superseded', proof: 'conflict:0x1' })).broken;
    };
    spent.record(fence);
    spent.post(fence);
    spent.receipt(fence);
    expect(superseded(spent)).toEqual([]);
    const older = run(PROOFS);
    older.record(fence);
    older.post(fence);
    older.receipt(fence).log({ kind: 'epoch', epoch: 'e2' });
    expect(superseded(older)).toEqual(['I30']);
  });

  test('by a conflict of the ledger before hold in the next one, whatever ledger the write was signed in (seed 1605)', () => {
    const one = run(PROOFS);
    const requestId = one.record(first);
    one.post(first);
    one.log({ kind: 'epoch', epoch: 'e2' });
    one.record(fence);
    one.post(fence);
    one.receipt(fence).log({ kind: 'epoch', epoch: 'e3' });
    const superseded = outcome(requestId, { outcome: 'superseded', proof: 'conflict:0x1' });
    expect(one.row('outcome', superseded).broken).toEqual([]);
  });

  test('that nothing was sent do not hold once it has arrived', () => {
    const one = run(PROOFS);
    const requestId = one.record(first);
    const id = one.post(first);
    one.tell({ kind: 'arrived', id, times: 1 });
    expect(one.row('outcome', outcome(requestId, { outcome: 'notSent', proof: 'notSent' })).broken).toEqual([
      'I30',
    ]);
  });

  test('stand beside each end of an order', () => {
    const event = (fields: Readonly<Record<string, unknown>>) => ({ type: 'OrderChanged', atMs: 0, fields });
    const one = run(PROOFS).tell({ kind: 'audit', life: 1, event: event({ status: 'working' }) });
    one.tell({ kind: 'audit', life: 1, event: event({ status: 'canceled', proof: '12' }) });
    expect(one.broken).toEqual([]);
    expect(one.tell({ kind: 'audit', life: 1, event: event({ status: 'canceled' }) }).broken).toEqual([
      'I30',
    ]);
  });
});
