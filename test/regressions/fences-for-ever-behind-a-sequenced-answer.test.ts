/**
 * Symptom: behind a restart that rolled the ledger back, a write whose nonce the exchange had not come to yet was fenced each
 * two seconds forever where writes are answered once they are sequenced: the log refused each fence as `NonceMismatch`, and
 * only its receipt said so. The promise of the write never settled, and nothing could be written any more (O28, I6).
 */
import { expect, test } from 'vitest';
import { startPeopleClient } from '../support/people-client.ts';

const AN_ORDER = { symbol: 'BTC-USD', side: 'buy', size: '0.01', timeInForce: 'postOnly' } as const;

test.each(['sequenced', 'result'] as const)(
  'a write ahead of a ledger that was rolled back ends, answered as %s',
  async (ack) => {
    const { venue, client, now, error } = await startPeopleClient({
      settings: { keepsLog: true },
      client: { ack, resolveWithinMs: 60_000 },
    });
    const { control } = venue.exchange;
    const before = venue.exchange.seq;
    for (const price of ['20000', '20001', '20002']) await now(client.orders.place({ ...AN_ORDER, price }));
    control.disturb({ fault: { kind: 'dropRequest' } });
    const lost = error(client.orders.place({ ...AN_ORDER, price: '20003' }));
    control.restart({ down: 500, rollBackTo: before });
    expect(await lost).toMatchObject({ code: 'CLIENT_WRITE_VOIDED', effect: 'unknown' });
    const { items } = await now(client.orders.place({ ...AN_ORDER, price: '20004' }));
    expect(items).toMatchObject([{ state: 'accepted' }]);
    await client.close();
  },
);
