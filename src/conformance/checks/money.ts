/** @module Checks of money: fills, fees, ledger sums, funding. Amounts are added as integers, never as fractions. */
import { parseScaled } from '../../core/index.ts';
import type { Doc } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, same } from '../expect.ts';
import { shifted } from '../orders.ts';
import type { Probe } from '../probe.ts';
import type { Trader } from '../trader.ts';
import { indexPrice, multiplied, mustBeQuiet, place, rest, sizeOf, trade } from './steps.ts';

const DECIMALS = 6;
const MILLION = 1_000_000n;
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

async function deal(probe: Probe, times = 1): Promise<Deal> {
  const [maker, taker] = [await probe.trader(), await probe.trader()];
  const size = await sizeOf(probe, times);
  return { maker, taker, size, ...(await trade(probe, { maker, taker }, size)) };
}

/** The notional of a trade in quantums. */
function notionalOf(probe: Probe, price: string, size: string): bigint {
  const { priceDecimals, sizeDecimals, quantumsPerTickLot } = probe.market;
  return (
    (parseScaled(price, priceDecimals) ?? 0n) * (parseScaled(size, sizeDecimals) ?? 0n) * quantumsPerTickLot
  );
}

async function takerRate(probe: Probe): Promise<bigint> {
  return BigInt(answered(await probe.get('/v1/fees')).text('base.takerFeePpm'));
}

async function funded(probe: Probe): Promise<Deal> {
  const made = await deal(probe, 100);
  await probe.harness.run('settle-funding');
  await probe.harness.run('advance', { by: 300 });
  return made;
}

/** An account with 100 USDC bought for about 1,500. */
async function leveraged(probe: Probe): Promise<Deal> {
  await mustBeQuiet(probe);
  const [maker, taker] = [await probe.trader(), await probe.trader({ balance: '100' })];
  const size = await sizeOf(probe, 50);
  return { maker, taker, size, ...(await trade(probe, { maker, taker }, size)) };
}

