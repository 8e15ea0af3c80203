import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/core/index.ts';
import type { Address, Nonce, RequestId } from '../../../../src/domain/index.ts';
import { readAccount, readAgentAccounts, readMarkets } from '../../../../src/wire/gateway/index.ts';
import { MARKETS } from '../stream/scripted.ts';
import { aGateway, answer, readTime, refusal } from './support.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as Address;
const SELECTION = { address: ADDRESS, subaccount: 2 };
const WRITE = { path: '/v1/orders?ack=result', body: '{"a":1}', timeoutMs: 5_000 };

describe('a write', () => {
  test('goes out once, whatever comes back (O59, O66, O71)', async () => {
    for (const reply of [
      answer(200, {}),
      answer(202, {}),
      answer(500, 'oops'),
      refusal(412, 'ReplicaBehind'),
      { kind: 'lost', why: 'cut' } as const,
    ]) {
      const scripted = aGateway();
      scripted.handler = () => reply;
      const pipe = scripted.gateway.writePipe(SELECTION);
      const result = await pipe.post(WRITE);
      await scripted.clock.advanceAsync(60_000);
      expect(result.kind).toBe(reply.kind);
      expect(scripted.requests).toHaveLength(1);
    }
  });

  test('carries body, query and the position it must follow (O50), and no credential (O13)', async () => {
    const scripted = aGateway('x-other-');
    await scripted.gateway.writePipe(SELECTION).post({ ...WRITE, minSeq: 18_446_744_073_709_551_615n });
    expect(scripted.requests).toEqual([
      {
        method: 'POST',
        path: '/v1/orders?ack=result',
        body: '{"a":1}',
        timeoutMs: 5_000,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-other-min-seq': '18446744073709551615',
        },
      },
    ]);
  });

  test('hands the answer over as it came, with the position of a 2xx alone (O23, O74)', async () => {
    const scripted = aGateway();
    const pipe = scripted.gateway.writePipe(SELECTION);
    scripted.handler = () => answer(200, '{"x":1}', { 'x-svc-seq': '7' });
    expect(await pipe.post(WRITE)).toEqual({
      kind: 'answer',
      status: 200,
      body: '{"x":1}',
      seq: 7n,
      retryAfterMs: undefined,
    });
    scripted.handler = () => ({ ...refusal(412, 'ReplicaBehind'), headers: { 'x-svc-seq': '99' } });
    expect(await pipe.post(WRITE)).toMatchObject({ status: 412, seq: undefined });
  });

  test('that is over budget says how long to wait, and the next one waits that long (O115)', async () => {
    const scripted = aGateway();
    const pipe = scripted.gateway.writePipe(SELECTION);
    scripted.handler = () => refusal(429, 'RateLimited', { bucket: 'account' }, { 'retry-after': '4' });
    expect(await pipe.post(WRITE)).toMatchObject({ status: 429, retryAfterMs: 4_000 });
    scripted.handler = () => answer(200, {});
    const second = pipe.post(WRITE);
    await scripted.clock.advanceAsync(3_900);
    expect(scripted.requests).toHaveLength(1);
    await scripted.clock.advanceAsync(200);
    expect(await second).toMatchObject({ status: 200 });
  });

  test('that finds no room in the budget for a minute is known not to have left', async () => {
    const scripted = aGateway();
    const pipe = scripted.gateway.writePipe(SELECTION);
    const over = refusal(429, 'RateLimited', { bucket: 'ip' }, { 'retry-after': '60' });
    scripted.handler = () =>
      new Promise((resolve) => {
        scripted.clock.after(scripted.requests.length === 1 ? 0 : 30_000, () => resolve(over));
      });
    const flying = [pipe.post(WRITE), pipe.post(WRITE)];
    await scripted.clock.advanceAsync(1);
    const waiting = pipe.post(WRITE);
    await scripted.clock.advanceAsync(61_000);
    expect(await waiting).toMatchObject({ kind: 'notSent' });
    expect(await Promise.all(flying)).toHaveLength(2);
    expect(scripted.requests).toHaveLength(2);
  });
});

