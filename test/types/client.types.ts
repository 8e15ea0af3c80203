/** What the client for people does not compile: numbers for prices, words that are none, fields that are missing. */
import { type Client, createClient, Decimal, type HistoryPage } from '../../src/client/index.ts';

declare const client: Client;

const order = { symbol: 'BTC-USD', side: 'buy', price: '20000', size: new Decimal('0.01') } as const;

/** Never run: it only has to compile where it should and fail to where it should not. */
export async function typed(): Promise<void> {
  await client.orders.place({
    ...order,
    timeInForce: 'postOnly',
    expiresAt: 0,
    builder: { accountId: 1, feePpm: 2 },
  });
  await client.orders.place({ orders: [order, order], vault: '7' });
  // @ts-expect-error a price that has been a binary fraction
  await client.orders.place({ ...order, price: 20000 });
  // @ts-expect-error a word of another interface
  await client.orders.place({ ...order, timeInForce: 'GTC' });
  // @ts-expect-error a trigger needs its direction
  await client.orders.trigger({ ...order, triggerPrice: '1' });
  // @ts-expect-error an interval that is none
  await client.markets.candles({ symbol: 'BTC-USD', interval: '2m' });
  // @ts-expect-error a client needs a gateway
  createClient({ wallet: '0x00' });

  const [position] = await client.account.positions();
  position?.size.plus('1').toFixed();
  // @ts-expect-error an exact decimal is no number
  const bare: number = position?.size ?? 0;
  const page: HistoryPage<{ readonly fee: Decimal | null }> = await client.account.fillsPage();
  for await (const { id, fee } of client.account.fills()) {
    // @ts-expect-error a fee that is not known is null
    fee.plus(1);
    id.slice(0, bare + page.data.length);
  }
  const { seq, items } = await client.orders.cancelAll();
  // @ts-expect-error a log position is a bigint
  const least: number = seq;
  await client.account.summary({ minSeq: BigInt(least) + BigInt(items.length) });
}
