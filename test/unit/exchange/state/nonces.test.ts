import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/domain/index.ts';
import { accountScope, agentScope, Nonces } from '../../../../src/exchange/state/nonces.ts';

describe('Nonces', () => {
  test('each scope counts on its own from 0 and knows who used a number (GW-NONCE-STRICT)', () => {
    const nonces = new Nonces(10);
    const scopes = [accountScope(7), agentScope(`0x${'ab'.repeat(20)}` as Address)];
    expect(scopes).toEqual(['account:7', `agent:0x${'ab'.repeat(20)}`]);
    nonces.consume('account:7', 0n, 'a');
    nonces.consume('account:7', 1n, 'b');
    expect(scopes.map((scope) => nonces.next(scope))).toEqual([2n, 0n]);
    expect([0n, 1n, 2n].map((nonce) => nonces.consumer('account:7', nonce))).toEqual(['a', 'b', undefined]);
  });

  test('takes the next number alone (GW-NONCE-STRICT)', () => {
    const nonces = new Nonces(10);
    expect(() => nonces.consume('account:7', 1n, 'a')).toThrow('nonce 0 of account:7, got 1');
  });

  test('forgets who used numbers long ago, never the count', () => {
    const nonces = new Nonces(4);
    for (let nonce = 0n; nonce < 30n; nonce++) nonces.consume('s', nonce, `r${nonce}`);
    expect(nonces.next('s')).toBe(30n);
    expect(nonces.consumer('s', 29n)).toBe('r29');
    expect(nonces.consumer('s', 26n)).toBe('r26');
    expect(nonces.consumer('s', 5n)).toBeUndefined();
  });
});
