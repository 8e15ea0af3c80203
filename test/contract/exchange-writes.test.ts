import { describe, expect, test } from 'vitest';
import { quantums } from '../../src/domain/index.ts';
import { type Answer, anOrder, startTestExchange, type TestExchange } from '../support/test-exchange.ts';

const crossing = { side: 'sell', price: '90000.0', timeInForce: 'ioc' };

function receiptOf(
  venue: TestExchange,
  { requestId, scope, nonce }: { requestId: string; scope: string; nonce: bigint },
): Answer {
  return venue.get(`/v1/requests/${requestId}?scope=${scope}&nonce=${nonce}`);
}

/** A second funded wallet's resting order, so that there is somebody to trade with. */
function restingSell(venue: TestExchange, price: string, size = '0.0100'): Answer {
  return venue.place([{ side: 'sell', price, size }], { by: 1 });
}

describe('checks of a write, in order (GW-SIGN-ORDER)', () => {
  test('a signature of another key is refused before anything else is looked at', async () => {
    const venue = await startTestExchange();
    const stranger = venue.account.key;
    const answer = venue.place([{ symbol: 'BTC-USD', price: '1.0' }], { forgedBy: stranger, nonce: 99n });
    expect(answer.status).toBe(401);
    expect(answer.json.error.code).toBe('GatewayBadSignature');
  });

  test('JSON that differs from the signed command is a bad signature', async () => {
    const venue = await startTestExchange();
    const { text } = venue.signed('/v1/orders', {
      orders: [anOrder()],
      nowMs: venue.nowMs,
    });
    const tampered = venue.post('/v1/orders', text.replace('90000.0', '90000.1'));
    expect([tampered.status, tampered.json.error.code]).toEqual([401, 'GatewayBadSignature']);
  });

  test('registration comes before validity, validity before the nonce; each is named (GW-GRANT)', async () => {
    const venue = await startTestExchange();
    const { agent } = venue;
    venue.exchange.control.revoke({ account: venue.address, agent });
    expect(venue.place([{}], { nonce: 77n }).json.error.code).toBe('UnknownAgent');
    venue.exchange.control.approve({ account: venue.address, agent, validUntilMs: venue.nowMs + 50 });
    venue.blocks(1);
    expect(venue.place([{}], { nonce: 77n }).json.error.code).toBe('AgentExpired');
    venue.exchange.control.approve({ account: venue.address, agent });
    expect(venue.place([{}], { nonce: 77n }).json.error.code).toBe('NonceMismatch');
  });

  test('ownership comes before the nonce: a main wallet signs for its own accounts alone', async () => {
    const venue = await startTestExchange();
    const other = venue.another();
    const { text } = venue.signed('/v1/orders/cancel-all', {}, { by: 'wallet', nonce: 77n });
    const foreign = venue.post('/v1/orders/cancel-all', text.replace(venue.address, other.address));
    expect([foreign.status, foreign.json.error.code]).toEqual([401, 'GatewayBadSignature']);
    const agentOfOther = venue.signed('/v1/orders/cancel-all', {}, { nonce: 77n }).text;
    const unknown = venue.post('/v1/orders/cancel-all', agentOfOther.replace(venue.address, other.address));
    expect([unknown.status, unknown.json.error.code]).toEqual([401, 'GatewayBadSignature']);
    expect(venue.nextNonce(`agent:${venue.agent}`)).toBe(0n);
  });

  test('the nonce comes before business: an order that would be rejected does not consume a wrong one', async () => {
    const venue = await startTestExchange();
    const doomed = { price: '100.0', size: '900000.0000' };
    const early = venue.place([doomed], { nonce: 4n });
    expect([early.status, early.json.error.code]).toEqual([409, 'NonceMismatch']);
    const late = venue.place([doomed], { nonce: 0n });
    expect(late.json.error).toMatchObject({ code: 'InsufficientMargin', details: { nonceConsumed: true } });
    venue.forgetNonces();
    expect(venue.nextNonce(`agent:${venue.agent}`)).toBe(1n);
  });

  test('an API wallet cannot manage grants', async () => {
    const venue = await startTestExchange();
    const { text } = venue.signed('/v1/orders/cancel-all', {});
    const approve = JSON.stringify({ ...JSON.parse(text), agent: venue.address, validUntilMs: 0 });
    const answer = venue.post('/v1/account/agents/approve', approve);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'AgentScopeViolation']);
  });

  test('a wallet without an account is told to deposit first', async () => {
    const venue = await startTestExchange();
    const [stranger] = venue.exchange.control.seedAccounts(9).slice(-1);
    const { text } = venue.signed('/v1/orders/cancel-all', {}, { by: 'wallet' });
    const answer = venue.post('/v1/orders/cancel-all', text.replace(venue.address, stranger?.address ?? ''));
    expect([answer.status, answer.json.error.code]).toEqual([400, 'UnknownTrader']);
  });
});