describe('the reads of a write pipe', () => {
  test('ask for receipts with scope, nonce and command hash together (O62)', async () => {
    const scripted = aGateway();
    await scripted.gateway.writePipe(SELECTION).receipt({
      requestId: `0x${'01'.repeat(32)}` as RequestId,
      scope: `agent:${ADDRESS}`,
      nonce: (2n ** 60n) as Nonce,
      commandHash: `0x${'02'.repeat(32)}` as Hex,
    });
    expect(scripted.requests[0]?.path).toBe(
      `/v1/requests/0x${'01'.repeat(32)}?scope=agent%3A${ADDRESS}&nonce=${2n ** 60n}&commandHash=0x${'02'.repeat(32)}`,
    );
  });

  test('ask for the nonce with the main wallet’s address and the signer (O15, O31)', async () => {
    const scripted = aGateway();
    const signer = `0x${'cd'.repeat(20)}` as Address;
    await scripted.gateway.writePipe(SELECTION).nonce(signer);
    expect(scripted.requests[0]?.path).toBe(
      `/v1/account/nonce?address=${ADDRESS}&subaccount=2&signer=${signer}`,
    );
  });

  test('ask for open orders at a position (O18)', async () => {
    const scripted = aGateway();
    await scripted.gateway.writePipe(SELECTION).openOrders(77n);
    expect(scripted.requests[0]?.headers['x-svc-min-seq']).toBe('77');
    expect(scripted.requests[0]?.path).toBe(`/v1/account/orders?address=${ADDRESS}&subaccount=2`);
  });
});

