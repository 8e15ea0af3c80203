/**
 * Symptom: one answer to a write of `ballast/client` named a position far beyond the log of the exchange. From then on each
 * read of the account asked for that position and was refused, for as long as the client lived.
 */
import { expect, test } from 'vitest';
import type { HttpRequest } from '../../src/wire/gateway/index.ts';
import type { Reply } from '../contract/wire.ts';
import { startPeopleClient } from '../support/people-client.ts';

const FAR = '9000000000';
const ORDER = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.01' } as const;

const inBody = (reply: Reply): Reply =>
  reply.kind === 'answer' ? { ...reply, body: reply.body.replace(/"seq":"?\d+"?/, `"seq":"${FAR}"`) } : reply;
const inHeader = (reply: Reply): Reply =>
  reply.kind === 'answer' ? { ...reply, headers: { ...reply.headers, 'x-svc-seq': FAR } } : reply;
const isWrite = ({ method }: HttpRequest): boolean => method === 'POST';

test.each([
  ['body', inBody],
  ['header', inHeader],
  ['body and header', (reply: Reply) => inHeader(inBody(reply))],
])('a far position in the %s of an answer: the client reads what it wrote', async (_where, change) => {
  const { venue, wire, client, now: run } = await startPeopleClient({ by: 0 });
  await run(client.orders.place(ORDER));
  let hits = 0;
  wire.disturb = async (request, pass) => {
    const reply = await pass();
    if (!isWrite(request) || hits > 0) return reply;
    hits++;
    return change(reply);
  };
  await run(client.orders.place({ ...ORDER, price: '90001' }));
  expect(hits).toBe(1);
  expect(await run(client.account.orders())).toHaveLength(2);
  await run(client.orders.place({ ...ORDER, price: '90002' }));
  expect(await run(client.account.orders())).toHaveLength(3);
  expect(wire.reads('/account/orders').at(-1)?.request.headers).not.toMatchObject({
    [`${venue.exchange.settings.headerPrefix}min-seq`]: FAR,
  });
});