describe('nonces', () => {
  test('a fresh API wallet begins at 0 and stale or skipped nonces leave the counter alone (GW-NONCE-STRICT)', async () => {
    const venue = await startTestExchange();
    const skipped = venue.place([{}], { nonce: 1n });
    expect([skipped.status, skipped.json.error.code]).toEqual([409, 'NonceMismatch']);
    expect(skipped.json.error.details).toMatchObject({ nonceConsumed: false, nextNonce: 0 });
    const first = venue.place([{}], { nonce: 0n });
    expect(first.status).toBe(200);
    const stale = venue.place([{ price: '90001.0' }], { nonce: 0n });
    expect(stale.json.error.code).toBe('NonceMismatch');
    expect(stale.json.error.details.conflictingRequest).toBe(first.json.requestId);
    expect(venue.place([{}], { nonce: 1n }).status).toBe(200);
  });

  test('a business rejection consumes the nonce (GW-NONCE-CONSUMED)', async () => {
    const venue = await startTestExchange();
    const late = venue.write(
      '/v1/orders/schedule-cancel',
      { triggerMs: 5, nowMs: venue.nowMs },
      { nonce: 0n },
    );
    expect([late.status, late.json.error.code]).toEqual([422, 'InvalidScheduleCancel']);
    expect(late.json.error.details.nonceConsumed).toBe(true);
    expect(venue.place([{}], { nonce: 1n }).status).toBe(200);
  });

  test('the counter of an API wallet survives revoking and approving again (GW-NONCE-SURVIVES)', async () => {
    const venue = await startTestExchange();
    const { agent } = venue;
    venue.place([{}]);
    venue.exchange.control.revoke({ account: venue.address, agent });
    venue.exchange.control.approve({ account: venue.address, agent });
    const stale = venue.place([{ price: '90001.0' }], { nonce: 0n });
    expect(stale.json.error.code).toBe('NonceMismatch');
    expect(venue.place([{}], { nonce: 1n }).status).toBe(200);
  });

  test('one API wallet has one counter over all accounts it acts for, each account has its own', async () => {
    const venue = await startTestExchange();
    const { agent } = venue;
    const { control } = venue.exchange;
    const subaccount = control.subaccount({ account: venue.address }).subaccount;
    control.fund({ account: venue.address, amount: quantums(1_000_000_000n), subaccount });
    control.approve({ account: venue.address, agent, subaccount });
    expect(venue.place([{}], { nonce: 0n }).status).toBe(200);
    expect(venue.place([{}], { nonce: 1n, subaccount }).status).toBe(200);
    const nonce = (query: string) => venue.get(`/v1/account/nonce?address=${venue.address}${query}`).json;
    expect(nonce(`&signer=${agent}`)).toMatchObject({ nonce: 2, scope: `agent:${agent}` });
    const main = nonce('');
    const sub = nonce(`&subaccount=${subaccount}`);
    expect(main.scope).toBe(`account:${main.signingAccountId}`);
    expect(sub.scope).toBe(`account:${sub.signingAccountId}`);
    expect([main.nonce, sub.nonce]).toEqual([3, 1]);
  });

  test('the same signed request again is answered with its first outcome and not executed (GW-DUPLICATE)', async () => {
    const venue = await startTestExchange();
    const order = {
      orders: [anOrder()],
      nowMs: venue.nowMs,
    };
    const { text, requestId } = venue.signed('/v1/orders', order);
    const first = venue.post('/v1/orders', text);
    venue.blocks(3);
    const again = venue.post('/v1/orders', text);
    expect(again.json).toEqual({ ...first.json, duplicate: true });
    expect(again.headers['x-svc-seq']).toBe(first.headers['x-svc-seq']);
    expect(first.json.requestId).toBe(requestId);
    const open = venue.get(`/v1/account/orders?address=${venue.address}`).json;
    expect(open.orders).toHaveLength(1);
  });
});