describe('a typed read', () => {
  test('gives the decoded answer', async () => {
    const scripted = aGateway();
    scripted.handler = () => answer(200, { serverTime: 123 });
    expect(await readTime(scripted.gateway.reader)).toBe(123);
  });

  test('repeats a 412 with the same position, long but not forever (O19)', async () => {
    const scripted = aGateway();
    scripted.handler = () => refusal(412, 'ReplicaBehind');
    const read = readAccount(scripted.gateway.reader, { selection: SELECTION, context: MARKETS, minSeq: 5n });
    const failed = expect(read).rejects.toMatchObject({ code: 'GATEWAY_READ_REFUSED' });
    await scripted.clock.advanceAsync(200_000);
    await failed;
    expect(scripted.requests).toHaveLength(50);
    expect(new Set(scripted.requests.map(({ headers }) => headers['x-svc-min-seq']))).toEqual(new Set(['5']));
  });

  test('repeats 5xx and broken pipes with growing, jittered pauses (O66, O118)', async () => {
    const scripted = aGateway();
    scripted.handler = () =>
      scripted.requests.length % 2 === 0 ? { kind: 'lost', why: 'cut' } : refusal(503, 'Unavailable');
    const read = expect(readTime(scripted.gateway.reader)).rejects.toThrow(/GATEWAY|expected/);
    await scripted.clock.advanceAsync(60_000);
    await read;
    expect(scripted.requests).toHaveLength(6);
    const pauses = scripted.leftAtMs.slice(1).map((at, i) => at - (scripted.leftAtMs[i] ?? 0));
    expect(pauses.every((pause, i) => pause >= (pauses[i - 1] ?? 0) * 0.9)).toBe(true);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2_000);
  });

  test('does not repeat what is wrong (O68)', async () => {
    const scripted = aGateway();
    scripted.handler = () => refusal(400, 'InvalidRequest', {}, {});
    await expect(readMarkets(scripted.gateway.reader, 6)).rejects.toMatchObject({
      code: 'GATEWAY_READ_REFUSED',
      details: { status: 400, gatewayCode: 'InvalidRequest' },
    });
    expect(scripted.requests).toHaveLength(1);
  });

  test('error: keeps status, requestId and body (O74)', async () => {
    const scripted = aGateway();
    const body = { error: { code: 'Forbidden', num: 1, message: 'no', details: { requestId: '0xab12' } } };
    scripted.handler = () => answer(403, body);
    await expect(readTime(scripted.gateway.reader)).rejects.toMatchObject({
      details: { status: 403, requestId: '0xab12', body: JSON.stringify(body) },
    });
  });

  test('takes a proxy’s page for what it is, and asks again (O73)', async () => {
    const scripted = aGateway();
    scripted.handler = () => answer(403, '<html>denied</html>');
    const read = expect(readTime(scripted.gateway.reader)).rejects.toMatchObject({
      code: 'GATEWAY_RESPONSE_UNEXPECTED',
    });
    await scripted.clock.advanceAsync(60_000);
    await read;
    expect(scripted.requests).toHaveLength(6);
  });

  test.each([
    ['a proxy stands before the gateway', '<html>not the exchange</html>', 'GATEWAY_RESPONSE_UNEXPECTED'],
    ['the gateway breaks its interface', '{"ok":true}', 'PROTOCOL_WIRE_MALFORMED'],
  ])('error: says that %s when each answer is garbled', async (_what, body, code) => {
    const scripted = aGateway();
    scripted.handler = () => answer(200, body);
    const read = expect(readTime(scripted.gateway.reader)).rejects.toMatchObject({ code });
    await scripted.clock.advanceAsync(60_000);
    await read;
  });

  test.each([
    ['a page of a proxy', '<html>not the exchange</html>'],
    ['half of an answer', '{"serverTi'],
    ['the answer to something else', '{"ok":true}'],
  ])('asks again behind %s (O67)', async (_what, body) => {
    const scripted = aGateway();
    scripted.handler = () =>
      scripted.requests.length < 3 ? answer(200, body) : answer(200, { serverTime: 7 });
    const read = readTime(scripted.gateway.reader);
    await scripted.clock.advanceAsync(60_000);
    expect(await read).toBe(7);
    expect(scripted.requests).toHaveLength(3);
  });

  test('of an account that does not exist is nothing, not an error (O17)', async () => {
    const scripted = aGateway();
    scripted.handler = () => refusal(404, 'NotFound');
    const options = { selection: SELECTION, context: MARKETS };
    expect(await readAccount(scripted.gateway.reader, options)).toBeUndefined();
    expect(await readAgentAccounts(scripted.gateway.reader, ADDRESS)).toEqual([]);
  });

  test('is not believed to be empty where a proxy says 404 (O17, O73)', async () => {
    const scripted = aGateway();
    scripted.handler = () => answer(404, '<html>no such page</html>');
    const read = expect(
      readAccount(scripted.gateway.reader, { selection: SELECTION, context: MARKETS }),
    ).rejects.toMatchObject({ code: 'GATEWAY_RESPONSE_UNEXPECTED' });
    await scripted.clock.advanceAsync(60_000);
    await read;
  });

  test('shares one request between those who ask at once (O118)', async () => {
    const scripted = aGateway();
    scripted.handler = () => answer(200, { serverTime: 1 });
    await Promise.all([readTime(scripted.gateway.reader), readTime(scripted.gateway.reader)]);
    expect(scripted.requests).toHaveLength(1);
    await readTime(scripted.gateway.reader);
    expect(scripted.requests).toHaveLength(2);
  });
});

