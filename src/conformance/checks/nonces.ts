/** @module Checks of nonce records and of the envelope of writes. */
import { parseJson } from '../../core/index.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import type { Gate } from '../gate.ts';
import type { SignedWrite, Trader, WriteOptions } from '../trader.ts';
import { cancel, NO_ORDER, place } from './steps.ts';

const next = async (trader: Trader, by: number | 'wallet' = 0, subaccount?: number): Promise<number> =>
  (await trader.nonceRecord(by, subaccount)).number('nonce');

/** A harmless write: cancel-all. */
const harmless = (trader: Trader, options: WriteOptions = {}) =>
  trader.write('/v1/orders/cancel-all', {}, options);

/** Nonces. */
export const NONCES: readonly Check[] = [
  check('GW-NONCE-1', 'account', async (gate) => {
    const record = await (await gate.trader()).nonceRecord();
    for (const name of ['nonce', 'signingAccountId', 'scope'])
      holds(`a field ${name}`, record.at(name) !== undefined, record.value);
  }),
  check('GW-NONCE-2', 'account', async (gate) => {
    const record = await (await gate.trader()).nonceRecord('wallet');
    same('scope', record.at('scope'), `account:${record.text('signingAccountId')}`);
  }),
  check('GW-NONCE-3', 'account', async (gate) => {
    const trader = await gate.trader();
    same('scope', (await trader.nonceRecord()).at('scope'), `agent:${trader.agent()}`);
  }),
  check('GW-NONCE-4', 'control', async (gate) => {
    same('the first nonce', await next(await gate.trader()), 0);
  }),
  check('GW-NONCE-5', 'account', async (gate) => {
    const trader = await gate.trader();
    const before = [await next(trader), await next(trader, 'wallet')];
    answered((await harmless(trader)).answer);
    same('nonces', [await next(trader), await next(trader, 'wallet')], [(before[0] ?? 0) + 1, before[1]]);
  }),
  check('GW-NONCE-6', 'account', async (gate) => {
    const trader = await gate.trader();
    const { sent } = await harmless(trader);
    const stale = await place(gate, trader, [{}], { nonce: sent.nonce });
    refused(stale.answer, 409, 'NonceMismatch');
    same('the next nonce', await next(trader), Number(sent.nonce) + 1);
  }),
  check('GW-NONCE-7', 'account', async (gate) => {
    const trader = await gate.trader();
    const before = await next(trader);
    refused((await harmless(trader, { nonce: BigInt(before) + 1n })).answer, 409, 'NonceMismatch');
    same('the next nonce', await next(trader), before);
  }),
  check('GW-NONCE-8', 'account', async (gate) => {
    const trader = await gate.trader();
    const before = await next(trader);
    const { answer } = await cancel(trader, gate.market.symbol, [NO_ORDER]);
    refused(answer, 422, 'UnknownOrder');
    same('details.nonceConsumed', answer.at('error.details.nonceConsumed'), true);
    same('the next nonce', await next(trader), before + 1);
  }),
  check('GW-NONCE-9', 'account', async (gate) => {
    const trader = await gate.trader();
    const before = await next(trader);
    refusedWith((await harmless(trader, { forgedBy: gate.freshKey() })).answer, 401);
    same('the next nonce', await next(trader), before);
  }),
  check('GW-NONCE-10', 'control', async (gate) => {
    const trader = await gate.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const main = await trader.nonceRecord('wallet', 0);
    const sub = await trader.nonceRecord('wallet', 1);
    holds('two ids', main.at('signingAccountId') !== sub.at('signingAccountId'), sub.value);
    same('the first nonce of the subaccount', sub.number('nonce'), 0);
    same('its scope', sub.at('scope'), `account:${sub.text('signingAccountId')}`);
  }),
  check('GW-NONCE-11', 'control', async (gate) => {
    const trader = await gate.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const grant = { agent: trader.agent(), validUntilMs: 0 };
    const approved = await trader.write('/v1/account/agents/approve', grant, { by: 'wallet', subaccount: 1 });
    answered(approved.answer);
    answered((await harmless(trader)).answer);
    same('the nonce of the wallet on the subaccount', await next(trader, 0, 1), await next(trader, 0, 0));
    answered((await harmless(trader, { subaccount: 1, nonce: BigInt(await next(trader)) })).answer);
    same('the next nonce', await next(trader), 2);
  }),
  check('GW-NONCE-12', 'account', async (gate) => {
    const { address } = await gate.trader();
    for (const signer of ['x', '0x12'])
      refused(await gate.get(`/v1/account/nonce?address=${address}&signer=${signer}`), 400, 'InvalidRequest');
  }),
  check('GW-NONCE-13', 'account', async (gate) => {
    const trader = await gate.trader();
    const { sent } = await harmless(trader);
    const { answer } = await place(gate, trader, [{}], { nonce: sent.nonce });
    const details = answer.part('error.details');
    same('the winner', details.at('conflictingRequest'), sent.requestId);
    same(
      'scope and next nonce',
      [details.at('nonceScope'), details.number('nextNonce')],
      [sent.scope, Number(sent.nonce) + 1],
    );
  }),
];

/** The body of a signed write with other fields; `undefined` takes one away. */
function altered({ body }: SignedWrite, fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(parseJson(body) as object), ...fields });
}

async function refusesFields(gate: Gate, field: string, values: readonly unknown[]): Promise<void> {
  const trader = await gate.trader();
  const sent = await trader.sign('/v1/orders/cancel-all', {});
  for (const value of values)
    refused(await gate.post(sent.path, altered(sent, { [field]: value })), 400, 'InvalidRequest');
  trader.forgetNonces();
}

