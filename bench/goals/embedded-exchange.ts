/**
 * @module
 * G14: the embedded exchange in process. With signatures: a whole request, JSON text to receipt and JSON answer, beside
 * the recovery of its signer alone. Without: orders a second from the command over its digest, request id, grant, nonce,
 * matching, events and receipt. (performance D, B8)
 */
import { SystemClock } from '../../src/core/index.ts';
import { type Crypto, loadCrypto } from '../../src/crypto/index.ts';
import type { Exchange } from '../../src/simulator/index.ts';
import { type GroupResult, type Limit, reached } from '../goal.ts';
import { type Effort, inTurn, rounded, Samples, timeMs } from '../measure.ts';
import { showTable } from '../show.ts';
import { BATCH, openScene, ordersIn, type SignedWrite, signedWrites } from '../signed-writes.ts';

const WRITES = 2_000;
const RECOVERY = 'recovery of the signer alone';
const SIGNED = 'signed write of one order';
const UNSIGNED = 'write of one order, signature not checked';
const UNSIGNED_BATCH = `write of ${BATCH} orders, signature not checked`;
const SIGNED_LIMIT: Limit = {
  id: 'G14',
  what: 'signed writes a second in process, to signer recoveries a second',
  limit: 0.75,
  better: 'higher',
};
const GUARD_ORDERS = 500_000;
const UNSIGNED_LIMIT: Limit = {
  id: 'G14.orders',
  what: `orders a second without signatures, in batches, as a share of ${GUARD_ORDERS}`,
  limit: 1,
  better: 'higher',
};

/** Measures G14. */
export async function embeddedExchange({ rounds }: Effort): Promise<GroupResult> {
  const crypto = await loadCrypto();
  const samples = new Samples();
  for (let round = 0; round < rounds + 1; round++) {
    const cases = makeCases(crypto);
    for (const { name, run, units } of inTurn(cases, round)) {
      const tookUs = ((await timeMs(run, 1)) * 1000) / units;
      // The first round warms up.
      if (round > 0) samples.add(name, tookUs);
    }
  }
  showTable(
    `G14 one write through the embedded exchange, ${WRITES} a round (batches: one order)`,
    samples.rows(RECOVERY),
  );
  const ordersASecond = 1e6 / samples.median(UNSIGNED_BATCH);
  return {
    goals: [
      reached(SIGNED_LIMIT, samples.ratio(RECOVERY, SIGNED)),
      reached(UNSIGNED_LIMIT, ordersASecond / GUARD_ORDERS),
    ],
    figures: {
      'G14 verified writes/s in process': rounded(1e6 / samples.median(SIGNED)),
      'G14 recoveries/s': rounded(1e6 / samples.median(RECOVERY)),
      'G14 single orders/s, signature not checked': rounded(1e6 / samples.median(UNSIGNED)),
      'G14 orders/s in batches, signature not checked': rounded(ordersASecond),
    },
  };
}

/** A case with fresh exchanges and fresh writes: a nonce counts once. */
function makeCases(crypto: Crypto) {
  const clock = new SystemClock();
  const scene = (checksSignatures: boolean, batch: number) => {
    const { exchange, wallets } = openScene(crypto, clock, { count: 2, checksSignatures });
    const writes = interleaved(wallets.map((wallet) => signedWrites(wallet, WRITES / wallets.length, batch)));
    return { exchange, writes };
  };
  const signed = scene(true, 1);
  const single = scene(false, 1);
  const batched = scene(false, BATCH);
  return [
    { name: RECOVERY, units: WRITES, run: () => recover(crypto, signed.writes) },
    { name: SIGNED, units: WRITES, run: () => handle(signed.exchange, signed.writes) },
    { name: UNSIGNED, units: WRITES, run: () => submit(single.exchange, single.writes) },
    {
      name: UNSIGNED_BATCH,
      units: ordersIn(WRITES / 2, BATCH) * 2,
      run: () => submit(batched.exchange, batched.writes),
    },
  ] as const;
}

function interleaved(streams: readonly (readonly SignedWrite[])[]): readonly SignedWrite[] {
  return (streams[0] ?? []).flatMap((_none, at) => streams.flatMap((stream) => stream[at] ?? []));
}

function recover(crypto: Crypto, writes: readonly SignedWrite[]): void {
  for (const { digest, signature } of writes) {
    if (crypto.recoverAddress(digest, signature) === undefined) throw new Error('expected a signer');
  }
}

/** The same without text and signature. */
function submit(exchange: Exchange, writes: readonly SignedWrite[]): void {
  for (const { wallet, command } of writes) {
    const { account: owner, signer: agent } = wallet;
    const { status, reason } = exchange.control.submit({ owner, agent }, () => command);
    if (status !== 'executed') throw new Error(`expected an executed command, was ${reason}`);
  }
}

/** Every write must be executed: a refusal would be quick. */
function handle(exchange: Exchange, writes: readonly SignedWrite[]): void {
  for (const { path, body } of writes) {
    const reply = exchange.handle({ method: 'POST', path, headers: {}, body, ip: '127.0.0.1' });
    if (reply instanceof Promise || reply === 'lost' || reply.status !== 200) {
      throw new Error(`expected an executed write, was ${JSON.stringify(reply)}`);
    }
  }
}