describe('answers', () => {
  test('ack=sequenced is 202 with the request id, ack=result the outcome (GW-ACK)', async () => {
    const venue = await startTestExchange();
    const answer = venue.place([{}], { query: '?ack=sequenced' });
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ status: 'sequenced', seq: Number(answer.headers['x-svc-seq']) });
    expect(venue.get(`/v1/requests/${answer.json.requestId}`).json.status).toBe('executed');
    expect(venue.place([{}], { query: '?ack=perhaps' }).json.error.code).toBe('InvalidRequest');
  });

  test('a result that does not come in time is 202, then pending, then executed (GW-ACK, GW-RECEIPT)', async () => {
    const venue = await startTestExchange({ durabilityLagMs: 3_000 });
    const order = {
      orders: [anOrder()],
      nowMs: venue.nowMs,
    };
    const sent = venue.signed('/v1/orders', order);
    const answer = await venue.postLater('/v1/orders', sent.text, 1_100);
    expect(answer).toMatchObject({ status: 202, json: { status: 'sequenced', requestId: sent.requestId } });
    expect(receiptOf(venue, sent).json).toMatchObject({
      status: 'pending',
      nonceScope: sent.scope,
      nonce: 0,
    });
    venue.clock.advance(2_500);
    const receipt = receiptOf(venue, sent);
    expect(receipt.json).toMatchObject({ status: 'executed', nonceConsumed: true, sub: 0 });
    expect(receipt.json.items).toHaveLength(1);
  });

  test('each item of a batch has its own outcome, cancels and places numbered apart (GW-ITEMS, GW-REPLACE)', async () => {
    const venue = await startTestExchange();
    const placed = venue.place([{ price: '90000.0' }, { price: '89000.0' }]);
    const [first] = placed.json.items;
    restingSell(venue, '100010.0');
    const replaced = venue.write('/v1/orders/replace', {
      cancels: [
        { symbol: 'BTC-USD', orderId: '123' },
        { symbol: 'BTC-USD', orderId: first.orderId },
      ],
      orders: [
        {
          symbol: 'BTC-USD',
          side: 'buy',
          price: '90500.0',
          size: '0.0200',
          timeInForce: 'postOnly',
          reduceOnly: false,
          clientOrderId: 'a/1',
        },
        {
          symbol: 'BTC-USD',
          side: 'buy',
          price: '100020.0',
          size: '0.0100',
          timeInForce: 'postOnly',
          reduceOnly: false,
        },
      ],
      nowMs: venue.nowMs,
    });
    expect(replaced.status).toBe(200);
    expect(replaced.json).toMatchObject({ status: 'executed', batchStatus: 'partial', nonceConsumed: true });
    expect(replaced.json.items).toMatchObject([
      { inputIndex: 0, kind: 'cancel', state: 'rejected', reason: 'UnknownOrder', orderId: '123' },
      { inputIndex: 1, kind: 'cancel', state: 'canceled', orderId: first.orderId, canceledSize: '0.0100' },
      {
        inputIndex: 0,
        kind: 'place',
        state: 'accepted',
        size: '0.0200',
        filledSize: '0.0000',
        resting: true,
        clientOrderId: 'a/1',
      },
      { inputIndex: 1, kind: 'place', state: 'rejected', reason: 'PostOnlyWouldCross' },
    ]);
    const seq = BigInt(replaced.json.seq);
    expect(BigInt(replaced.json.items[2].orderId)).toBe((seq << 16n) | 2n);
  });

  test('a batch of which every item is rejected is 200 with rejected and its items', async () => {
    const venue = await startTestExchange();
    const answer = venue.write('/v1/orders/cancel', {
      orders: [
        { symbol: 'BTC-USD', orderId: '1' },
        { symbol: 'BTC-USD', orderId: '2' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      status: 'rejected',
      batchStatus: 'none',
      reason: 'UnknownOrder',
      nonceConsumed: true,
    });
    expect(answer.json.items).toHaveLength(2);
  });

  test('a fill is in the answer, in the receipt and in both histories', async () => {
    const maker = await startTestExchange();
    const taker = maker.another();
    const resting = maker.place([{}]).json.items[0];
    const taken = taker.place([{ ...crossing, size: '0.0150' }]);
    expect(taken.json.items[0]).toMatchObject({
      state: 'accepted',
      size: '0.0150',
      filledSize: '0.0100',
      resting: false,
    });
    const receipt = taker.get(`/v1/requests/${taken.json.requestId}`).json;
    expect(receipt.items).toEqual(taken.json.items);
    const [fill] = maker.get(`/v1/account/fills?address=${maker.address}`).json.data;
    expect(fill).toMatchObject({
      orderId: resting.orderId,
      role: 'maker',
      side: 'buy',
      size: '0.0100',
      fee: '0.000000',
    });
    const [other] = taker.get(`/v1/account/fills?address=${taker.address}`).json.data;
    expect(other).toMatchObject({
      id: fill.id,
      role: 'taker',
      side: 'sell',
      counterOrderId: resting.orderId,
      fee: '0.450000',
    });
  });
});

