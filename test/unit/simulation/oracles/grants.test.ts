/** @module The oracle of fresh API wallets: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/grants.ts';
import type { Applied } from '../../../simulation/oracles/support/truth.ts';
import { ACCOUNT, ADDRESS, MadeRun, START_MS, switchBody, TRADER } from './made-run.ts';

const APPROVED = 120;

/** The first write of a wallet that was approved at position 120. */
function first(path: string, minSeq: string | undefined): readonly string[] {
  const run = new MadeRun(ORACLES).live().log({ kind: 'request' }, {
    events: [
      {
        kind: 'AgentApproved',
        account: ACCOUNT,
        agent: TRADER,
        validUntilMs: 0,
        seq: APPROVED,
        sub: 0,
        idx: 0,
      },
    ],
  } as unknown as Applied);
  const envelope = { account: ADDRESS, nonce: 0, signature: `0x${'11'.repeat(65)}`, signer: TRADER };
  return run.tell({
    kind: 'request',
    id: 1,
    life: 1,
    method: 'POST',
    path,
    headers: minSeq === undefined ? {} : { 'x-svc-min-seq': minSeq },
    body: JSON.stringify({ ...envelope, triggerMs: START_MS + 1_000, nowMs: START_MS }),
  }).broken;
}

describe('the first write of a wallet (I24, obligations O50, O122)', () => {
  test('is a schedule-cancel at the position of the approval', () => {
    expect(first('/v1/orders/schedule-cancel', '120')).toEqual([]);
    expect(first('/v1/orders/cancel-all', '120')).toEqual(['I24']);
    expect(first('/v1/orders/schedule-cancel', '119')).toEqual(['I24']);
    expect(first('/v1/orders/schedule-cancel', undefined)).toEqual(['I24']);
  });

  test.each([
    ['answer', 'rejected', []],
    ['refusal:UnknownAgent', 'refused', ['I24']],
  ])('is over with an end by %s: it came through, or did not', (proof, outcome, broken) => {
    const one = new MadeRun(ORACLES).live();
    const write = switchBody(START_MS + 1_000);
    const requestId = one.record({ ...write, signer: TRADER });
    one.log({ kind: 'request' }, {
      events: [{ kind: 'AgentApproved', account: ACCOUNT, agent: TRADER, validUntilMs: 0, seq: APPROVED }],
    } as unknown as Applied);
    one.row('outcome', { requestId, outcome, nonceConsumed: true, proof });
    one.post({ ...write, signer: TRADER, nonce: 1n });
    expect(one.broken).toEqual(broken);
  });
});

describe('the last write of a wallet (I24, obligation O49)', () => {
  test.each([
    ['UnknownAgent', ['I24']],
    ['AgentScopeViolation', []],
  ])('after %s: nothing more is signed only where its grant is gone', (code, broken) => {
    const run = new MadeRun(ORACLES).live();
    const write = { ...switchBody(START_MS + 1_000), signer: TRADER };
    run.record(write);
    const id = run.post(write);
    run.answer(id, 403, { error: { code, num: 1, message: 'no', details: {} } });
    run.record({ ...write, nonce: 1n });
    expect(run.broken).toEqual(broken);
  });
});
