/** @module Checks of acknowledgements, duplicates and receipts. */
import type { ReceivedAnswer } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import type { SignedWrite, Trader } from '../trader.ts';
import { cancel, NO_ORDER, openIds, place, rest, schedule } from './steps.ts';

const NO_REQUEST = `0x${'ab'.repeat(32)}`;
const SEQUENCED = { query: '?ack=sequenced' } as const;

function receiptOf(
  trader: Trader,
  { requestId, scope, nonce, commandHash }: SignedWrite,
  extra = '',
): Promise<ReceivedAnswer> {
  const hash = scope.startsWith('agent:') ? `&commandHash=${commandHash}` : '';
  return trader.read(`/v1/requests/${requestId}?scope=${scope}&nonce=${nonce}${hash}${extra}`);
}

/** Acknowledgements. */
export const ACK_CHECKS: readonly Check[] = [
  check('GW-ACK-1', 'account', async (probe) => {
    const { sent, answer } = await place(probe, await probe.trader(), [{}], SEQUENCED);
    answered(answer, 202);
    same('the body', [answer.at('status'), answer.at('requestId')], ['sequenced', sent.requestId]);
    holds('a position', answer.number('seq') > 0, answer.value);
  }),
  check('GW-ACK-2', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await place(probe, trader, [{}], SEQUENCED);
    answered(answer, 202);
    const receipt = await probe.eventually('a final receipt', async () => {
      const found = answered(await receiptOf(trader, sent));
      return found.at('status') === 'pending' ? undefined : found;
    });
    same('status', receipt.at('status'), 'executed');
  }),
  check('GW-ACK-3', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const query of ['', '?ack=result']) {
      const { answer } = await place(probe, trader, [{}], { query });
      same('status', answered(answer).at('status'), 'executed');
    }
  }),
  check('GW-ACK-4', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader());
    same('the header', answered(answer).header(`${probe.headerPrefix}seq`), answer.text('seq'));
  }),
  check('GW-ACK-5', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader());
    answered(answer);
    for (const name of ['requestId', 'status', 'epoch', 'seq', 'sub', 'nonceConsumed', 'items'])
      holds(`a field ${name}`, answer.at(name) !== undefined, answer.value);
    same('nonceConsumed', answer.at('nonceConsumed'), true);
  }),
  check('GW-ACK-6', 'control', async (probe) => {
    const trader = await probe.trader();
    await probe.harness.run('durability-lag', { lag: 30_000 });
    const { sent, answer } = await place(probe, trader);
    answered(answer, 202);
    same('requestId', answer.at('requestId'), sent.requestId);
  }),
  check('GW-ACK-7', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await place(probe, trader);
    const again = answered(await trader.send(sent));
    same('duplicate', again.at('duplicate'), true);
    same('seq and items', [again.at('seq'), again.at('items')], [answer.at('seq'), answer.at('items')]);
    same('open orders', (await openIds(trader)).length, 1);
  }),
  check('GW-ACK-8', 'control', async (probe) => {
    const trader = await probe.trader();
    await probe.harness.run('fault', { kind: 'deliverTwice', method: 'POST' });
    const { answer } = await place(probe, trader);
    same('duplicate', answered(answer).at('duplicate'), true);
    same('open orders', (await openIds(trader)).length, 1);
  }),
  check('GW-ACK-9', 'control', async (probe) => {
    const trader = await probe.trader();
    const nowMs = await probe.serverMs();
    const sent = await trader.sign('/v1/orders', { orders: [await probe.farOrder()], nowMs });
    await probe.harness.run('fault', { kind: 'dropResponse', method: 'POST' });
    same('the answer', await probe.tryPost(sent.path, sent.body), undefined);
    same('the receipt', answered(await receiptOf(trader, sent)).at('status'), 'executed');
  }),
  check('GW-ACK-10', 'control', async (probe) => {
    const trader = await probe.trader();
    const sent = await trader.sign('/v1/orders/cancel-all', {});
    await probe.harness.run('fault', { kind: 'dropRequest', method: 'POST' });
    same('the answer', await probe.tryPost(sent.path, sent.body), undefined);
    const receipt = refused(await receiptOf(trader, sent), 404, 'not_found');
    same('details.status', receipt.at('error.details.status'), 'not_found');
  }),
];

