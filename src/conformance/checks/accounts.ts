/** @module Checks of account reads: who is selected, and what is told. */
import { type Check, check } from '../check.ts';
import { answered, holds, matches, refused, refusedWith, same } from '../expect.ts';
import type { Gate } from '../gate.ts';
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

async function each(gate: Gate, query: string, status: number): Promise<void> {
  for (const path of READS) refusedWith(await gate.get(`${path}${query}`), status);
}

/** Account selection. */
export const SELECTION: readonly Check[] = [
  check('GW-ACCOUNT-1', 'public', (gate) => each(gate, '', 400)),
  check('GW-ACCOUNT-2', 'public', (gate) => each(gate, `?address=${NOBODY}`, 404)),
  check('GW-ACCOUNT-3', 'public', async (gate) => {
    await each(gate, `?vault=1&address=${NOBODY}`, 400);
    await each(gate, '?vault=1&subaccount=0', 400);
  }),
  check('GW-ACCOUNT-4', 'public', (gate) => each(gate, '?vault=4000000000', 404)),
  check('GW-ACCOUNT-5', 'public', async (gate) => {
    for (const address of ['0x12', 'nobody', `${NOBODY}00`, '']) await each(gate, `?address=${address}`, 400);
  }),
  check('GW-ACCOUNT-6', 'account', async (gate) => {
    const trader = await gate.trader();
    const upper = `0x${trader.address.slice(2).toUpperCase()}`;
    const { subaccount } = trader.keys;
    const one = answered(await gate.get(`/v1/account?address=${upper}&subaccount=${subaccount}`));
    same('the account', one.at('accountId'), await trader.accountId());
  }),
  check('GW-ACCOUNT-7', 'account', async (gate) => {
    const { address } = await gate.trader();
    const plain = answered(await gate.get(`/v1/account?address=${address}`));
    const zero = answered(await gate.get(`/v1/account?address=${address}&subaccount=0`));
    same('the account', zero.at('accountId'), plain.at('accountId'));
  }),
  check('GW-ACCOUNT-8', 'account', async (gate) => {
    const { address } = await gate.trader();
    await each(gate, `?address=${address}&subaccount=99999`, 404);
  }),
  check('GW-ACCOUNT-9', 'account', async (gate) => {
    const { address } = await gate.trader();
    for (const subaccount of ['x', '-1', '1.5', '4294967296'])
      await each(gate, `?address=${address}&subaccount=${subaccount}`, 400);
  }),
];

