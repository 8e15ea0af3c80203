/** An exchange that names things otherwise, or says no more than is needed (ambiguity A20): read alike by who asks. */
import { describe, expect, test } from 'vitest';
import { examineNames } from '../../src/bot/live/checks/account-checks.ts';
import type { OrdersUpdate } from '../../src/client/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { silentLog } from '../../src/core/index.ts';
import { startPeopleClient } from '../support/people-client.ts';
import { anOrder, startTestExchange } from '../support/test-exchange.ts';
import { during, environmentOver, walletsOf } from './client.ts';
import { Wire } from './wire.ts';

const FAR = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.0100' } as const;
const NAMES = ['seed', 'sdk', 'thin'] as const;

describe.each(NAMES)('the client for people under A20=%s', (A20) => {
  test('writes, reads and walks as under any other', async () => {
    const { client, now, venue } = await startPeopleClient({ by: 0, settings: { quirks: { A20 } } });
    const other = venue.another();
    other.place([anOrder({ price: '99999.0', side: 'sell' })]);
    const placed = await now(client.orders.place({ ...FAR, price: '99999' }));
    expect(placed).toMatchObject({ proof: 'answer', items: [{ state: 'accepted' }] });
    expect(placed.seq).toBeTypeOf('bigint');
    const [receipt] = await now(Promise.all([client.requests.receipt({ requestId: placed.requestId })]));
    expect(receipt.status).toBe('executed');
    await venue.clock.advanceAsync(2_000);
    expect((await now(client.account.fillsPage({ limit: 5 }))).data).toHaveLength(1);
    expect((await now(client.account.ledgerPage({ limit: 5 }))).data.length).toBeGreaterThan(0);
    expect((await now(client.events.page({ limit: 5 }))).data.length).toBeGreaterThan(0);
    const [position] = await now(client.account.positions());
    expect(position?.size.equals('0.01')).toBe(true);
    expect(position?.unrealizedPnl === undefined).toBe(A20 !== 'seed');
    expect((await now(client.account.summary())).seq).toBeTypeOf('bigint');
    expect(await now(client.apiWallets.accounts({ address: venue.agent }))).toHaveLength(1);
    // It is another exchange indeed.
    const page = await now(client.get('/v1/account/fills', { address: venue.address }));
    expect(page.includes('"fills":[')).toBe(A20 === 'sdk');
    await client.close();
  });

  test('shows the end of an order that the stream names by its number alone', async () => {
    const { client, now, venue } = await startPeopleClient({ by: 0, settings: { quirks: { A20 } } });
    const updates: OrdersUpdate[] = [];
    const subscription = await now(client.streams.orders({}, (update) => void updates.push(update)));
    await now(subscription.ready);
    const { items } = await now(client.orders.place(FAR));
    await venue.clock.advanceAsync(1_000);
    await now(client.orders.cancelAll());
    await venue.clock.advanceAsync(1_000);
    expect(updates.at(-1)).toMatchObject({
      changed: [{ orderId: items[0]?.orderId, symbol: 'BTC-USD', status: 'canceled' }],
      open: [],
    });
    await client.close();
  });
});

const CONFIG = `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: a, module: a.ts, markets: [BTC-USD] }]
risk: { capital: 100000 }
`;

describe('the doctor', () => {
  test.each([
    ['seed', /^[1-9][0-9]* assumed names confirmed; none contradicted/],
    [
      'sdk',
      /contradicted: .*positions.seq is the position in the header.*ledger.data is entries.*grants\[\].account is master/,
    ],
    ['thin', /left out: .*account.balances/],
  ] as const)('says under A20=%s which assumed names the gateway has', async (A20, expected) => {
    const venue = await startTestExchange({ quirks: { A20 } });
    const { clock } = venue;
    const environment = await environmentOver(venue, new Wire(venue.exchange, clock));
    const { detail, fix } = await during(
      clock,
      examineNames({
        ...{ environment, clock, log: silentLog, wallets: walletsOf(venue) },
        selection: { address: venue.address, subaccount: 0 },
        config: parseConfig(CONFIG, '/etc/ballast/bot.yaml').config,
      }),
    );
    expect(detail).toMatch(expected);
    expect(fix).toBeUndefined();
  });
});
