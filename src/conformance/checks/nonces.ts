/** @module Checks of nonce records and of the envelope of writes. */
import { parseJson } from '../../core/index.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import type { Probe } from '../probe.ts';
import type { SignedWrite, Trader, TraderWriteOptions } from '../trader.ts';
import { cancel, NO_ORDER, place } from './steps.ts';

const next = async (trader: Trader, by: number | 'wallet' = 0, subaccount?: number): Promise<number> =>
  (await trader.nonceRecord(by, subaccount)).number('nonce');

/** A harmless write: cancel-all. */
const harmless = (trader: Trader, options: TraderWriteOptions = {}) =>
  trader.write('/v1/orders/cancel-all', {}, options);

/** Nonces. */
export const NONCE_CHECKS: readonly Check[] = [
  check('GW-NONCE-1', 'account', async (probe) => {
    const record = await (await probe.trader()).nonceRecord();
    for (const name of ['nonce', 'signingAccountId', 'scope'])
      holds(`a field ${name}`, record.at(name) !== undefined, record.value);
  }),
  check('GW-NONCE-2', 'account', async (probe) => {
    const record = await (await probe.trader()).nonceRecord('wallet');
    same('scope', record.at('scope'), `account:${record.text('signingAccountId')}`);
  }),
  check('GW-NONCE-3', 'account', async (probe) => {
    const trader = await probe.trader();
    same('scope', (await trader.nonceRecord()).at('scope'), `agent:${trader.agent()}`);
  }),
  check('GW-NONCE-4', 'control', async (probe) => {
    same('the first nonce', await next(await probe.trader()), 0);
  }),
  check('GW-NONCE-5', 'account', async (probe) => {
    const trader = await probe.trader();
    const before = [await next(trader), await next(trader, 'wallet')];
    answered((await harmless(trader)).answer);
    same('nonces', [await next(trader), await next(trader, 'wallet')], [(before[0] ?? 0) + 1, before[1]]);
  }),
  check('GW-NONCE-6', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent } = await harmless(trader);
    const stale = await place(probe, trader, [{}], { nonce: sent.nonce });
    refused(stale.answer, 409, 'NonceMismatch');
    same('the next nonce', await next(trader), Number(sent.nonce) + 1);
  }),
  check('GW-NONCE-7', 'account', async (probe) => {
    const trader = await probe.trader();
    const before = await next(trader);
    refused((await harmless(trader, { nonce: BigInt(before) + 1n })).answer, 409, 'NonceMismatch');
    same('the next nonce', await next(trader), before);
  }),
  check('GW-NONCE-8', 'account', async (probe) => {
    const trader = await probe.trader();
    const before = await next(trader);
    const { answer } = await cancel(trader, probe.market.symbol, [NO_ORDER]);
    refused(answer, 422, 'UnknownOrder');
    same('details.nonceConsumed', answer.at('error.details.nonceConsumed'), true);
    same('the next nonce', await next(trader), before + 1);
  }),
  check('GW-NONCE-9', 'account', async (probe) => {
    const trader = await probe.trader();
    const before = await next(trader);
    refusedWith((await harmless(trader, { forgedBy: probe.freshKey() })).answer, 401);
    same('the next nonce', await next(trader), before);
  }),
  check('GW-NONCE-10', 'control', async (probe) => {
    const trader = await probe.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const main = await trader.nonceRecord('wallet', 0);
    const sub = await trader.nonceRecord('wallet', 1);
    holds('two ids', main.at('signingAccountId') !== sub.at('signingAccountId'), sub.value);
    same('the first nonce of the subaccount', sub.number('nonce'), 0);
    same('its scope', sub.at('scope'), `account:${sub.text('signingAccountId')}`);
  }),
  check('GW-NONCE-11', 'control', async (probe) => {
    const trader = await probe.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const grant = { agent: trader.agent(), validUntilMs: 0 };
    const approved = await trader.write('/v1/account/agents/approve', grant, { by: 'wallet', subaccount: 1 });
    answered(approved.answer);
    answered((await harmless(trader)).answer);
    same('the nonce of the wallet on the subaccount', await next(trader, 0, 1), await next(trader, 0, 0));
    answered((await harmless(trader, { subaccount: 1, nonce: BigInt(await next(trader)) })).answer);
    same('the next nonce', await next(trader), 2);
  }),
  check('GW-NONCE-12', 'account', async (probe) => {
    const { address } = await probe.trader();
    for (const signer of ['x', '0x12'])
      refused(
        await probe.get(`/v1/account/nonce?address=${address}&signer=${signer}`),
        400,
        'InvalidRequest',
      );
  }),
  check('GW-NONCE-13', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent } = await harmless(trader);
    const { answer } = await place(probe, trader, [{}], { nonce: sent.nonce });
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

async function refusesFields(probe: Probe, field: string, values: readonly unknown[]): Promise<void> {
  const trader = await probe.trader();
  const sent = await trader.sign('/v1/orders/cancel-all', {});
  for (const value of values)
    refused(await probe.post(sent.path, altered(sent, { [field]: value })), 400, 'InvalidRequest');
  trader.forgetNonces();
}

