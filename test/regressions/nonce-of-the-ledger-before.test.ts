/**
 * Symptom: the stream told of a new ledger, or a 404 did, and the free lane asked for its next nonce at any position: a
 * replica that was behind showed the counter of the ledger before, and a nonce that was used was signed again.
 */
import { describe, expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, type Bench, refusal, TRADER } from '../unit/bot/execution/support.ts';

const AT = 500n;

/** The positions at which the counter of the trading wallet is asked from now on. */
function askedFrom({ gateway, trader }: Bench): (bigint | undefined)[] {
  const asked: (bigint | undefined)[] = [];
  const nonce = gateway.nonce.bind(gateway);
  gateway.nonce = async (signer, minSeq?: bigint) => {
    if (signer === trader.address) asked.push(minSeq);
    return await nonce(signer);
  };
  return asked;
}

describe('the next nonce in a ledger that was begun again (O20, O24)', () => {
  test('is asked at the position at which the stream told of it', async () => {
    const bench = aBench();
    await bench.start();
    const asked = askedFrom(bench);
    bench.gateway.epoch = 'epoch-2';
    bench.executor.onEpoch('epoch-2', AT);
    await bench.run(1_000);
    expect(asked).toEqual([AT]);
    bench.executor.dispose();
  });

  test('is asked as far on as the receipt was that told of it', async () => {
    const bench = aBench();
    await bench.start();
    const { gateway, trader } = bench;
    const asked = askedFrom(bench);
    gateway.fates.push({ kind: 'requestLost' });
    bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    const receipt = gateway.receipt.bind(gateway);
    gateway.receipt = async (query) => {
      if (!query.scope.includes(trader.address)) return await receipt(query);
      const details = { status: 'not_found', asOfSeq: String(AT), epoch: 'epoch-2' };
      return refusal(404, 'not_found', details);
    };
    await bench.run(1_000);
    expect(asked[0]).toBe(AT);
    bench.executor.dispose();
  });
});
