/**
 * Symptom: the client said of a write that was refused before its nonce was spent that nothing had happened (`effect: none`),
 * and a moment later the exchange executed it: the bytes of such a write are alive until its nonce is (obligation O61).
 */
import { describe, expect, test } from 'vitest';
import { startPeopleClient } from '../support/people-client.ts';

const AN_ORDER = { symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.01' } as const;
const PAUSED = { reason: 'Paused', isNonceConsumed: false } as const;

describe('a write that is refused and leaves its nonce', () => {
  test('is told as executed when the exchange executes it after all', async () => {
    const { venue, client, now } = await startPeopleClient();
    venue.exchange.control.disturb({ fault: { kind: 'reject', forced: PAUSED, laterMs: 300 } });
    const { items, proof } = await now(client.orders.place(AN_ORDER));
    expect(items).toMatchObject([{ state: 'accepted', resting: true }]);
    expect(proof).toBe('receipt');
    await client.close();
  });

  test('is told as refused once another write has spent the nonce', async () => {
    const { venue, client, now, error } = await startPeopleClient();
    venue.exchange.control.disturb({ fault: { kind: 'reject', forced: PAUSED } });
    const refused = error(client.orders.place(AN_ORDER));
    const next = now(client.orders.place({ ...AN_ORDER, price: '20001' }));
    expect(await refused).toMatchObject({ code: 'Paused', effect: 'none' });
    expect((await next).items).toMatchObject([{ state: 'accepted' }]);
    expect(venue.exchange.control.venue.openOrders(venue.account.accountId)).toHaveLength(1);
    await client.close();
  });

  test('is told as refused once a fence has spent it, where nothing else is written', async () => {
    const { venue, wire, client, error } = await startPeopleClient();
    venue.exchange.control.disturb({ fault: { kind: 'reject', forced: PAUSED } });
    expect(await error(client.orders.place(AN_ORDER))).toMatchObject({ code: 'Paused', effect: 'none' });
    expect(wire.posts()).toHaveLength(2);
    await client.close();
  });

  test('ends both promises where the very same write is asked for twice', async () => {
    const { venue, client, error } = await startPeopleClient();
    venue.exchange.control.disturb({ fault: { kind: 'reject', forced: PAUSED, laterMs: 300 } });
    const [first, second] = await Promise.all([
      error(client.orders.cancelAll()),
      error(client.orders.cancelAll()),
    ]);
    expect(first).toMatchObject({ code: 'conflict', effect: 'none' });
    expect(second?.['requestId']).toBe(first?.['requestId']);
    await client.close();
  });

  test('is told as unknown when the client is closed before that', async () => {
    const { venue, client, now, error } = await startPeopleClient();
    await now(client.orders.place(AN_ORDER));
    venue.exchange.control.disturb({ fault: { kind: 'reject', forced: PAUSED } });
    const refused = error(client.orders.cancelAll());
    venue.clock.after(500, () => void client.close());
    expect(await refused).toMatchObject({ code: 'CLIENT_LANE_CLOSED', effect: 'unknown' });
  });

  test('is told as unknown when its lane halts before that', async () => {
    const { venue, client, error } = await startPeopleClient();
    venue.exchange.control.disturb({ fault: { kind: 'reject', forced: PAUSED }, times: 4 });
    const refused = await error(client.orders.place(AN_ORDER));
    expect(refused).toMatchObject({ code: 'CLIENT_OUTCOME_UNPROVEN', effect: 'unknown' });
    await client.close();
  });
});
