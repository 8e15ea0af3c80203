/** @module Checks of account reads: who is selected, and what is returned. */
import { type Check, check } from '../check.ts';
import { answered, holds, matches, refused, refusedWith, same } from '../expect.ts';
import type { Probe } from '../probe.ts';
import { cancel, NO_ORDER, openIds, place, rest, sizeOf, trade } from './steps.ts';

/** Reads of one account. */
const READS = [
  '/v1/account',
  '/v1/account/positions',
  '/v1/account/orders',
  '/v1/account/orders/history',
  '/v1/account/fills',
  '/v1/account/ledger',
  '/v1/account/funding',
  '/v1/account/withdrawals',
  '/v1/account/agents',
  '/v1/account/nonce',
] as const;
const NOBODY = '0x00000000000000000000000000000000deadbeef';
const MONEY = ['collateral', 'equity', 'initialMargin', 'maintenanceMargin', 'withdrawable'] as const;
const DECIMAL = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;

async function each(probe: Probe, query: string, status: number): Promise<void> {
  for (const path of READS) refusedWith(await probe.get(`${path}${query}`), status);
}

/** Account selection. */
export const SELECTION_CHECKS: readonly Check[] = [
  check('GW-ACCOUNT-1', 'public', (probe) => each(probe, '', 400)),
  check('GW-ACCOUNT-2', 'public', (probe) => each(probe, `?address=${NOBODY}`, 404)),
  check('GW-ACCOUNT-3', 'public', async (probe) => {
    await each(probe, `?vault=1&address=${NOBODY}`, 400);
    await each(probe, '?vault=1&subaccount=0', 400);
  }),
  check('GW-ACCOUNT-4', 'public', (probe) => each(probe, '?vault=4000000000', 404)),
  check('GW-ACCOUNT-5', 'public', async (probe) => {
    for (const address of ['0x12', 'nobody', `${NOBODY}00`, ''])
      await each(probe, `?address=${address}`, 400);
  }),
  check('GW-ACCOUNT-6', 'account', async (probe) => {
    const trader = await probe.trader();
    const upper = `0x${trader.address.slice(2).toUpperCase()}`;
    const { subaccount } = trader.keys;
    const one = answered(await probe.get(`/v1/account?address=${upper}&subaccount=${subaccount}`));
    same('the account', one.at('accountId'), await trader.accountId());
  }),
  check('GW-ACCOUNT-7', 'account', async (probe) => {
    const { address } = await probe.trader();
    const plain = answered(await probe.get(`/v1/account?address=${address}`));
    const zero = answered(await probe.get(`/v1/account?address=${address}&subaccount=0`));
    same('the account', zero.at('accountId'), plain.at('accountId'));
  }),
  check('GW-ACCOUNT-8', 'account', async (probe) => {
    const { address } = await probe.trader();
    await each(probe, `?address=${address}&subaccount=99999`, 404);
  }),
  check('GW-ACCOUNT-9', 'account', async (probe) => {
    const { address } = await probe.trader();
    for (const subaccount of ['x', '-1', '1.5', '4294967296'])
      await each(probe, `?address=${address}&subaccount=${subaccount}`, 400);
  }),
];