async function refusesBody(gate: Gate, path: string, bodies: readonly object[]): Promise<void> {
  const trader = await gate.trader();
  for (const body of bodies) refusedWith((await trader.write(path, body)).answer, 400);
}

/** The envelope. */
export const ENVELOPE: readonly Check[] = [
  check('GW-ENVELOPE-1', 'account', (gate) => refusesFields(gate, 'account', [undefined, null, '0x12', 7])),
  check('GW-ENVELOPE-2', 'account', (gate) =>
    refusesFields(gate, 'nonce', [undefined, null, -1, 1.5, '1', 'x']),
  ),
  check('GW-ENVELOPE-3', 'account', (gate) =>
    refusesFields(gate, 'signature', [undefined, null, '0x', `0x${'1'.repeat(128)}`]),
  ),
  check('GW-ENVELOPE-4', 'account', (gate) => refusesFields(gate, 'signer', [null, '0x12', 7])),
  check('GW-ENVELOPE-5', 'account', (gate) => refusesFields(gate, 'subaccount', [null, -1, 1.5, 'x'])),
  check('GW-ENVELOPE-6', 'account', async (gate) => {
    const sent = await (await gate.trader()).sign('/v1/orders/cancel-all', {});
    refused(await gate.post(sent.path, altered(sent, { subaccount: 0, vault: '1' })), 400, 'InvalidRequest');
  }),
  check('GW-ENVELOPE-7', 'account', async (gate) => {
    const sent = await (await gate.trader()).sign('/v1/orders/cancel-all', {});
    refusedWith(await gate.post(sent.path, altered(sent, { vault: '4000000000' })), 404);
  }),
  check('GW-ENVELOPE-8', 'account', (gate) => refusesFields(gate, 'something', [1, null, {}])),
  check('GW-ENVELOPE-9', 'public', async (gate) => {
    for (const body of ['', '{', 'null', '[]', '7', '"text"'])
      refused(await gate.post('/v1/orders', body), 400, 'InvalidRequest');
  }),
  check('GW-ENVELOPE-10', 'account', async (gate) => {
    const sent = await (await gate.trader()).sign('/v1/orders/cancel-all', {});
    const nobody = '0x00000000000000000000000000000000deadbeef';
    refused(await gate.post(sent.path, altered(sent, { account: nobody })), 400, 'UnknownTrader');
  }),
  check('GW-ENVELOPE-11', 'account', async (gate) => {
    const order = await gate.farOrder();
    await refusesBody(gate, '/v1/orders', [
      { orders: [order] },
      { orders: [order], nowMs: -1 },
      { orders: [order], nowMs: '1' },
    ]);
    await refusesBody(gate, '/v1/orders/replace', [{ cancels: [], orders: [order] }]);
    await refusesBody(gate, '/v1/orders/schedule-cancel', [{ triggerMs: 0 }]);
  }),
  check('GW-ENVELOPE-12', 'account', async (gate) => {
    const nowMs = await gate.serverMs();
    await refusesBody(gate, '/v1/orders', [{ orders: null, nowMs }, { nowMs }]);
    await refusesBody(gate, '/v1/orders/cancel', [{ orders: null }, {}]);
    await refusesBody(gate, '/v1/orders/replace', [{ cancels: null, orders: [], nowMs }]);
  }),
  check('GW-ENVELOPE-13', 'account', async (gate) => {
    const order = await gate.farOrder();
    const orders = Array.from({ length: 201 }, () => order);
    await refusesBody(gate, '/v1/orders', [{ orders, nowMs: await gate.serverMs() }]);
  }),
  check('GW-ENVELOPE-14', 'account', async (gate) => {
    const order = await gate.farOrder();
    const nowMs = await gate.serverMs();
    await refusesBody(gate, '/v1/orders', [{ orders: [order, order], nowMs, expiresAt: nowMs + 60_000 }]);
  }),
  check('GW-ENVELOPE-15', 'account', async (gate) => {
    const trader = await gate.trader();
    refused((await harmless(trader, { query: '?ack=maybe' })).answer, 400, 'InvalidRequest');
  }),
  check('GW-ENVELOPE-16', 'account', async (gate) => {
    const trader = await gate.trader();
    const sent = await trader.sign('/v1/orders/cancel-all', {});
    const upper = `0x${trader.address.slice(2).toUpperCase()}`;
    const answer = answered(await gate.post(sent.path, altered(sent, { account: upper })));
    same('requestId', answer.at('requestId'), sent.requestId);
  }),
  check('GW-ENVELOPE-17', 'public', async (gate) => {
    refusedWith(await gate.post('/v1/orders', `{"x":"${'x'.repeat(1_100_000)}"}`), 400);
  }),
  check('GW-ENVELOPE-18', 'account', async (gate) => {
    const order = await gate.farOrder();
    const nowMs = await gate.serverMs();
    const { side: _side, ...without } = order;
    const bad: readonly object[] = [
      without,
      { ...order, side: 'long' },
      { ...order, timeInForce: 'GTC' },
      { ...order, reduceOnly: 'no' },
      { ...order, price: Number(order.price) },
      { ...order, price: '1e5' },
      { ...order, size: '-1' },
      { ...order, price: '0' },
      { ...order, clientOrderId: 'x'.repeat(65) },
      { ...order, leverage: 5 },
    ];
    await refusesBody(
      gate,
      '/v1/orders',
      bad.map((one) => ({ orders: [one], nowMs })),
    );
  }),
];
