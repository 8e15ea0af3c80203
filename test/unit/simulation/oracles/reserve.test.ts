/** @module The oracle of the reserve of a budget: what a right client sends passes, what another one sends does not. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/reserve.ts';
import { MadeRun } from './made-run.ts';

/** An answer told that `left` of 100 are left of the address's window for another 30 s. */
function told(left: number): MadeRun {
  const headers = { ratelimit: `"ip";r=${left};t=30`, 'ratelimit-policy': '"ip";q=100;w=60' };
  const run = new MadeRun(ORACLES).live();
  return run.tell({ kind: 'answer', id: 901, life: 1, status: 200, headers, body: '{}' }).pass(1_000);
}

function posts(run: MadeRun, path: string): readonly string[] {
  return run.tell({ kind: 'request', id: 902, life: 1, method: 'POST', path, headers: {}, body: '{}' })
    .broken;
}

describe('the reserve of a budget (I26, obligation O116)', () => {
  test.each([
    ['/v1/orders', 16, []],
    ['/v1/orders', 15, ['I26']],
    ['/v1/orders/replace?ack=result', 2, ['I26']],
    ['/v1/orders/cancel-all', 2, []],
    ['/v1/orders/schedule-cancel', 2, []],
  ])('%s with %d of 100 left', (path, left, broken) => {
    expect(posts(told(left), path)).toEqual(broken);
  });

  test('is a new one in the next window, and in the next life', () => {
    expect(posts(told(2).pass(29_000), '/v1/orders')).toEqual([]);
    expect(posts(told(2).tell({ kind: 'life', life: 2, what: 'started' }), '/v1/orders')).toEqual([]);
  });
});