describe('the reads of the stream layer', () => {
  const query = { after: '5-0-0' as never, epoch: 'k1', upper: '9-65535-4294967295', limit: 10, minSeq: 3n };

  test('ask for pages with selection, cursor and bounds (O99, O106)', async () => {
    const scripted = aGateway();
    await scripted.gateway.history.fills(SELECTION, query);
    expect(scripted.requests[0]?.path).toBe(
      `/v1/account/fills?address=${ADDRESS}&subaccount=2&after=5-0-0&epoch=k1&upper=9-65535-4294967295&limit=10`,
    );
    expect(scripted.requests[0]?.headers['x-svc-min-seq']).toBe('3');
  });

  test.each([
    [
      'a page',
      answer(200, { epoch: 7, upper: '9-0-0', next: null, hasMore: false, data: [{}] }),
      { kind: 'page', epoch: '7', hasMore: false },
    ],
    [
      'history that is not written yet (O101)',
      answer(400, { error: { code: 'Whatever', num: 1, message: 'range not yet complete here' } }),
      { kind: 'retry', why: 'not yet complete' },
    ],
    ['another epoch (O107)', refusal(409, 'history_epoch_mismatch'), { kind: 'epochChanged' }],
    ['another conflict', refusal(409, 'conflict'), { kind: 'retry' }],
    ['a gap', refusal(503, 'history_unavailable'), { kind: 'retry' }],
    [
      'a page without a cursor to go on with',
      answer(200, { epoch: 'k', upper: '9-0-0', next: null, hasMore: true, data: [] }),
      { kind: 'retry' },
    ],
    ['no JSON', answer(200, '<html>'), { kind: 'retry' }],
    ['nothing', { kind: 'lost', why: 'cut' } as const, { kind: 'retry', why: 'cut' }],
  ])('tell %s', async (_what, reply, expected) => {
    const scripted = aGateway();
    scripted.handler = () => reply;
    expect(await scripted.gateway.history.ledger(SELECTION, {})).toMatchObject(expected);
  });

  test('give the text of snapshots and candles', async () => {
    const scripted = aGateway();
    scripted.handler = () => answer(200, '{"candles":[]}');
    const read = await scripted.gateway.history.candles({ symbol: 'A/B #1', interval: '1m', limit: 5 });
    expect(read).toEqual({ kind: 'body', text: '{"candles":[]}' });
    expect(scripted.requests[0]?.path).toBe('/v1/markets/A%2FB%20%231/candles?interval=1m&limit=5');
  });
});

describe('a gateway', () => {
  test('knows the exchange’s time after the start and reads it again (O11)', async () => {
    const scripted = aGateway();
    scripted.handler = () => answer(200, { serverTime: scripted.clock.nowMs() + 5_000 });
    await scripted.gateway.start();
    expect(scripted.gateway.serverClock.state()).toMatchObject({ isKnown: true, offsetMs: 5_000 });
    const before = scripted.requests.length;
    await scripted.clock.advanceAsync(61_000);
    expect(scripted.requests.length - before).toBe(2);
    await scripted.gateway.close();
    await scripted.clock.advanceAsync(61_000);
    expect(scripted.requests.length - before).toBe(2);
  });

  test('charges the upgrade of a stream like a request (O112)', async () => {
    const scripted = aGateway();
    scripted.handler = () =>
      answer(200, { serverTime: 1 }, { ratelimit: '"ip";r=100;t=60', 'ratelimit-policy': '"ip";q=100;w=60' });
    await readTime(scripted.gateway.reader);
    scripted.gateway.sockets.open({
      onOpen: () => undefined,
      onFrame: () => undefined,
      onClose: () => undefined,
    });
    await scripted.clock.advanceAsync(1);
    expect(scripted.opened).toHaveLength(1);
    expect(scripted.gateway.budget.remaining('ip')).toBe(95);
  });

  test('opens no socket that was closed while it waited for room', async () => {
    const scripted = aGateway();
    const closed: string[] = [];
    const socket = scripted.gateway.sockets.open({
      onOpen: () => undefined,
      onFrame: () => undefined,
      onClose: (why) => closed.push(why),
    });
    socket.close('never mind');
    await scripted.clock.advanceAsync(1);
    expect(scripted.opened).toEqual([]);
    expect(closed).toEqual(['never mind']);
  });
});
