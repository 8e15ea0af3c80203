/** @module Checks of money: fills, fees, ledger sums, funding. Amounts are added as integers, never as fractions. */
import { parseScaled } from '../../core/index.ts';
import type { Doc } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, same } from '../expect.ts';
import type { Gate } from '../gate.ts';
import { shifted } from '../orders.ts';
import type { Trader } from '../trader.ts';
import { indexPrice, multiplied, mustBeQuiet, place, rest, sizeOf, trade } from './steps.ts';

const DECIMALS = 6;
const amount = (doc: Doc, path: string): bigint => parseScaled(doc.text(path), DECIMALS) ?? 0n;
const ledgerOf = async (trader: Trader): Promise<readonly Doc[]> =>
  answered(await trader.read('/v1/account/ledger')).list('data');
const fillsOf = async (trader: Trader): Promise<readonly Doc[]> =>
  answered(await trader.read('/v1/account/fills')).list('data');
const sum = (docs: readonly Doc[], path = 'amount'): bigint =>
  docs.reduce((total, doc) => total + amount(doc, path), 0n);

interface Deal {
  readonly maker: Trader;
  readonly taker: Trader;
  readonly makerId: string;
  readonly takerId: string;
  readonly price: string;
  readonly size: string;
}

async function deal(gate: Gate, times = 1): Promise<Deal> {
  const [maker, taker] = [await gate.trader(), await gate.trader()];
  const size = await sizeOf(gate, times);
  return { maker, taker, size, ...(await trade(gate, { maker, taker }, size)) };
}

/** The notional of a trade in quantums. */
function notionalOf(gate: Gate, price: string, size: string): bigint {
  const { priceDecimals, sizeDecimals, quantumsPerTickLot } = gate.market;
  return (
    (parseScaled(price, priceDecimals) ?? 0n) * (parseScaled(size, sizeDecimals) ?? 0n) * quantumsPerTickLot
  );
}

async function takerRate(gate: Gate): Promise<bigint> {
  return BigInt(answered(await gate.get('/v1/fees')).text('base.takerFeePpm'));
}

async function funded(gate: Gate): Promise<Deal> {
  const made = await deal(gate, 100);
  await gate.stage.settleFunding();
  await gate.stage.advance(300);
  return made;
}

/** Somebody with 100 USDC bought for about 1,500. */
async function leveraged(gate: Gate): Promise<Deal> {
  await mustBeQuiet(gate);
  const [maker, taker] = [await gate.trader(), await gate.trader({ amount: '100' })];
  const size = await sizeOf(gate, 50);
  return { maker, taker, size, ...(await trade(gate, { maker, taker }, size)) };
}