/** Fills, fees, ledger. */
export const MONEY_CHECKS: readonly Check[] = [
  check('GW-FILLS-1', 'control', async (probe) => {
    const { maker, taker, makerId, takerId, price, size } = await deal(probe);
    const [[bought], [sold]] = [await fillsOf(taker), await fillsOf(maker)];
    same('the taker', [bought?.at('side'), bought?.at('role')], ['buy', 'taker']);
    same('the maker', [sold?.at('side'), sold?.at('role')], ['sell', 'maker']);
    same('orders of the taker', [bought?.at('orderId'), bought?.at('counterOrderId')], [takerId, makerId]);
    same('orders of the maker', [sold?.at('orderId'), sold?.at('counterOrderId')], [makerId, takerId]);
    for (const fill of [bought, sold])
      same('price and size', [fill?.number('price'), fill?.number('size')], [Number(price), Number(size)]);
    same('one id for both', bought?.at('id'), sold?.at('id'));
  }),
  check('GW-FILLS-2', 'control', async (probe) => {
    const { taker } = await deal(probe);
    const [fill] = await fillsOf(taker);
    same('the id', fill?.at('id'), `${fill?.text('seq')}-${fill?.text('sub')}-${fill?.text('idx')}`);
    const [trade] = answered(await probe.get(`/v1/markets/${probe.market.symbol}/trades?limit=1`)).list(
      'trades',
    );
    same('the public trade', [trade?.at('id'), trade?.at('side')], [fill?.at('id'), 'buy']);
  }),
  check('GW-FILLS-3', 'control', async (probe) => {
    const { taker } = await deal(probe);
    const [fill] = await fillsOf(taker);
    const ts = fill?.number('ts') ?? 0;
    holds('the time of a block', ts > 0 && ts <= (await probe.serverMs()), fill?.value);
  }),
  check('GW-FEES-1', 'control', async (probe) => {
    const { taker, price, size } = await deal(probe, 7);
    const fee = (notionalOf(probe, price, size) * (await takerRate(probe))) / MILLION;
    const [fill] = await fillsOf(taker);
    same('the fee', fill === undefined ? undefined : amount(fill, 'fee'), fee);
  }),
  check('GW-FEES-2', 'control', async (probe) => {
    await mustBeQuiet(probe);
    const [one, two, taker] = [await probe.trader(), await probe.trader(), await probe.trader()];
    const price = await indexPrice(probe);
    const size = await sizeOf(probe);
    const sell = { side: 'sell', timeInForce: 'gtc', size } as const;
    const next = shifted(probe.market, price, 3);
    await rest(probe, one, { ...sell, price });
    await rest(probe, two, { ...sell, price: next });
    answered(
      (await place(probe, taker, [{ price: next, size: multiplied(size, 2), timeInForce: 'ioc' }])).answer,
    );
    const fills = await fillsOf(taker);
    const total = notionalOf(probe, price, size) + notionalOf(probe, next, size);
    same('fills', fills.length, 2);
    same('their fees', sum(fills, 'fee'), (total * (await takerRate(probe))) / MILLION);
  }),
  check('GW-FEES-3', 'control', async (probe) => {
    const { maker } = await deal(probe);
    const rate = BigInt(answered(await probe.get('/v1/fees')).text('base.makerFeePpm'));
    const [fill] = await fillsOf(maker);
    holds(
      'the sign of the maker’s rate',
      fill !== undefined && amount(fill, 'fee') * rate >= 0n,
      fill?.value,
    );
  }),
  check('GW-FEES-4', 'control', async (probe) => {
    const trader = await probe.trader();
    const account = answered(await trader.read('/v1/account'));
    const fees = answered(await probe.get('/v1/fees'));
    for (const name of ['takerFeePpm', 'makerFeePpm']) same(name, account.at(name), fees.at(`base.${name}`));
  }),
  check('GW-LEDGER-1', 'control', async (probe) => {
    const trader = await probe.trader({ balance: '1234.5' });
    const [entry] = await ledgerOf(trader);
    same('the deposit', [entry?.at('kind'), entry?.number('amount')], ['deposit', 1_234.5]);
  }),
  check('GW-LEDGER-2', 'control', async (probe) => {
    const { maker, taker } = await deal(probe, 3);
    for (const trader of [maker, taker]) {
      const account = answered(await trader.read('/v1/account'));
      same('the sum of the ledger', sum(await ledgerOf(trader)), amount(account, 'collateral'));
    }
  }),
  check('GW-LEDGER-3', 'control', async (probe) => {
    const { taker, price, size } = await deal(probe);
    const entries = await ledgerOf(taker);
    const cash = entries.filter((entry) => entry.at('kind') === 'trade');
    same('the cash of the trade', sum(cash), -notionalOf(probe, price, size));
    const fees = entries.filter((entry) => entry.at('kind') === 'taker_fee');
    same('the fee', sum(fees), -sum(await fillsOf(taker), 'fee'));
  }),
  check('GW-LEDGER-4', 'control', async (probe) => {
    const { maker, taker } = await deal(probe);
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
  check('GW-LEDGER-5', 'control', async (probe) => {
    const { taker, takerId, makerId } = await deal(probe);
    const entry = (await ledgerOf(taker)).find((one) => one.at('kind') === 'trade');
    same('symbol', entry?.at('symbol'), probe.market.symbol);
    same('orders', [entry?.at('orderId'), entry?.at('counterOrderId')], [takerId, makerId]);
  }),
  check('GW-LIQUIDATION-1', 'control', async (probe) => {
    const { maker, taker, price, size } = await leveraged(probe);
    // Six per cent of 1,500 USDC leave less than the three that must be kept.
    const low = multiplied(price, 94, 100);
    await rest(probe, maker, { side: 'buy', price: low, size, timeInForce: 'gtc' });
    await probe.harness.run('price', { symbol: probe.market.symbol, price: low });
    await probe.harness.run('advance', { by: 500 });
    same('positions', answered(await taker.read('/v1/account/positions')).list('positions').length, 0);
    for (const trader of [maker, taker]) {
      const account = answered(await trader.read('/v1/account'));
      same('the sum of the ledger', sum(await ledgerOf(trader)), amount(account, 'collateral'));
    }
  }),
  check('GW-LIQUIDATION-2', 'control', async (probe) => {
    const { taker, price } = await leveraged(probe);
    await probe.harness.run('price', { symbol: probe.market.symbol, price: multiplied(price, 98, 100) });
    await probe.harness.run('advance', { by: 500 });
    same('positions', answered(await taker.read('/v1/account/positions')).list('positions').length, 1);
  }),
  check('GW-FUNDING-1', 'control', async (probe) => {
    const before = answered(await probe.get(`/v1/markets/${probe.market.symbol}/funding`)).list(
      'funding',
    ).length;
    await funded(probe);
    const list = answered(await probe.get(`/v1/markets/${probe.market.symbol}/funding`)).list('funding');
    same('settlements', list.length, before + 1);
    for (const name of ['symbol', 'ratePpm', 'indexPrice', 'ts'])
      holds(`a field ${name}`, list.at(-1)?.at(name) !== undefined, list.at(-1)?.value);
  }),
  check('GW-FUNDING-2', 'control', async (probe) => {
    const { maker, taker } = await funded(probe);
    await trade(probe, { maker: taker, taker: maker }, await sizeOf(probe));
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
  check('GW-FUNDING-3', 'control', async (probe) => {
    const { maker, taker } = await funded(probe);
    await trade(probe, { maker: taker, taker: maker }, await sizeOf(probe));
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
  check('GW-FUNDING-5', 'control', async (probe) => {
    const { maker, taker, size } = await funded(probe);
    const list = answered(await probe.get(`/v1/markets/${probe.market.symbol}/funding`)).list('funding');
    const rate = BigInt(list.at(-1)?.number('ratePpm') ?? 0);
    const paid = notionalOf(probe, list.at(-1)?.text('indexPrice') ?? '', size) * rate;
    for (const [trader, sign] of [
      [maker, 1n],
      [taker, -1n],
    ] as const) {
      const position = answered(await trader.read('/v1/account/positions')).part('positions.0');
      const due = sign * paid;
      const floor = due >= 0n ? due / MILLION : (due - MILLION + 1n) / MILLION;
      same('the accrued funding', amount(position, 'accruedFunding'), floor);
    }
  }),
  check('GW-FUNDING-4', 'public', async (probe) => {
    const price = answered(await probe.get('/v1/prices')).part('prices.0');
    holds('a time ahead', price.number('nextFundingTime') >= (await probe.serverMs()) - 1_000, price.value);
    holds('a rate in ppm', Number.isFinite(price.number('fundingRatePpm')), price.value);
  }),
];
