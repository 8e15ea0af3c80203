/**
 * Execution over the embedded exchange in process: real bytes, real signatures, the exchange's own faults, virtual time.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createExecutor,
  type Executor,
  type NoAnswer,
  type RawAnswer,
  type WritePipe,
} from '../../src/bot/execution/index.ts';
import { createInMemoryJournal, type InMemoryJournal } from '../../src/bot/journal/index.ts';
import { must, seededRandom, silentLog } from '../../src/core/index.ts';
import {
  approve,
  type Fact,
  type LaneId,
  lots,
  type MarketSymbol,
  type OrderId,
  type OrderSpec,
  type TradingCommand,
  ticks,
} from '../../src/domain/index.ts';
import { NO_RESPONSE, type RequestFault } from '../../src/exchange/index.ts';
import { makeDomain } from '../../src/wire/crypto/index.ts';
import { createApiWallet } from '../../src/wire/gateway/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { aSpec } from '../support/trading-builders.ts';

const TRADER = 'trader' as LaneId;
const SAFETY = 'safety' as LaneId;
const BTC = 'BTC-USD' as MarketSymbol;

function pipeOf(exchange: TestExchange): WritePipe {
  const account = `address=${exchange.address}&subaccount=0`;
  const ask = async (
    method: string,
    path: string,
    more: { body?: string; minSeq?: bigint | undefined } = {},
  ): Promise<RawAnswer | NoAnswer> => {
    const headers = more.minSeq === undefined ? {} : { 'x-svc-min-seq': String(more.minSeq) };
    const reply = await exchange.exchange.handle({
      method,
      path,
      headers,
      body: more.body ?? '',
      ip: '10.0.0.1',
    });
    if (reply === NO_RESPONSE) return { kind: 'lost', why: 'cut' };
    const seq = reply.headers['x-svc-seq'];
    return {
      kind: 'answer',
      status: reply.status,
      body: reply.body,
      seq: seq === undefined ? undefined : BigInt(seq),
      retryAfterMs: undefined,
    };
  };
  return {
    post: ({ path, body, minSeq }) => ask('POST', path, { body, minSeq }),
    receipt: ({ requestId, scope, nonce, commandHash }) =>
      ask(
        'GET',
        `/v1/requests/${requestId}?scope=${encodeURIComponent(scope)}&nonce=${nonce}&commandHash=${commandHash}`,
      ),
    nonce: (signer) => ask('GET', `/v1/account/nonce?${account}&signer=${signer}`),
    openOrders: (minSeq) => ask('GET', `/v1/account/orders?${account}`, { minSeq }),
  };
}

interface Run {
  readonly exchange: TestExchange;
  readonly executor: Executor;
  readonly journal: InMemoryJournal;
  readonly facts: Fact[];
  readonly bugs: unknown[];
  of<T extends Fact['type']>(type: T): Extract<Fact, { type: T }>[];
  submit(command: TradingCommand): void;
  openOrders(): { orderId: string }[];
  fault(fault: RequestFault): void;
}

async function start(exchange: TestExchange, journal = createInMemoryJournal()): Promise<Run> {
  const { clock, crypto, account } = exchange;
  const domain = makeDomain(crypto, exchange.exchange.settings.domain);
  const signerOf = (n: number) =>
    createApiWallet({ crypto, domain, key: must(account.apiWallets[n], 'a wallet').key });
  const facts: Fact[] = [];
  const bugs: unknown[] = [];
  const markets = exchange.exchange.control.venue.markets().map(({ market }) => market);
  const executor = createExecutor({
    clock,
    random: seededRandom(3),
    log: silentLog,
    pipe: pipeOf(exchange),
    journal,
    sink: (fact) => void facts.push(fact),
    context: {
      signingAccountId: account.accountId,
      market: (symbol) => markets.find((market) => market.symbol === symbol),
      marketById: (id) => markets.find((market) => market.signingMarketId === id),
    },
    account: { address: exchange.address, subaccount: 0 },
    lanes: [
      { id: TRADER, signer: signerOf(0) },
      { id: SAFETY, signer: signerOf(1) },
    ],
    safetyLane: SAFETY,
    serverNowMs: () => clock.nowMs(),
    health: () => [],
    onBug: (error) => void bugs.push(error),
  });
  const started = executor.start();
  await clock.advanceAsync(10_000);
  await started;
  return {
    exchange,
    executor,
    journal,
    facts,
    bugs,
    of: <T extends Fact['type']>(type: T) =>
      facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type),
    submit: (command) => executor.submit(approve({ lane: TRADER, command })),
    openOrders: () => exchange.get(`/v1/account/orders?address=${exchange.address}`).json.orders,
    fault: (fault) =>
      exchange.exchange.control.disturb({
        fault,
        matches: ({ path, method }) => method === 'POST' && !path.includes('schedule-cancel'),
      }),
  };
}

const spec = (changes: { priceTicks?: number; side?: 'buy' | 'sell' } = {}): OrderSpec => ({
  ...aSpec({ symbol: BTC, ...changes }),
  priceTicks: ticks(changes.priceTicks ?? 900_000),
  sizeLots: lots(100),
});

const place = (run: Run, changes?: Parameters<typeof spec>[0]): OrderSpec => {
  const order = spec(changes);
  run.submit({ kind: 'place', orders: [order] });
  return order;
};

describe('execution over the embedded exchange', () => {
  test('places, replaces and cancels, and every item has its own outcome', async () => {
    const run = await start(await startTestExchange());
    const { clock } = run.exchange;
    place(run);
    await clock.advanceAsync(2000);
    const orderId = must(run.of('OrderAccepted')[0], 'an accepted order').orderId;
    expect(run.openOrders().map((order) => order.orderId)).toEqual([orderId]);
    const cancels = [orderId, '12345' as OrderId].map((id) => ({ symbol: BTC, orderId: id }));
    const orders = [spec({ priceTicks: 910_000 }), spec({ priceTicks: 1_200_000 })];
    run.submit({ kind: 'replace', symbol: BTC, cancels, orders });
    await clock.advanceAsync(2000);
    expect(run.of('CancelExecuted').map((fact) => fact.ref.orderId)).toEqual([orderId]);
    expect(run.of('CancelRejected').map((fact) => fact.reason)).toEqual(['UnknownOrder']);
    const next = must(run.of('OrderAccepted')[1], 'the order that replaced it').orderId;
    run.executor.submitSafety({ kind: 'cancel', orders: [{ symbol: BTC, orderId: next }] });
    await clock.advanceAsync(2000);
    expect(run.of('CancelExecuted').map((fact) => fact.ref.orderId)).toContain(next);
    expect(run.bugs).toEqual([]);
  });

  test('a write that is rejected whole has its reasons', async () => {
    const run = await start(await startTestExchange());
    run.submit({
      kind: 'replace',
      symbol: BTC,
      cancels: [{ symbol: BTC, orderId: '77' as OrderId }],
      orders: [],
    });
    await run.exchange.clock.advanceAsync(2000);
    expect(run.of('CancelRejected')).toMatchObject([{ reason: 'UnknownOrder', proof: { by: 'answer' } }]);
    expect(run.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 1n });
  });

  test.each<[string, RequestFault, number]>([
    ['its answer is lost', { kind: 'dropResponse' }, 1],
    ['it is lost on its way', { kind: 'dropRequest' }, 0],
    ['it arrives long after', { kind: 'deliverAfterTimeout', delayMs: 9000 }, 0],
    ['it arrives soon after', { kind: 'deliverAfterTimeout', delayMs: 20 }, 1],
    ['it is delivered twice', { kind: 'deliverTwice' }, 1],
    ['its answer is late', { kind: 'delayResponse', delayMs: 3000 }, 1],
  ])('when %s its outcome is proven all the same', async (_what, fault, openOrders) => {
    const run = await start(await startTestExchange());
    run.fault(fault);
    place(run);
    await run.exchange.clock.advanceAsync(15_000);
    expect(run.executor.unresolved()).toBe(0);
    expect(run.openOrders()).toHaveLength(openOrders);
    expect(run.of('OrderAccepted')).toHaveLength(openOrders);
    expect(run.of('OrderNotExecuted')).toHaveLength(1 - openOrders);
    expect(run.bugs).toEqual([]);
  });

  test('the end proves that no order is open, and a bot that dies leaves one behind (invariant I11)', async () => {
    const run = await start(await startTestExchange());
    const { clock } = run.exchange;
    place(run);
    await clock.advanceAsync(2000);
    const stopped = run.executor.stop();
    await clock.advanceAsync(5000);
    await expect(stopped).resolves.toMatchObject({ isProven: true });
    expect(run.openOrders()).toEqual([]);

    const again = await start(run.exchange, createInMemoryJournal({ rows: run.journal.rows() }));
    place(again);
    await clock.advanceAsync(2000);
    expect(again.openOrders()).toHaveLength(1);
    again.executor.dispose();
    await clock.advanceAsync(21_000);
    expect(again.openOrders()).toEqual([]);
  });

  test('whatever the faults, what was told is what the exchange has', async () => {
    const faultArb = fc.oneof(
      fc.constantFrom<RequestFault>(
        { kind: 'dropResponse' },
        { kind: 'dropRequest' },
        { kind: 'deliverTwice' },
      ),
      fc
        .integer({ min: 10, max: 8000 })
        .map((delayMs): RequestFault => ({ kind: 'deliverAfterTimeout', delayMs })),
      fc.integer({ min: 10, max: 3000 }).map((delayMs): RequestFault => ({ kind: 'delayRequest', delayMs })),
    );
    const planArb = fc.array(fc.option(faultArb, { nil: undefined }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(planArb, async (plan) => {
        const run = await start(await startTestExchange());
        for (const fault of plan) {
          if (fault !== undefined) run.fault(fault);
          if (run.executor.isReady(TRADER)) place(run);
          await run.exchange.clock.advanceAsync(12_000);
        }
        run.exchange.exchange.control.clearFaults();
        await run.exchange.clock.advanceAsync(20_000);
        expect(run.bugs).toEqual([]);
        expect(run.of('LaneHalted')).toEqual([]);
        const told = run.of('OrderAccepted').map((fact) => fact.orderId);
        expect(
          run
            .openOrders()
            .map((order) => order.orderId)
            .sort(),
        ).toEqual([...told].sort());
        run.executor.dispose();
      }),
      { numRuns: 15, interruptAfterTimeLimit: 40_000 },
    );
  });
});