/** What an account tells of itself. */
export const ACCOUNT_STATE: readonly Check[] = [
  check('GW-ACCOUNT-10', 'account', async (gate) => {
    const trader = await gate.trader();
    const account = answered(await trader.read('/v1/account'));
    for (const name of MONEY) matches(name, account.at(name), DECIMAL);
    holds('seq and epoch', account.number('seq') > 0 && account.text('epoch') !== '', account.value);
  }),
  check('GW-ACCOUNT-11', 'account', async (gate) => {
    const account = answered(await (await gate.trader()).read('/v1/account'));
    const usdc = account.list('balances').find((balance) => balance.at('symbol') === 'USDC');
    same('the balance of USDC', usdc?.at('amount'), account.at('collateral'));
  }),
  check('GW-ACCOUNT-12', 'account', async (gate) => {
    const trader = await gate.trader();
    const order = await gate.farOrder();
    const item = await rest(gate, trader, order);
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
  check('GW-ACCOUNT-13', 'account', async (gate) => {
    const trader = await gate.trader();
    const item = await rest(gate, trader);
    const order = answered(await trader.read(`/v1/orders/${item.text('orderId')}`));
    same('orderId', order.at('orderId'), item.at('orderId'));
  }),
  check('GW-ACCOUNT-14', 'account', async (gate) => {
    const trader = await gate.trader();
    const clientOrderId = `conformance-${await gate.serverMs()}`;
    const item = await rest(gate, trader, { clientOrderId });
    same('the label of the item', item.at('clientOrderId'), clientOrderId);
    const order = answered(await trader.read(`/v1/orders/client/${clientOrderId}`));
    same('orderId', order.at('orderId'), item.at('orderId'));
    refusedWith(await trader.read('/v1/orders/client/no-such-label'), 404);
  }),
  check('GW-ACCOUNT-15', 'public', async (gate) => {
    refusedWith(await gate.get(`/v1/orders/${NO_ORDER}`), 404);
    for (const id of ['x', '1.5', '-1', '01'])
      refused(await gate.get(`/v1/orders/${id}`), 400, 'InvalidRequest');
  }),
  check('GW-ACCOUNT-16', 'account', async (gate) => {
    const trader = await gate.trader();
    const item = await rest(gate, trader);
    answered((await cancel(trader, gate.market.symbol, [item.text('orderId')])).answer);
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
  check('GW-ACCOUNT-17', 'account', async (gate) => {
    const trader = await gate.trader();
    const ids = [await rest(gate, trader), await rest(gate, trader)].map((item) => item.text('orderId'));
    for (const id of ids) answered((await cancel(trader, gate.market.symbol, [id])).answer);
    const history = answered(await trader.read('/v1/account/orders/history?limit=1')).list('orders');
    same(
      'the newest alone',
      history.map((order) => order.text('orderId')),
      ids.slice(1),
    );
    for (const limit of [0, 1_001, 'x'])
      refused(await trader.read(`/v1/account/orders/history?limit=${limit}`), 400, 'InvalidRequest');
  }),
  check('GW-ACCOUNT-18', 'account', async (gate) => {
    const { address } = await gate.trader();
    const list = answered(await gate.get(`/v1/account/subaccounts?address=${address}`)).list('subaccounts');
    holds(
      'the main account as 0',
      list.some((one) => one.at('subaccount') === 0),
      list,
    );
    refusedWith(await gate.get(`/v1/account/subaccounts?address=${NOBODY}`), 404);
    refusedWith(await gate.get('/v1/account/subaccounts'), 400);
  }),
  check('GW-ACCOUNT-19', 'account', async (gate) => {
    const { value } = answered(await (await gate.trader()).read('/v1/account/withdrawals'));
    holds('a list', Array.isArray((value as { withdrawals?: unknown }).withdrawals), value);
  }),
  check('GW-ACCOUNT-20', 'control', async (gate) => {
    const [maker, taker] = [await gate.trader(), await gate.trader()];
    const size = await sizeOf(gate);
    const { price } = await trade(gate, { maker, taker }, size);
    const long = answered(await taker.read('/v1/account/positions')).part('positions.0');
    const short = answered(await maker.read('/v1/account/positions')).part('positions.0');
    same('sizes', [long.number('size'), short.number('size')], [Number(size), -Number(size)]);
    same('entry price', long.number('entryPrice'), Number(price));
    same('symbol', long.at('symbol'), gate.market.symbol);
  }),
  check('GW-ACCOUNT-21', 'control', async (gate) => {
    const [maker, taker] = [await gate.trader(), await gate.trader()];
    const size = await sizeOf(gate);
    await trade(gate, { maker, taker }, size);
    await trade(gate, { maker: taker, taker: maker }, size);
    same('positions', answered(await taker.read('/v1/account/positions')).list('positions').length, 0);
  }),
  check('GW-ACCOUNT-22', 'control', async (gate) => {
    const [maker, taker] = [await gate.trader(), await gate.trader()];
    await trade(gate, { maker, taker }, await sizeOf(gate, 10));
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
  check('GW-ACCOUNT-23', 'control', async (gate) => {
    const trader = await gate.trader({ amount: '20' });
    const { answer } = await place(gate, trader, [{ size: await sizeOf(gate, 1_000) }]);
    refused(answer, 422, 'InsufficientMargin');
    same('open orders', (await openIds(trader)).length, 0);
  }),
  check('GW-ACCOUNT-24', 'control', async (gate) => {
    const trader = await gate.trader();
    const before = answered(await trader.read('/v1/account')).number('collateral');
    await gate.stage.withdraw(trader.address, '12.5');
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
    await gate.stage.advance(10_000);
    same('acknowledged', await listed(), { ...told, status: 'acked' });
  }),
];
