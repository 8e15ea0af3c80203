/** @module Steps that many checks begin with. */
import { formatScaled, parseScaledNumber } from '../../core/index.ts';
import type { WireOrderRequest } from '../../wire/protocol/index.ts';
import type { Doc } from '../answer.ts';
import { answered, NotOffered, same } from '../expect.ts';
import type { Probe } from '../probe.ts';
import type { Trader, TraderWriteOptions, Written } from '../trader.ts';

/** Places orders far from the market unless their fields say otherwise; one write. */
export async function place(
  probe: Probe,
  trader: Trader,
  orders: readonly Partial<WireOrderRequest>[] = [{}],
  options: TraderWriteOptions & { readonly expiresAt?: number } = {},
): Promise<Written> {
  const base = await probe.farOrder();
  const nowMs = await probe.serverMs();
  const { expiresAt } = options;
  const body = { orders: orders.map((fields) => ({ ...base, ...fields })), nowMs };
  return trader.write('/v1/orders', expiresAt === undefined ? body : { ...body, expiresAt }, options);
}

/** Places one order that must rest, and gives its item. */
export async function rest(
  probe: Probe,
  trader: Trader,
  fields: Partial<WireOrderRequest> = {},
  options: TraderWriteOptions & { readonly expiresAt?: number } = {},
): Promise<Doc> {
  const { answer } = await place(probe, trader, [fields], options);
  const item = answered(answer).part('items.0');
  same('the state of the item', [item.at('state'), item.at('resting')], ['accepted', true]);
  return item;
}

/** Cancels orders by number. */
export function cancel(
  trader: Trader,
  symbol: string,
  orderIds: readonly string[],
  options: TraderWriteOptions = {},
): Promise<Written> {
  return trader.write(
    '/v1/orders/cancel',
    { orders: orderIds.map((orderId) => ({ symbol, orderId })) },
    options,
  );
}

/** The numbers of the open orders. */
export async function openIds(trader: Trader): Promise<readonly string[]> {
  const answer = answered(await trader.read('/v1/account/orders'));
  return answer.list('orders').map((order) => order.text('orderId'));
}

/** A number that belongs to no order. */
export const NO_ORDER = '1';

/** Arms, moves or clears the switch. */
export async function schedule(
  probe: Probe,
  trader: Trader,
  triggerMs: number,
  options: TraderWriteOptions = {},
): Promise<Written> {
  return trader.write('/v1/orders/schedule-cancel', { triggerMs, nowMs: await probe.serverMs() }, options);
}

/** What the exchange publishes of the market's prices. */
async function pricesOf(probe: Probe): Promise<Doc> {
  const prices = answered(await probe.get('/v1/prices')).list('prices');
  const found = prices.find((price) => price.at('symbol') === probe.market.symbol);
  if (found === undefined) throw new NotOffered(`prices of ${probe.market.symbol}`);
  return found;
}

/** The index price of the market as text. */
export async function indexPrice(probe: Probe): Promise<string> {
  return (await pricesOf(probe)).text('indexPrice');
}

/** A price at which two accounts trade with each other only: the index price, kept between bid and ask. */
async function meetingPrice(probe: Probe): Promise<{ readonly price: string; readonly isShared: boolean }> {
  const prices = await pricesOf(probe);
  const { priceDecimals, tickStep } = probe.market;
  const ticksOf = (name: string) => parseScaledNumber(prices.text(name), priceDecimals);
  const [bid, ask, index] = [ticksOf('bestBid'), ticksOf('bestAsk'), ticksOf('indexPrice')];
  const least = Number.isNaN(bid) ? index : Math.max(index, bid + tickStep);
  const price = Number.isNaN(ask) ? least : Math.min(least, Math.max(ask - tickStep, bid + tickStep));
  return { price: formatScaled(price, priceDecimals), isShared: !Number.isNaN(ask) };
}

/** A market without other participants. @throws NotOffered where there are others. */
export async function mustBeQuiet(probe: Probe): Promise<void> {
  const book = answered(await probe.get(`/v1/markets/${probe.market.symbol}/book`));
  if (book.list('bids').length + book.list('asks').length > 0)
    throw new NotOffered('a market without other participants (ballast sim --no-participants)');
}

/** Two accounts trade `size` at the index price: `maker` sells, `taker` buys. Gives both numbers. */
export async function trade(
  probe: Probe,
  { maker, taker }: { readonly maker: Trader; readonly taker: Trader },
  size: string,
  options: TraderWriteOptions = {},
): Promise<{ readonly makerId: string; readonly takerId: string; readonly price: string }> {
  const { price, isShared } = await meetingPrice(probe);
  const common = { price, size, timeInForce: 'gtc' } as const;
  const offer = await place(probe, maker, [{ ...common, side: 'sell' }]);
  const made = answered(offer.answer).part('items.0');
  const { answer } = await place(probe, taker, [{ ...common, side: 'buy' }], options);
  const got = answered(answer).at('items.0.filledSize');
  if (isShared && (made.at('resting') !== true || got !== made.at('size')))
    throw new NotOffered(
      'a market in which nobody else came between two accounts (ballast sim --no-participants)',
    );
  same('the offer', [made.at('state'), made.at('resting')], ['accepted', true]);
  same('what the taker got', got, made.at('size'));
  return { makerId: made.text('orderId'), takerId: answer.text('items.0.orderId'), price };
}

/** A size of the market that is `times` its smallest for a price near the market. */
export async function sizeOf(probe: Probe, times = 1): Promise<string> {
  const far = await probe.farOrder();
  return multiplied(far.size, times);
}

/** Decimal text times an integer, and divided by one, cut to its decimals. */
export function multiplied(text: string, times: number, by = 1): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const scaled = ((BigInt(whole + fraction) * BigInt(times)) / BigInt(by))
    .toString()
    .padStart(fraction.length + 1, '0');
  const point = scaled.length - fraction.length;
  return fraction === '' ? scaled : `${scaled.slice(0, point)}.${scaled.slice(point)}`;
}