/** Receipts. */
export const RECEIPT_CHECKS: readonly Check[] = [
  check('GW-RECEIPT-1', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await place(probe, trader);
    const receipt = answered(await receiptOf(trader, sent));
    same('status', [receipt.at('status'), receipt.at('nonceConsumed')], ['executed', true]);
    for (const name of ['requestId', 'seq', 'sub', 'epoch', 'items'])
      same(name, receipt.at(name), answer.at(name));
  }),
  check('GW-RECEIPT-2', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent } = await place(probe, trader);
    const receipt = answered(await receiptOf(trader, sent));
    same('signer', receipt.at('signer'), trader.agent());
    same(
      'scope and nonce',
      [receipt.at('nonceScope'), receipt.number('nonce')],
      [sent.scope, Number(sent.nonce)],
    );
  }),
  check('GW-RECEIPT-3', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent } = await cancel(trader, probe.market.symbol, [NO_ORDER]);
    const receipt = answered(await receiptOf(trader, sent));
    same('status', [receipt.at('status'), receipt.at('nonceConsumed')], ['rejected', true]);
    same('reason', receipt.at('reason'), 'UnknownOrder');
  }),
  check('GW-RECEIPT-4', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent } = await place(probe, trader, [{}, { reduceOnly: true, timeInForce: 'gtc' }]);
    const items = answered(await receiptOf(trader, sent)).list('items');
    same(
      'states',
      items.map((item) => item.at('state')),
      ['accepted', 'rejected'],
    );
  }),
  check('GW-RECEIPT-5', 'public', async (probe) => {
    const answer = refused(await probe.get(`/v1/requests/${NO_REQUEST}`), 404, 'not_found');
    same('details.status', answer.at('error.details.status'), 'not_found');
    holds('a watermark', answer.number('error.details.asOfSeq') > 0, answer.value);
  }),
  check('GW-RECEIPT-6', 'public', async (probe) => {
    for (const id of ['x', '0x12', `${NO_REQUEST}00`])
      refused(await probe.get(`/v1/requests/${id}`), 400, 'InvalidRequest');
  }),
  check('GW-RECEIPT-7', 'public', async (probe) => {
    for (const query of ['scope=account:1', 'nonce=1', 'scope=x&nonce=1', 'scope=account:1&nonce=x'])
      refused(await probe.get(`/v1/requests/${NO_REQUEST}?${query}`), 400, 'InvalidRequest');
  }),
  check('GW-RECEIPT-8', 'account', async (probe) => {
    const trader = await probe.trader();
    const agent = `scope=agent:${trader.agent()}&nonce=1`;
    const bad = [`scope=account:1&nonce=1&commandHash=${NO_REQUEST}`, `${agent}&commandHash=0x12`];
    for (const query of bad)
      refused(await probe.get(`/v1/requests/${NO_REQUEST}?${query}`), 400, 'InvalidRequest');
  }),
  check('GW-RECEIPT-9', 'account', async (probe) => {
    const trader = await probe.trader();
    const winner = await schedule(probe, trader, 0);
    answered(winner.answer);
    const loser = await trader.sign('/v1/orders/cancel-all', {}, { nonce: winner.sent.nonce });
    const answer = refused(await receiptOf(trader, loser), 409, 'conflict');
    const details = answer.part('error.details');
    same(
      'details',
      [details.at('status'), details.at('conflictingRequest')],
      ['conflict', winner.sent.requestId],
    );
    same(
      'scope and nonce',
      [details.at('nonceScope'), details.number('nonce')],
      [loser.scope, Number(loser.nonce)],
    );
  }),
  check('GW-RECEIPT-10', 'account', async (probe) => {
    const trader = await probe.trader();
    const winner = await schedule(probe, trader, 0);
    const loser = await place(probe, trader, [{}], { nonce: winner.sent.nonce });
    refused(loser.answer, 409, 'NonceMismatch');
    refused(await receiptOf(trader, loser.sent), 409, 'conflict');
  }),
  check('GW-RECEIPT-11', 'account', async (probe) => {
    const trader = await probe.trader();
    const { sent } = await schedule(probe, trader, 0);
    const wrong = answered(
      await receiptOf(trader, {
        ...sent,
        requestId: sent.requestId.toUpperCase().replace('0X', '0x') as typeof sent.requestId,
      }),
    );
    same('requestId', wrong.at('requestId'), sent.requestId);
  }),
  check('GW-RECEIPT-12', 'control', async (probe) => {
    const trader = await probe.trader();
    await probe.harness.run('durability-lag', { lag: 30_000 });
    const { sent, answer } = await place(probe, trader, [{}], SEQUENCED);
    answered(answer, 202);
    same('status', answered(await receiptOf(trader, sent)).at('status'), 'pending');
    await probe.harness.run('durability-lag', { lag: 0 });
    same('status later', answered(await receiptOf(trader, sent)).at('status'), 'executed');
  }),
  check('GW-RECEIPT-13', 'control', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await place(probe, trader);
    const seq = answered(answer).number('seq');
    await probe.harness.run('history-gaps', { gaps: [{ first: seq, last: seq }] });
    const hidden = refused(await receiptOf(trader, sent), 503, 'history_unavailable');
    same('details.status', hidden.at('error.details.status'), 'history_unavailable');
    same('gaps', hidden.at('error.details.gaps'), [{ first: seq, last: seq }]);
  }),
  check('GW-RECEIPT-14', 'control', async (probe) => {
    const trader = await probe.trader();
    const { sent, answer } = await place(probe, trader);
    const seq = answered(answer).number('seq') - 1;
    await probe.harness.run('history-gaps', { gaps: [{ first: seq, last: seq }] });
    same('status', answered(await receiptOf(trader, sent)).at('status'), 'executed');
  }),
  check('GW-RECEIPT-15', 'control', async (probe) => {
    const trader = await probe.trader();
    await probe.harness.run('history-gaps', { gaps: [{ first: 1, last: 1 }] });
    const open = await trader.sign('/v1/orders/cancel-all', {});
    const answer = refused(await receiptOf(trader, open), 404, 'not_found');
    const details = answer.part('error.details');
    same('basis', [details.at('basis'), details.number('nextNonce')], ['agent_nonce', Number(open.nonce)]);
    refused(await probe.get(`/v1/requests/${open.requestId}`), 503, 'history_unavailable');
  }),
  check('GW-RECEIPT-16', 'account', async (probe) => {
    const trader = await probe.trader();
    const sent = await trader.sign('/v1/orders/cancel-all', {}, { forgedBy: probe.freshKey() });
    refusedWith(await trader.send(sent), 401);
    refused(await receiptOf(trader, sent), 404, 'not_found');
  }),
  check('GW-RECEIPT-17', 'account', async (probe) => {
    const trader = await probe.trader();
    await rest(probe, trader);
    const nonce = BigInt((await trader.nonceRecord()).text('nonce')) + 3n;
    const early = await trader.write('/v1/orders/cancel-all', {}, { nonce });
    refused(early.answer, 409, 'NonceMismatch');
    const receipt = answered(await receiptOf(trader, early.sent));
    same('not final', [receipt.at('status'), receipt.at('nonceConsumed')], ['rejected', false]);
  }),
  check('GW-RECEIPT-18', 'control', async (probe) => {
    const trader = await probe.trader();
    const { sent } = await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' });
    const receipt = answered(await receiptOf(trader, sent));
    same('the receipt', [receipt.at('status'), receipt.at('signer')], ['executed', trader.address]);
  }),
];
