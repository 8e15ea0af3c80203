/**
 * Symptom: one answer to a write named a position far beyond the log of the exchange. From then on every read asked for that
 * position and was refused, so the end of the run could not be proven.
 */
import { expect, test } from 'vitest';
import type { HttpRequest } from '../../src/wire/gateway/index.ts';
import { startBot } from '../contract/bot.ts';
import { BTC, during } from '../contract/client.ts';
import { madeError, type Reply } from '../contract/wire.ts';
import { movingBid } from '../support/moving-quotes.ts';
import { startTestExchange } from '../support/test-exchange.ts';

const FAR = '9000000000';

const inBody = (reply: Reply): Reply =>
  reply.kind === 'answer' && reply.status === 200
    ? { ...reply, body: reply.body.replace(/"seq":"?\d+"?/, `"seq":"${FAR}"`) }
    : reply;
const inHeader = (reply: Reply): Reply =>
  reply.kind === 'answer' && reply.status === 200
    ? { ...reply, headers: { ...reply.headers, 'x-svc-seq': FAR } }
    : reply;
const isOrder = ({ method, path }: HttpRequest): boolean =>
  method === 'POST' && !path.includes('schedule-cancel');

const CASES: readonly (readonly [string, (request: HttpRequest) => boolean, (reply: Reply) => Reply])[] = [
  ['the body of an answer', isOrder, inBody],
  ['the header of an answer', isOrder, inHeader],
  ['body and header of an answer', isOrder, (reply) => inHeader(inBody(reply))],
  ['the answer to a renewal of the switch', ({ path }) => path.includes('schedule-cancel'), inBody],
  ['the refusal of a nonce', isOrder, () => madeError(409, 'NonceMismatch', { seq: FAR })],
  ['a receipt', ({ path }) => path.includes('/receipts/') || path.includes('/requests/'), inBody],
  ['the list of open orders', ({ path }) => path.includes('/account/orders'), inBody],
];

test.each(CASES)('%s may name a position beyond the log: the end is proven', async (what, isHit, change) => {
  const venue = await startTestExchange();
  venue.another().place([
    { side: 'buy', price: '99990.0', size: '5.0000' },
    { side: 'sell', price: '100010.0', size: '5.0000' },
  ]);
  const bot = await startBot(venue, { a: movingBid(BTC, 300) });
  await venue.clock.advanceAsync(2_000);
  let hits = 0;
  let isLost = what === 'a receipt';
  bot.wire.disturb = async (request, pass) => {
    const reply = await pass();
    if (isLost && isOrder(request)) {
      isLost = false;
      return { kind: 'lost', why: 'test' };
    }
    if (hits > 0 || !isHit(request)) return reply;
    hits++;
    return change(reply);
  };
  const placed = bot.counts.ordersPlaced;
  await venue.clock.advanceAsync(20_000);
  expect(bot.counts.ordersPlaced).toBeGreaterThan(placed);
  expect(bot.halts).toEqual([]);
  const proof = await during(venue.clock, bot.stop('the end'));
  if (what !== 'the list of open orders') expect(hits).toBe(1);
  expect(proof.isProven).toBe(true);
  if (proof.isProven) expect(proof.seq ?? 0n).toBeLessThan(BigInt(FAR));
  await bot.close();
});