describe('receipts (GW-RECEIPT)', () => {
  const order = (nowMs: number, price = '90000.0') => ({
    orders: [
      { symbol: 'BTC-USD', side: 'buy', price, size: '0.0100', timeInForce: 'gtc', reduceOnly: false },
    ],
    nowMs,
  });

  test('a request that never came is not_found up to a position, with the counter when the command hash is given', async () => {
    const venue = await startTestExchange();
    const never = venue.signed('/v1/orders', order(venue.nowMs));
    const plain = venue.get(`/v1/requests/${never.requestId}`);
    expect([plain.status, plain.json.error.code]).toEqual([404, 'not_found']);
    expect(plain.json.error.details).toEqual({
      status: 'not_found',
      epoch: venue.exchange.epoch,
      asOfSeq: venue.exchange.seq,
    });
    const proven = venue.get(
      `/v1/requests/${never.requestId}?scope=${never.scope}&nonce=0&commandHash=${never.commandHash}`,
    );
    expect(proven.json.error.details).toMatchObject({ basis: 'agent_nonce', nextNonce: 0 });
  });

  test('another request on the same nonce is a conflict that names it', async () => {
    const venue = await startTestExchange();
    const lost = venue.signed('/v1/orders', order(venue.nowMs), { nonce: 0n });
    const winner = venue.place([{ price: '80000.0' }], { nonce: 0n });
    const receipt = receiptOf(venue, lost);
    expect([receipt.status, receipt.json.error.code]).toEqual([409, 'conflict']);
    expect(receipt.json.error.details).toMatchObject({
      status: 'conflict',
      conflictingRequest: winner.json.requestId,
      nonceScope: lost.scope,
      nonce: 0,
      seq: winner.json.seq,
    });
  });

  test('bytes refused before the nonce are rejected, stay open, and are superseded by the next writer', async () => {
    const venue = await startTestExchange();
    const early = venue.signed('/v1/orders', order(venue.nowMs), { nonce: 1n });
    venue.post('/v1/orders', early.text);
    expect(receiptOf(venue, early).json).toMatchObject({
      status: 'rejected',
      reason: 'NonceMismatch',
      nonceConsumed: false,
    });
    venue.place([{}], { nonce: 0n });
    const same = venue.post('/v1/orders', early.text);
    expect(same.status).toBe(200);
    expect(receiptOf(venue, early).json).toMatchObject({ status: 'executed', nonceConsumed: true });

    const refused = venue.signed('/v1/orders', order(venue.nowMs, '70000.0'), { nonce: 3n });
    venue.post('/v1/orders', refused.text);
    venue.place([{}], { nonce: 2n });
    venue.place([{}], { nonce: 3n });
    expect(receiptOf(venue, refused).json.error.details.status).toBe('conflict');
  });

  test('a gap in the history is history_unavailable, unless the counter proves the absence', async () => {
    const venue = await startTestExchange();
    const sent = venue.place([{}]);
    venue.exchange.control.historyGaps({ gaps: [{ first: 1, last: 1_000 }] });
    const hidden = venue.get(`/v1/requests/${sent.json.requestId}`);
    expect([hidden.status, hidden.json.error.code]).toEqual([503, 'history_unavailable']);
    expect(hidden.json.error.details.gaps).toEqual([{ first: 1, last: 1_000 }]);
    const never = venue.signed('/v1/orders', order(venue.nowMs, '70000.0'));
    const proven = venue.get(
      `/v1/requests/${never.requestId}?scope=${never.scope}&nonce=${never.nonce}&commandHash=${never.commandHash}`,
    );
    expect(proven.json.error.details).toMatchObject({ status: 'not_found', basis: 'agent_nonce' });
  });

  test('after an epoch change an executed request is not_found (O119)', async () => {
    const venue = await startTestExchange();
    const sent = venue.place([{}]);
    venue.exchange.control.epoch({ epoch: 'k2' });
    const receipt = venue.get(`/v1/requests/${sent.json.requestId}`);
    expect(receipt.json.error.details).toMatchObject({ status: 'not_found', epoch: 'k2' });
  });

  test('scope without nonce, a bad id and a hash with an account scope are refused (O62)', async () => {
    const venue = await startTestExchange();
    const id = `0x${'ab'.repeat(32)}`;
    const codes = [
      `/v1/requests/0x12`,
      `/v1/requests/${id}?scope=account:1`,
      `/v1/requests/${id}?nonce=1`,
      `/v1/requests/${id}?scope=account:1&nonce=1&commandHash=${id}`,
    ].map((path) => venue.get(path).status);
    expect(codes).toEqual([400, 400, 400, 400]);
  });
});