/** What an account reports. */
export const ACCOUNT_STATE_CHECKS: readonly Check[] = [
  check('GW-ACCOUNT-10', 'account', async (probe) => {
    const trader = await probe.trader();
    const account = answered(await trader.read('/v1/account'));
    for (const name of MONEY) matches(name, account.at(name), DECIMAL);
    holds('seq and epoch', account.number('seq') > 0 && account.text('epoch') !== '', account.value);
  }),
  check('GW-ACCOUNT-11', 'account', async (probe) => {
    const account = answered(await (await probe.trader()).read('/v1/account'));
    const usdc = account.list('balances').find((balance) => balance.at('symbol') === 'USDC');
    same('the balance of USDC', usdc?.at('amount'), account.at('collateral'));
  }),
  check('GW-ACCOUNT-12', 'account', async (probe) => {
    const trader = await probe.trader();
    const order = await probe.farOrder();
    const item = await rest(probe, trader, order);
    const orders = answered(await trader.read('/v1/account/orders')).list('orders');
    const found = orders.find((one) => one.at('orderId') === item.at('orderId'));
    for (const name of ['symbol', 'side', 'timeInForce', 'reduceOnly'] as const)
      same(name, found?.at(name), order[name]);
    same('price', found?.number('price'), Number(order.price));
    same(
      'size and remaining',
      [found?.number('size'), found?.number('remaining')],
      [+order.size, +order.size],
    );
    same('status', found?.at('status'), 'open');
  }),
  check('GW-ACCOUNT-13', 'account', async (probe) => {
    const trader = await probe.trader();
    const item = await rest(probe, trader);
    const order = answered(await trader.read(`/v1/orders/${item.text('orderId')}`));
    same('orderId', order.at('orderId'), item.at('orderId'));
  }),
  check('GW-ACCOUNT-14', 'account', async (probe) => {
    const trader = await probe.trader();
    const clientOrderId = `conformance-${await probe.serverMs()}`;
    const item = await rest(probe, trader, { clientOrderId });
    same('the label of the item', item.at('clientOrderId'), clientOrderId);
    const order = answered(await trader.read(`/v1/orders/client/${clientOrderId}`));
    same('orderId', order.at('orderId'), item.at('orderId'));
    refusedWith(await trader.read('/v1/orders/client/no-such-label'), 404);
  }),
  check('GW-ACCOUNT-15', 'public', async (probe) => {
    refusedWith(await probe.get(`/v1/orders/${NO_ORDER}`), 404);
    for (const id of ['x', '1.5', '-1', '01'])
      refused(await probe.get(`/v1/orders/${id}`), 400, 'InvalidRequest');
  }),
  check('GW-ACCOUNT-16', 'account', async (probe) => {
    const trader = await probe.trader();
    const item = await rest(probe, trader);
    answered((await cancel(trader, probe.market.symbol, [item.text('orderId')])).answer);
    holds(
      'no open order of this number',
      !(await openIds(trader)).includes(item.text('orderId')),
      item.value,
    );
    const history = answered(await trader.read('/v1/account/orders/history')).list('orders');
    const ended = history.find((order) => order.at('orderId') === item.at('orderId'));
    same('status', ended?.at('status'), 'canceled');
    refusedWith(await trader.read(`/v1/orders/${item.text('orderId')}`), 404);
  }),
  check('GW-ACCOUNT-17', 'account', async (probe) => {
    const trader = await probe.trader();
    const ids = [await rest(probe, trader), await rest(probe, trader)].map((item) => item.text('orderId'));
    for (const id of ids) answered((await cancel(trader, probe.market.symbol, [id])).answer);
    const history = answered(await trader.read('/v1/account/orders/history?limit=1')).list('orders');
    same(
      'the newest alone',
      history.map((order) => order.text('orderId')),
      ids.slice(1),
    );
    for (const limit of [0, 1_001, 'x'])
      refused(await trader.read(`/v1/account/orders/history?limit=${limit}`), 400, 'InvalidRequest');
  }),
  check('GW-ACCOUNT-18', 'account', async (probe) => {
    const { address } = await probe.trader();
    const list = answered(await probe.get(`/v1/account/subaccounts?address=${address}`)).list('subaccounts');
    holds(
      'the main account as 0',
      list.some((one) => one.at('subaccount') === 0),
      list,
    );
    refusedWith(await probe.get(`/v1/account/subaccounts?address=${NOBODY}`), 404);
    refusedWith(await probe.get('/v1/account/subaccounts'), 400);
  }),
  check('GW-ACCOUNT-19', 'account', async (probe) => {
    const { value } = answered(await (await probe.trader()).read('/v1/account/withdrawals'));
    holds('a list', Array.isArray((value as { withdrawals?: unknown }).withdrawals), value);
  }),
  check('GW-ACCOUNT-20', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    const size = await sizeOf(probe);
    const { price } = await trade(probe, { maker, taker }, size);
    const long = answered(await taker.read('/v1/account/positions')).part('positions.0');
    const short = answered(await maker.read('/v1/account/positions')).part('positions.0');
    same('sizes', [long.number('size'), short.number('size')], [Number(size), -Number(size)]);
    same('entry price', long.number('entryPrice'), Number(price));
    same('symbol', long.at('symbol'), probe.market.symbol);
  }),
  check('GW-ACCOUNT-21', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    const size = await sizeOf(probe);
    await trade(probe, { maker, taker }, size);
    await trade(probe, { maker: taker, taker: maker }, size);
    same('positions', answered(await taker.read('/v1/account/positions')).list('positions').length, 0);
  }),
  check('GW-ACCOUNT-22', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    await trade(probe, { maker, taker }, await sizeOf(probe, 10));
    const account = answered(await taker.read('/v1/account'));
    const [position] = answered(await taker.read('/v1/account/positions')).list('positions');
    const value = (position?.number('size') ?? 0) * (position?.number('markPrice') ?? 0);
    const equity = account.number('collateral') + value + (position?.number('accruedFunding') ?? 0);
    holds('equity as collateral and value of positions', Math.abs(account.number('equity') - equity) < 1e-3, {
      equity,
      told: account.at('equity'),
    });
    holds(
      'margins above zero',
      account.number('initialMargin') > account.number('maintenanceMargin'),
      account.value,
    );
    holds('a maintenance margin', account.number('maintenanceMargin') > 0, account.value);
  }),
  check('GW-ACCOUNT-23', 'control', async (probe) => {
    const trader = await probe.trader({ balance: '20' });
    const { answer } = await place(probe, trader, [{ size: await sizeOf(probe, 1_000) }]);
    refused(answer, 422, 'InsufficientMargin');
    same('open orders', (await openIds(trader)).length, 0);
  }),
  check('GW-ACCOUNT-24', 'control', async (probe) => {
    const trader = await probe.trader();
    const before = answered(await trader.read('/v1/account')).number('collateral');
    await probe.harness.run('withdraw', { account: trader.address, amount: '12.5' });
    const listed = async () => {
      const [one] = answered(await trader.read('/v1/account/withdrawals')).list('withdrawals');
      return {
        token: one?.at('token'),
        amount: one?.number('amount'),
        hasTime: Number(one?.number('ts')) > 0 && (one?.text('id') ?? '') !== '',
        status: one?.at('status'),
      };
    };
    const told = { token: 0, amount: 12.5, hasTime: true };
    same('under way', await listed(), { ...told, status: 'pending' });
    same('cash', answered(await trader.read('/v1/account')).number('collateral'), before - 12.5);
    const entries = answered(await trader.read('/v1/account/ledger')).list('data');
    same(
      'entries of the ledger',
      entries.filter((entry) => entry.at('kind') === 'withdrawal').map((entry) => entry.number('amount')),
      [-12.5],
    );
    await probe.harness.run('advance', { by: 10_000 });
    same('acknowledged', await listed(), { ...told, status: 'acked' });
  }),
];
