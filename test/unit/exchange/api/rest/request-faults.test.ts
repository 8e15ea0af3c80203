import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../../src/core/index.ts';
import {
  type ExchangeReply,
  type ExchangeRequest,
  NO_RESPONSE,
  type Refusal,
} from '../../../../../src/exchange/api/rest/answer.ts';
import { BoundedWait } from '../../../../../src/exchange/api/rest/bounded-wait.ts';
import { RequestFaults } from '../../../../../src/exchange/api/rest/request-faults.ts';

const post: ExchangeRequest = { method: 'POST', path: '/v1/orders', headers: {}, body: '', ip: '' };
const own = { status: 200, headers: {}, body: 'own' };
const foreign = { status: 502, headers: {}, body: '<html>' };

function setUp() {
  const clock = new VirtualClock(0);
  const faults = new RequestFaults(new BoundedWait(clock));
  const handledAtMs: number[] = [];
  const handle = () => {
    handledAtMs.push(clock.nowMs());
    return own;
  };
  const refuse = (_request: ExchangeRequest, refusal: Refusal) => ({ ...own, body: refusal.code });
  const pass = (request = post): Promise<ExchangeReply> =>
    faults.pass(request, { handle, refuse, reject: handle });
  return { clock, faults, handledAtMs, pass };
}

describe('RequestFaults', () => {
  test('a lost request is not executed, a lost answer is', async () => {
    const { faults, handledAtMs, pass } = setUp();
    faults.add({ fault: { kind: 'dropRequest' } });
    faults.add({ fault: { kind: 'dropResponse' } });
    expect(await pass()).toBe(NO_RESPONSE);
    expect(handledAtMs).toEqual([]);
    expect(await pass()).toBe(NO_RESPONSE);
    expect(handledAtMs).toEqual([0]);
    expect(faults.isQuiet).toBe(true);
  });

  test('a request can arrive after its sender gave up (F6)', async () => {
    const { clock, faults, handledAtMs, pass } = setUp();
    faults.add({ fault: { kind: 'deliverAfterTimeout', delayMs: 700 } });
    expect(await pass()).toBe(NO_RESPONSE);
    await clock.advanceAsync(1_000);
    expect(handledAtMs).toEqual([700]);
  });

  test('request and answer can be late', async () => {
    const { clock, faults, handledAtMs, pass } = setUp();
    faults.add({ fault: { kind: 'delayRequest', delayMs: 30 } });
    faults.add({ fault: { kind: 'delayResponse', delayMs: 40 } });
    const replies = [pass(), pass()];
    await clock.advanceAsync(100);
    expect(await Promise.all(replies)).toEqual([own, own]);
    expect(handledAtMs).toEqual([0, 30]);
  });

  test('a stranger can answer, before or instead of the exchange', async () => {
    const { faults, handledAtMs, pass } = setUp();
    faults.add({ fault: { kind: 'answer', answer: foreign } });
    faults.add({ fault: { kind: 'replaceResponse', answer: foreign } });
    faults.add({ fault: { kind: 'deliverTwice' } });
    expect(await pass()).toBe(foreign);
    expect(handledAtMs).toEqual([]);
    expect(await pass()).toBe(foreign);
    expect(handledAtMs).toHaveLength(1);
    expect(await pass()).toBe(own);
    expect(handledAtMs).toHaveLength(3);
  });

  test('rules hit what they match, as often as they say, oldest first', async () => {
    const { faults, pass } = setUp();
    faults.add({ fault: { kind: 'dropRequest' }, matches: ({ path }) => path.includes('replace'), times: 2 });
    expect(await pass()).toBe(own);
    const replace = { ...post, path: '/v1/orders/replace' };
    expect([await pass(replace), await pass(replace), await pass(replace)]).toEqual([
      NO_RESPONSE,
      NO_RESPONSE,
      own,
    ]);
    faults.add({ fault: { kind: 'dropRequest' } });
    expect(await pass({ ...post, method: 'GET' })).toBe(own);
    faults.clear();
    expect(await pass()).toBe(own);
  });
});
