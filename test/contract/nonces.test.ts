/** Nonces: counting, order, and what decides about the next one. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/core/index.ts';
import { type Address, approve, ticks } from '../../src/domain/index.ts';
import { createMainWallet, createMainWalletSigner } from '../../src/wire/gateway/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import {
  aBench,
  answer,
  TRADER as BENCH_TRADER,
  type Bench,
  refusal,
} from '../unit/bot/execution/support.ts';
import { BTC, during, startClient } from './client.ts';
import { bodyOf, type Passed, replyOf } from './wire.ts';

/** Nonces of the writes of one scope, in the order they left. */
function noncesOf(
  posts: readonly Passed[],
  scope: { account: string; signer: string | undefined },
): number[] {
  return posts
    .map(bodyOf)
    .filter(({ account, signer }) => account === scope.account && signer === scope.signer)
    .map(({ nonce }) => nonce);
}

const countFrom = (first: number, count: number) => Array.from({ length: count }, (_none, at) => first + at);

function benchPlace(bench: Bench): void {
  const command = { kind: 'place', orders: [aSpec()] } as const;
  bench.executor.submit(approve({ lane: BENCH_TRADER, command }));
}

async function opened(): Promise<Bench> {
  const bench = aBench();
  await bench.start();
  bench.facts.length = 0;
  bench.gateway.posts.length = 0;
  return bench;
}

const traderPosts = (bench: Bench) =>
  bench.gateway.posts.filter((post) => post.signer === bench.trader.address);

describe('at an exchange that takes the next nonce alone', () => {
  test('each scope counts up by one from its first nonce, main wallet and two API wallets at once (obligations O24, O25)', async () => {
    const client = await startClient();
    const { venue, wire, environment } = client;
    const { gateway, domain } = environment;
    const { client: rest, reader } = gateway;
    const main = createMainWallet({
      ...{ client: rest, reader },
      signer: createMainWalletSigner({ crypto: venue.crypto, key: venue.account.key, domain }),
      clock: venue.clock,
    });
    const agent = `0x${'77'.repeat(20)}` as Address;
    for (let round = 0; round < 4; round++) {
      const isGrant = round % 2 === 0;
      const grant = isGrant
        ? main.change({ kind: 'ApproveAgent', agent, validUntilMs: 0 }, 0)
        : main.change({ kind: 'RevokeAgent', agent }, 0);
      client.place({ priceTicks: ticks(900_000 + round) });
      client.lanes.executor.submitSafety({ kind: 'cancelAll' });
      await during(venue.clock, grant);
      await client.settled();
      await client.run(100);
    }
    const [trader, safety] = venue.account.apiWallets.map(({ address }) => address);
    const posts = wire.posts();
    const account = venue.address;
    // Two grants of the account's making have used the first nonces of its own scope.
    expect(noncesOf(posts, { account, signer: undefined })).toEqual(countFrom(2, 4));
    expect(noncesOf(posts, { account, signer: trader })).toEqual(countFrom(0, 4));
    const ofSafety = noncesOf(posts, { account, signer: safety });
    expect(ofSafety.length).toBeGreaterThanOrEqual(5);
    expect(ofSafety).toEqual(countFrom(0, ofSafety.length));
    expect(posts.map(({ reply }) => reply?.kind === 'answer' && reply.status)).toEqual(posts.map(() => 200));
  });

  test('no later nonce arrives before an earlier one, however long each request is under way (obligations O26)', async () => {
    const random = seededRandom(26);
    const client = await startClient({
      prepare: (wire, { clock }) => {
        wire.disturb = (_request, pass) =>
          new Promise((resolve) => {
            clock.after(random.integer(0, 400), () => resolve(pass()));
          });
      },
    });
    for (let round = 0; round < 15; round++) {
      client.place({ priceTicks: ticks(900_000 + round) });
      client.lanes.executor.submitSafety({
        kind: 'cancel',
        orders: [{ symbol: BTC, orderId: `${round + 1}` as never }],
      });
      await client.settled();
    }
    const codes = client.wire.posts().map((post) => replyOf(post)?.error?.code);
    expect(codes.filter((code) => code === 'NonceMismatch')).toEqual([]);
    expect(client.openOrders()).toHaveLength(15);
    expect(client.bugs).toEqual([]);
  });
});