async function refusesBody(probe: Probe, path: string, bodies: readonly object[]): Promise<void> {
  const trader = await probe.trader();
  for (const body of bodies) refusedWith((await trader.write(path, body)).answer, 400);
}

/** The envelope. */
export const ENVELOPE_CHECKS: readonly Check[] = [
  check('GW-ENVELOPE-1', 'account', (probe) => refusesFields(probe, 'account', [undefined, null, '0x12', 7])),
  check('GW-ENVELOPE-2', 'account', (probe) =>
    refusesFields(probe, 'nonce', [undefined, null, -1, 1.5, '1', 'x']),
  ),
  check('GW-ENVELOPE-3', 'account', (probe) =>
    refusesFields(probe, 'signature', [undefined, null, '0x', `0x${'1'.repeat(128)}`]),
  ),
  check('GW-ENVELOPE-4', 'account', (probe) => refusesFields(probe, 'signer', [null, '0x12', 7])),
  check('GW-ENVELOPE-5', 'account', (probe) => refusesFields(probe, 'subaccount', [null, -1, 1.5, 'x'])),
  check('GW-ENVELOPE-6', 'account', async (probe) => {
    const sent = await (await probe.trader()).sign('/v1/orders/cancel-all', {});
    refused(await probe.post(sent.path, altered(sent, { subaccount: 0, vault: '1' })), 400, 'InvalidRequest');
  }),
  check('GW-ENVELOPE-7', 'account', async (probe) => {
    const sent = await (await probe.trader()).sign('/v1/orders/cancel-all', {});
    refusedWith(await probe.post(sent.path, altered(sent, { vault: '4000000000' })), 404);
  }),
  check('GW-ENVELOPE-8', 'account', (probe) => refusesFields(probe, 'something', [1, null, {}])),
  check('GW-ENVELOPE-9', 'public', async (probe) => {
    for (const body of ['', '{', 'null', '[]', '7', '"text"'])
      refused(await probe.post('/v1/orders', body), 400, 'InvalidRequest');
  }),
  check('GW-ENVELOPE-10', 'account', async (probe) => {
    const sent = await (await probe.trader()).sign('/v1/orders/cancel-all', {});
    const nobody = '0x00000000000000000000000000000000deadbeef';
    refused(await probe.post(sent.path, altered(sent, { account: nobody })), 400, 'UnknownTrader');
  }),
  check('GW-ENVELOPE-11', 'account', async (probe) => {
    const order = await probe.farOrder();
    await refusesBody(probe, '/v1/orders', [
      { orders: [order] },
      { orders: [order], nowMs: -1 },
      { orders: [order], nowMs: '1' },
    ]);
    await refusesBody(probe, '/v1/orders/replace', [{ cancels: [], orders: [order] }]);
    await refusesBody(probe, '/v1/orders/schedule-cancel', [{ triggerMs: 0 }]);
  }),
  check('GW-ENVELOPE-12', 'account', async (probe) => {
    const nowMs = await probe.serverMs();
    await refusesBody(probe, '/v1/orders', [{ orders: null, nowMs }, { nowMs }]);
    await refusesBody(probe, '/v1/orders/cancel', [{ orders: null }, {}]);
    await refusesBody(probe, '/v1/orders/replace', [{ cancels: null, orders: [], nowMs }]);
  }),
  check('GW-ENVELOPE-13', 'account', async (probe) => {
    const order = await probe.farOrder();
    const orders = Array.from({ length: 201 }, () => order);
    await refusesBody(probe, '/v1/orders', [{ orders, nowMs: await probe.serverMs() }]);
  }),
  check('GW-ENVELOPE-14', 'account', async (probe) => {
    const order = await probe.farOrder();
    const nowMs = await probe.serverMs();
    await refusesBody(probe, '/v1/orders', [{ orders: [order, order], nowMs, expiresAt: nowMs + 60_000 }]);
  }),
  check('GW-ENVELOPE-15', 'account', async (probe) => {
    const trader = await probe.trader();
    refused((await harmless(trader, { query: '?ack=maybe' })).answer, 400, 'InvalidRequest');
  }),
  check('GW-ENVELOPE-16', 'account', async (probe) => {
    const trader = await probe.trader();
    const sent = await trader.sign('/v1/orders/cancel-all', {});
    const upper = `0x${trader.address.slice(2).toUpperCase()}`;
    const answer = answered(await probe.post(sent.path, altered(sent, { account: upper })));
    same('requestId', answer.at('requestId'), sent.requestId);
  }),
  check('GW-ENVELOPE-17', 'public', async (probe) => {
    refusedWith(await probe.post('/v1/orders', `{"x":"${'x'.repeat(1_100_000)}"}`), 400);
  }),
  check('GW-ENVELOPE-18', 'account', async (probe) => {
    const order = await probe.farOrder();
    const nowMs = await probe.serverMs();
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
      probe,
      '/v1/orders',
      bad.map((one) => ({ orders: [one], nowMs })),
    );
  }),
];
