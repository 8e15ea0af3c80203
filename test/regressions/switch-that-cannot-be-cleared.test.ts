/** A schedule-cancel of 0 clears the switch: its trigger was taken for one that has passed, and it was fenced unsent. */
import { expect, test } from 'vitest';
import { startPeopleClient } from '../support/people-client.ts';

test('the switch of an account can be cleared', async () => {
  const { client, now, wire, venue } = await startPeopleClient({ by: 0 });
  const order = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.0100' } as const;
  await now(client.orders.place(order));
  await now(client.orders.scheduleCancel({ triggerAt: venue.nowMs + 5_000 }));
  await now(client.orders.scheduleCancel({ triggerAt: 0 }));
  await venue.clock.advanceAsync(10_000);
  expect(await now(client.account.orders())).toHaveLength(1);
  expect(wire.posts('/v1/orders/schedule-cancel')).toHaveLength(2);
  await client.close();
});
