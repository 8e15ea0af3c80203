/**
 * Symptom: `POST /control/load` of a good snapshot answered SNAPSHOT_DIVERGED now and then on a busy machine. The clock
 * went on between the moment at which it was set to the time of the first block and the moment at which the exchange
 * read it, so the exchange began a millisecond late.
 */
import { expect, test } from 'vitest';
import { seededRandom, VirtualClock } from '../../src/core/index.ts';
import { ControlledClock } from '../../src/exchange/kernel/controlled-clock.ts';
import { Exchange } from '../../src/exchange/kernel/exchange.ts';
import { loadSnapshot, takeSnapshot } from '../../src/exchange/snapshot/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';

const START_MS = 1_767_700_020_000;

/** A clock of a machine so busy that time passes with each look at it. */
class BusyClock extends VirtualClock {
  override monotonicMs(): number {
    this.advance(3);
    return super.monotonicMs();
  }
}

test('loads where time passes while it is loaded', async () => {
  const crypto = await loadCrypto();
  const first = new ControlledClock(new VirtualClock(START_MS), 'manual');
  const exchange = new Exchange({ clock: first, random: seededRandom(5), crypto, isRecorded: true });
  const { address: owner } = exchange.control.account({
    name: 'maker',
    balance: '5000',
    apiWallets: 1,
    validUntilMs: 0,
  });
  exchange.control.submit({ owner }, (account) => ({
    kind: 'BatchPlace',
    account,
    nowMs: first.nowMs(),
    orders: [{ market: 0, side: 'buy', price: 900_000, lots: 10n, tif: 'gtc', reduceOnly: false }],
  }));
  exchange.start();
  await first.advance(1_000);
  const text = takeSnapshot(exchange, { seed: 5, nowMs: first.nowMs() });
  const loaded = loadSnapshot(text, { clock: new ControlledClock(new BusyClock(START_MS + 60_000)), crypto });
  expect(loaded.seq).toBe(exchange.seq);
  expect(loaded.blockAtMs).toBe(exchange.blockAtMs);
});