/** Fills, fees, ledger. */
export const MONEY: readonly Check[] = [
  check('GW-FILLS-1', 'control', async (gate) => {
    const { maker, taker, makerId, takerId, price, size } = await deal(gate);
    const [[bought], [sold]] = [await fillsOf(taker), await fillsOf(maker)];
    same('the taker', [bought?.at('side'), bought?.at('role')], ['buy', 'taker']);
    same('the maker', [sold?.at('side'), sold?.at('role')], ['sell', 'maker']);
    same('orders of the taker', [bought?.at('orderId'), bought?.at('counterOrderId')], [takerId, makerId]);
    same('orders of the maker', [sold?.at('orderId'), sold?.at('counterOrderId')], [makerId, takerId]);
    for (const fill of [bought, sold])
      same('price and size', [fill?.number('price'), fill?.number('size')], [Number(price), Number(size)]);
    same('one id for both', bought?.at('id'), sold?.at('id'));
  }),
  check('GW-FILLS-2', 'control', async (gate) => {
    const { taker } = await deal(gate);
    const [fill] = await fillsOf(taker);
    same('the id', fill?.at('id'), `${fill?.text('seq')}-${fill?.text('sub')}-${fill?.text('idx')}`);
    const [trade] = answered(await gate.get(`/v1/markets/${gate.market.symbol}/trades?limit=1`)).list(
      'trades',
    );
    same('the public trade', [trade?.at('id'), trade?.at('side')], [fill?.at('id'), 'buy']);
  }),
  check('GW-FILLS-3', 'control', async (gate) => {
    const { taker } = await deal(gate);
    const [fill] = await fillsOf(taker);
    const ts = fill?.number('ts') ?? 0;
    holds('the time of a block', ts > 0 && ts <= (await gate.serverMs()), fill?.value);
  }),
  check('GW-FEES-1', 'control', async (gate) => {
    const { taker, price, size } = await deal(gate, 7);
    const fee = (notionalOf(gate, price, size) * (await takerRate(gate))) / 1_000_000n;
    const [fill] = await fillsOf(taker);
    same('the fee', fill === undefined ? undefined : amount(fill, 'fee'), fee);
  }),
  check('GW-FEES-2', 'control', async (gate) => {
    await mustBeQuiet(gate);
    const [one, two, taker] = [await gate.trader(), await gate.trader(), await gate.trader()];
    const price = await indexPrice(gate);
    const size = await sizeOf(gate);
    const sell = { side: 'sell', timeInForce: 'gtc', size } as const;
    const next = shifted(gate.market, price, 3);
    await rest(gate, one, { ...sell, price });
    await rest(gate, two, { ...sell, price: next });
    answered(
      (await place(gate, taker, [{ price: next, size: multiplied(size, 2), timeInForce: 'ioc' }])).answer,
    );
    const fills = await fillsOf(taker);
    const total = notionalOf(gate, price, size) + notionalOf(gate, next, size);
    same('fills', fills.length, 2);
    same('their fees', sum(fills, 'fee'), (total * (await takerRate(gate))) / 1_000_000n);
  }),
  check('GW-FEES-3', 'control', async (gate) => {
    const { maker } = await deal(gate);
    const rate = BigInt(answered(await gate.get('/v1/fees')).text('base.makerFeePpm'));
    const [fill] = await fillsOf(maker);
    holds(
      'the sign of the maker’s rate',
      fill !== undefined && amount(fill, 'fee') * rate >= 0n,
      fill?.value,
    );
  }),
  check('GW-FEES-4', 'control', async (gate) => {
    const trader = await gate.trader();
    const account = answered(await trader.read('/v1/account'));
    const fees = answered(await gate.get('/v1/fees'));
    for (const name of ['takerFeePpm', 'makerFeePpm']) same(name, account.at(name), fees.at(`base.${name}`));
  }),
  check('GW-LEDGER-1', 'control', async (gate) => {
    const trader = await gate.trader({ amount: '1234.5' });
    const [entry] = await ledgerOf(trader);
    same('the deposit', [entry?.at('kind'), entry?.number('amount')], ['deposit', 1_234.5]);
  }),
  check('GW-LEDGER-2', 'control', async (gate) => {
    const { maker, taker } = await deal(gate, 3);
    for (const trader of [maker, taker]) {
      const account = answered(await trader.read('/v1/account'));
      same('the sum of the ledger', sum(await ledgerOf(trader)), amount(account, 'collateral'));
    }
  }),
  check('GW-LEDGER-3', 'control', async (gate) => {
    const { taker, price, size } = await deal(gate);
    const entries = await ledgerOf(taker);
    const cash = entries.filter((entry) => entry.at('kind') === 'trade');
    same('the cash of the trade', sum(cash), -notionalOf(gate, price, size));
    const fees = entries.filter((entry) => entry.at('kind') === 'taker_fee');
    same('the fee', sum(fees), -sum(await fillsOf(taker), 'fee'));
  }),
  check('GW-LEDGER-4', 'control', async (gate) => {
    const { maker, taker } = await deal(gate);
    const kind = 'trade';
    const cash = await Promise.all(
      [maker, taker].map(async (one) =>
        sum((await ledgerOf(one)).filter((entry) => entry.at('kind') === kind)),
      ),
    );
    same(
      'the cash of both',
      cash.reduce((a, b) => a + b, 0n),
      0n,
    );
  }),
  check('GW-LEDGER-5', 'control', async (gate) => {
    const { taker, takerId, makerId } = await deal(gate);
    const entry = (await ledgerOf(taker)).find((one) => one.at('kind') === 'trade');
    same('symbol', entry?.at('symbol'), gate.market.symbol);
    same('orders', [entry?.at('orderId'), entry?.at('counterOrderId')], [takerId, makerId]);
  }),
  check('GW-LIQUIDATION-1', 'control', async (gate) => {
    const { maker, taker, price, size } = await leveraged(gate);
    // Six per cent of 1,500 USDC leave less than the three that must be kept.
    const low = multiplied(price, 94, 100);
    await rest(gate, maker, { side: 'buy', price: low, size, timeInForce: 'gtc' });
    await gate.stage.setIndexPrice(gate.market.symbol, low);
    await gate.stage.advance(500);
    same('positions', answered(await taker.read('/v1/account/positions')).list('positions').length, 0);
    for (const trader of [maker, taker]) {
      const account = answered(await trader.read('/v1/account'));
      same('the sum of the ledger', sum(await ledgerOf(trader)), amount(account, 'collateral'));
    }
  }),
  check('GW-LIQUIDATION-2', 'control', async (gate) => {
    const { taker, price } = await leveraged(gate);
    await gate.stage.setIndexPrice(gate.market.symbol, multiplied(price, 98, 100));
    await gate.stage.advance(500);
    same('positions', answered(await taker.read('/v1/account/positions')).list('positions').length, 1);
  }),
  check('GW-FUNDING-1', 'control', async (gate) => {
    const before = answered(await gate.get(`/v1/markets/${gate.market.symbol}/funding`)).list(
      'funding',
    ).length;
    await funded(gate);
    const list = answered(await gate.get(`/v1/markets/${gate.market.symbol}/funding`)).list('funding');
    same('settlements', list.length, before + 1);
    for (const name of ['symbol', 'ratePpm', 'indexPrice', 'ts'])
      holds(`a field ${name}`, list.at(-1)?.at(name) !== undefined, list.at(-1)?.value);
  }),
  check('GW-FUNDING-2', 'control', async (gate) => {
    const { maker, taker } = await funded(gate);
    await trade(gate, { maker: taker, taker: maker }, await sizeOf(gate));
    const paid = await Promise.all(
      [maker, taker].map(async (trader) => {
        const { value } = answered(await trader.read('/v1/account/funding'));
        holds('a list of payments', Array.isArray((value as { payments?: unknown }).payments), value);
        return sum((await ledgerOf(trader)).filter((entry) => entry.at('kind') === 'funding'));
      }),
    );
    const left = (paid[0] ?? 0n) + (paid[1] ?? 0n);
    holds('a sum of nothing, but for what truncation keeps', left <= 0n && left >= -2n, paid);
  }),
  check('GW-FUNDING-3', 'control', async (gate) => {
    const { maker, taker } = await funded(gate);
    await trade(gate, { maker: taker, taker: maker }, await sizeOf(gate));
    for (const trader of [maker, taker]) {
      const payments = answered(await trader.read('/v1/account/funding')).list('payments');
      const entries = (await ledgerOf(trader)).filter((entry) => entry.at('kind') === 'funding');
      same(
        'payments and entries',
        payments.map((one) => one.at('id')).sort(),
        entries.map((one) => one.at('id')).sort(),
      );
      const account = answered(await trader.read('/v1/account'));
      same('the sum of the ledger', sum(await ledgerOf(trader)), amount(account, 'collateral'));
    }
  }),
  check('GW-FUNDING-4', 'public', async (gate) => {
    const price = answered(await gate.get('/v1/prices')).part('prices.0');
    holds('a time ahead', price.number('nextFundingTime') >= (await gate.serverMs()) - 1_000, price.value);
    holds('a rate in ppm', Number.isFinite(price.number('fundingRatePpm')), price.value);
  }),
];