describe('the dead man’s switch (GW-SWITCH)', () => {
  test('cancels every open order of the account at its absolute time', async () => {
    const venue = await startTestExchange();
    venue.place([{ price: '90000.0' }, { price: '91000.0' }]);
    const armed = venue.write('/v1/orders/schedule-cancel', {
      triggerMs: venue.nowMs + 1_000,
      nowMs: venue.nowMs,
    });
    expect(armed.json).toMatchObject({ status: 'executed', items: [] });
    const open = () => venue.get(`/v1/account/orders?address=${venue.address}`).json.orders.length;
    venue.blocks(9);
    expect(open()).toBe(2);
    venue.blocks(2);
    expect(open()).toBe(0);
    const history = venue.get(`/v1/account/orders/history?address=${venue.address}`).json.orders;
    expect(history.map((order: { status: string }) => order.status)).toEqual(['canceled', 'canceled']);
  });

  test('0 clears it', async () => {
    const venue = await startTestExchange();
    venue.place([{}]);
    venue.write('/v1/orders/schedule-cancel', { triggerMs: venue.nowMs + 500, nowMs: venue.nowMs });
    venue.write('/v1/orders/schedule-cancel', { triggerMs: 0, nowMs: venue.nowMs });
    venue.blocks(10);
    expect(venue.get(`/v1/account/orders?address=${venue.address}`).json.orders).toHaveLength(1);
  });
});

describe('grants (GW-GRANT)', () => {
  test('the main wallet approves, extends and revokes; the listings tell', async () => {
    const venue = await startTestExchange();
    const [, , fresh] = venue.exchange.control.seedAccounts(3, 1);
    const agent = fresh?.address ?? '0x';
    const approve = (validUntilMs: number) =>
      venue.write('/v1/account/agents/approve', { agent, validUntilMs }, { by: 'wallet' });
    expect(approve(venue.nowMs + 60_000).json.status).toBe('executed');
    expect(approve(venue.nowMs + 90_000).json.status).toBe('executed');
    const listed = venue.get(`/v1/account/agents?address=${venue.address}`).json.agents;
    expect(listed).toHaveLength(3);
    expect(listed[2]).toEqual({
      address: agent,
      validUntilMs: String(venue.nowMs + 90_000),
      expired: false,
      nextNonce: 0,
    });
    expect(venue.get(`/v1/agents/${agent}`).json.grants).toMatchObject([
      { account: venue.address, subaccount: 0, expired: false },
    ]);
    venue.clock.advance(91_000);
    expect(venue.get(`/v1/agents/${agent}`).json.grants[0].expired).toBe(true);
    const past = approve(venue.nowMs - 5_000);
    expect([past.status, past.json.error.code]).toEqual([403, 'AgentExpired']);
    expect(past.json.error.details.nonceConsumed).toBe(false);
    venue.forgetNonces();
    venue.write('/v1/account/agents/revoke', { agent }, { by: 'wallet' });
    expect(venue.get(`/v1/agents/${agent}`).status).toBe(404);
  });

  test('a subaccount is made by the main wallet and has its own number', async () => {
    const venue = await startTestExchange();
    expect(venue.write('/v1/account/subaccounts', {}, { by: 'wallet' }).json.status).toBe('executed');
    const { subaccounts } = venue.get(`/v1/account/subaccounts?address=${venue.address}`).json;
    expect(subaccounts.map((one: { subaccount: number }) => one.subaccount)).toEqual([0, 1]);
    expect(subaccounts[1].accountId).toBeGreaterThan(subaccounts[0].accountId);
  });

  test('leverage is set in whole multiples and below the market’s base only', async () => {
    const venue = await startTestExchange();
    const leverage = (value: number) =>
      venue.write('/v1/account/leverage', { symbol: 'BTC-USD', leverage: value });
    expect(leverage(5).json.status).toBe('executed');
    expect(leverage(50).json.error.code).toBe('InvalidLeverage');
  });
});