describe('after an outcome that is not known', () => {
  test('the receipt decides, whatever the counter of the scope says (obligations O27)', async () => {
    const bench = await opened();
    const { nonce } = bench.gateway;
    const random = seededRandom(27);
    bench.gateway.nonce = async (signer) => {
      const true_ = await nonce.call(bench.gateway, signer);
      if (true_.kind !== 'answer' || signer !== bench.trader.address) return true_;
      // A replica that is behind, one that is not, and one that shows the write as spent.
      return answer(200, { ...JSON.parse(true_.body), nonce: random.integer(0, 2) });
    };
    const blind = refusal(503, 'history_unavailable', { status: 'history_unavailable', epoch: 'epoch-1' });
    bench.gateway.receiptAnswers.push(...Array.from({ length: 20 }, () => blind));
    bench.gateway.fates.push({ kind: 'answerLost' });
    benchPlace(bench);
    await bench.run(9_000);
    const resolved = () => bench.of('WriteResolved').filter((fact) => fact.lane === BENCH_TRADER);
    expect(resolved()).toEqual([]);
    expect(bench.executor.unresolved()).toBe(1);
    await bench.run(30_000);
    expect(bench.of('OrderAccepted')).toMatchObject([{ proof: { by: 'receipt' } }]);
    expect(traderPosts(bench)).toHaveLength(1);
  });

  test('no new nonce of the scope is used before the last one is settled, at 20 % lost answers (obligations O28)', async () => {
    const bench = await opened();
    const random = seededRandom(28);
    const post = bench.gateway.post.bind(bench.gateway);
    const early: bigint[] = [];
    bench.gateway.post = (write) => {
      const { nonce } = JSON.parse(write.body) as { nonce: number };
      const scope = `agent:${bench.trader.address}`;
      if (JSON.parse(write.body).signer === bench.trader.address) {
        const before = bench.journal.openWrites().filter((one) => one.scope === scope && one.nonce < nonce);
        early.push(...before.map((one) => one.nonce));
      }
      return post(write);
    };
    for (let round = 0; round < 40; round++) {
      const chance = random.next();
      if (chance < 0.1) bench.gateway.fates.push({ kind: 'answerLost' });
      else if (chance < 0.2) bench.gateway.fates.push({ kind: 'requestLost' });
      benchPlace(bench);
      for (let ms = 0; ms < 8_000 && !bench.executor.isReady(BENCH_TRADER); ms += 50) await bench.run(50);
    }
    expect(early).toEqual([]);
    expect(bench.of('WriteUnresolved').length).toBeGreaterThan(3);
    expect(bench.of('WriteResolved').length).toBeGreaterThan(40);
  });
});

describe('a rejection', () => {
  test.each([
    [true, [0n, 1n]],
    [false, [0n, 0n]],
  ])('with nonceConsumed %s is followed by the right nonce (obligations O30)', async (isConsumed, nonces) => {
    const bench = await opened();
    if (isConsumed) bench.gateway.fates.push({ kind: 'business', reason: 'InsufficientMargin' });
    else {
      const refused = refusal(422, 'AuthUnavailable', { nonceConsumed: false });
      bench.gateway.fates.push({ kind: 'answer', answer: refused });
    }
    benchPlace(bench);
    await bench.run(20);
    benchPlace(bench);
    await bench.run(50);
    expect(traderPosts(bench).map((post) => post.nonce)).toEqual(nonces);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
  });
});

describe('another writer in the scope', () => {
  test('is told by name, and the nonce that conflicted is not signed again (obligations O29)', async () => {
    const bench = await opened();
    const foreign = bench.gateway.writeAsForeigner(bench.trader);
    benchPlace(bench);
    await bench.run(30_000);
    expect(traderPosts(bench).map((post) => post.nonce)).toEqual([0n]);
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_OTHER_WRITER' }]);
    expect(bench.of('LaneHalted')[0]?.reason).toContain(foreign);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  });
});
