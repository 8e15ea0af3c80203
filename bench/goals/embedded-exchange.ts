/**
 * @module
 * G14: the embedded exchange in process. With signatures: a whole request, JSON text to receipt and JSON answer, beside
 * the recovery of its signer alone. Without: orders a second from the command over its digest, request id, grant, nonce,
 * matching, events and receipt.
 *
 * All writes are signed once, before anything is measured. Each round has fresh exchanges, whose wallets are the same
 * since they are drawn from the same seed: so no round collects the garbage of making writes. The cases take turns after
 * a few writes each, and what counts is the time of the processor, helper threads included: whatever else the machine
 * does hits all of them, and waiting for it none.
 */
import { type Clock, must, SystemClock } from '../../src/core/index.ts';
import type { Exchange } from '../../src/exchange/index.ts';
import { type Crypto, loadCrypto } from '../../src/wire/crypto/index.ts';
import { type GroupResult, type Limit, reached } from '../goal.ts';
import { type Effort, inTurn, rounded, Samples } from '../measure.ts';
import { showTable } from '../show.ts';
import { BATCH, openScene, type SignedWrite, signedWrites } from '../signed-writes.ts';

const WRITES = 4_000;
const WRITES_A_TURN = 500;
/** Before that many passes over the writes the compiler is still at work: the first take three times as long. */
const WARM_UP_ROUNDS = 10;
const WALLETS = 2;
const RECOVERY = 'recovery of the signer alone';
const SIGNED = 'signed write of one order';
const UNSIGNED = 'write of one order, signature not checked';
const UNSIGNED_BATCH = `order or cancel in a write of ${BATCH}, signature not checked`;
const SIGNED_LIMIT: Limit = {
  id: 'G14',
  what: 'signed writes a second in process, to signer recoveries a second',
  limit: 0.75,
  better: 'higher',
};
/** The two figures of the goal come from one machine: so many orders in the time of one recovery. */
const ORDERS_PER_RECOVERY = 500_000 / 12_900;
const UNSIGNED_LIMIT: Limit = {
  id: 'G14.orders',
  what: 'orders and cancels without signatures in the time of one recovery, to 500,000 in the time of 12,900',
  limit: 1,
  better: 'higher',
};

/** One way to use all writes; `units`: what its time is divided by. */
interface Case {
  readonly name: string;
  readonly units: number;
  readonly writes: readonly SignedWrite[];
  run(some: readonly SignedWrite[]): void;
}

/** Measures G14. */
export async function embeddedExchange({ rounds }: Effort): Promise<GroupResult> {
  const crypto = await loadCrypto();
  const clock = new SystemClock();
  const single = writesOf(crypto, clock, 1);
  const batched = writesOf(crypto, clock, BATCH);
  let records = 0;
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    handle(open(crypto, clock, false), single);
    submit(open(crypto, clock, false), single);
    records = submit(open(crypto, clock, false), batched);
  }
  const samples = new Samples();
  for (let round = 0; round < rounds + 1; round++) {
    const checking = open(crypto, clock, true);
    const believing = open(crypto, clock, false);
    const another = open(crypto, clock, false);
    const cases: readonly Case[] = [
      { name: RECOVERY, units: WRITES, writes: single, run: (some) => recover(crypto, some) },
      { name: SIGNED, units: WRITES, writes: single, run: (some) => handle(checking, some) },
      { name: UNSIGNED, units: WRITES, writes: single, run: (some) => submit(believing, some) },
      { name: UNSIGNED_BATCH, units: records, writes: batched, run: (some) => submit(another, some) },
    ];
    const tookUs = timesOf(cases);
    // The first round is one more to warm up: recoveries are new in it.
    if (round > 0) for (const { name, units } of cases) samples.add(name, (tookUs.get(name) ?? 0) / units);
  }
  showTable(`G14 one write through the embedded exchange, ${WRITES} a round`, samples.rows(RECOVERY));
  return {
    goals: [
      reached(SIGNED_LIMIT, samples.ratio(RECOVERY, SIGNED)),
      reached(UNSIGNED_LIMIT, samples.ratio(RECOVERY, UNSIGNED_BATCH) / ORDERS_PER_RECOVERY),
    ],
    figures: {
      'G14 verified writes/s in process': rounded(1e6 / samples.median(SIGNED)),
      'G14 recoveries/s': rounded(1e6 / samples.median(RECOVERY)),
      'G14 single orders/s, signature not checked': rounded(1e6 / samples.median(UNSIGNED)),
      'G14 orders and cancels/s in batches, signature not checked': rounded(
        1e6 / samples.median(UNSIGNED_BATCH),
      ),
    },
  };
}

/** Microseconds of the processor that each case takes for all of its writes. */
function timesOf(cases: readonly Case[]): ReadonlyMap<string, number> {
  const tookUs = new Map<string, number>();
  for (let from = 0, turn = 0; from < WRITES; from += WRITES_A_TURN, turn++) {
    for (const { name, writes, run } of inTurn(cases, turn)) {
      const some = writes.slice(from, from + WRITES_A_TURN);
      const before = process.threadCpuUsage();
      run(some);
      const { user, system } = process.threadCpuUsage(before);
      tookUs.set(name, (tookUs.get(name) ?? 0) + user + system);
    }
  }
  return tookUs;
}

/** A fresh exchange; its wallets are those of every other one. */
function open(crypto: Crypto, clock: Clock, checksSignatures: boolean): Exchange {
  return openScene(crypto, clock, { count: WALLETS, checksSignatures }).exchange;
}

/** The writes of all wallets, one of each in turn. */
function writesOf(crypto: Crypto, clock: Clock, batch: number): readonly SignedWrite[] {
  const { wallets } = openScene(crypto, clock, { count: WALLETS, checksSignatures: true });
  const streams = wallets.map((wallet) => signedWrites(wallet, WRITES / WALLETS, batch));
  return must(streams[0], 'a wallet').flatMap((_none, at) => streams.flatMap((stream) => stream[at] ?? []));
}

function recover(crypto: Crypto, writes: readonly SignedWrite[]): void {
  for (const { digest, signature } of writes) {
    if (crypto.recoverAddress(digest, signature) === undefined) throw new Error('expected a signer');
  }
}

/** The same without text and signature. Gives how many orders were placed or canceled: each has an item in a receipt. */
function submit(exchange: Exchange, writes: readonly SignedWrite[]): number {
  let records = 0;
  for (const { wallet, command } of writes) {
    const { account: owner, signer: agent } = wallet;
    const { status, reason, items } = exchange.control.submit({ owner, agent }, () => command);
    if (status !== 'executed') throw new Error(`expected an executed command, got ${reason}`);
    records += items.length;
  }
  return records;
}

/** Every write must be executed: a refusal would be quick. */
function handle(exchange: Exchange, writes: readonly SignedWrite[]): void {
  for (const { path, body } of writes) {
    const reply = exchange.handle({ method: 'POST', path, headers: {}, body, ip: '127.0.0.1' });
    if (reply instanceof Promise || reply === 'lost' || reply.status !== 200) {
      throw new Error(`expected an executed write, got ${JSON.stringify(reply)}`);
    }
  }
}
