/**
 * @module
 * Canonical bytes of commands from a table of its own, typed from exchange.md#command-bytes: what the client and the
 * exchange encode with one codec is held against another one (invariant I24). Bytes are lower-case hex without 0x.
 */
import type {
  CanonicalCommand,
  CanonicalOrder,
  CanonicalOrderId,
  Market,
} from '../../../../src/domain/index.ts';

const SIDES = ['buy', 'sell'];
const LIFETIMES = ['gtc', 'ioc', 'postOnly', 'fok'];

/** Bytes by command, which does not change: several oracles ask after the same one. */
const known = new WeakMap<CanonicalCommand, string | undefined>();

/** The canonical bytes of a command; `undefined` for one that the bot never signs. */
export function bytesOfCommand(command: CanonicalCommand): string | undefined {
  if (!known.has(command)) known.set(command, encoded(command));
  return known.get(command);
}

function encoded(command: CanonicalCommand): string | undefined {
  const head = (tag: string): string => `01${tag}${le(command.account, 4)}`;
  switch (command.kind) {
    case 'PlaceOrder':
      return `${head('05')}${orderBytes(command)}${le(command.goodTilMs, 8)}${le(command.nowMs, 8)}${le(command.router, 4)}${le(command.routerFeePpm, 4)}`;
    case 'PlaceConditional':
      return `${head('11')}${orderBytes(command)}${le(command.goodTilMs, 8)}${le(command.triggerPrice, 4)}${command.triggerAbove ? '01' : '00'}${le(command.nowMs, 8)}`;
    case 'PlaceTwap':
      return `${head('13')}${le(command.market, 2)}${le(SIDES.indexOf(command.side), 1)}${le(command.totalLots, 8)}${le(command.slices, 4)}${le(command.intervalMs, 8)}${le(command.priceTolerancePpm, 4)}${command.reduceOnly ? '01' : '00'}${le(command.nowMs, 8)}`;
    case 'PlaceTpslPair':
      return `${head('17')}${le(command.market, 2)}${le(SIDES.indexOf(command.closeSide), 1)}${le(command.lots, 8)}${le(command.tpTrigger, 4)}${le(command.tpPrice, 4)}${le(command.slTrigger, 4)}${le(command.slPrice, 4)}${command.positionTpsl ? '01' : '00'}${'f'.repeat(16)}${le(command.nowMs, 8)}`;
    case 'CancelOrder':
      return `${head('06')}${idBytes(command.orderId)}`;
    case 'SetLeverage':
      return `${head('0a')}${le(command.market, 2)}${le(command.customImfPpm, 4)}`;
    case 'BatchCancel':
      return `${head('0f')}${listBytes(command.orderIds, idBytes)}`;
    case 'ScheduleCancel':
      return `${head('16')}${le(command.triggerMs, 8)}${le(command.nowMs, 8)}`;
    case 'BatchPlace':
      return `${head('31')}${le(command.nowMs, 8)}${listBytes(command.orders, orderBytes)}`;
    case 'BatchReplace':
      return `${head('3e')}${le(command.nowMs, 8)}${listBytes(command.cancels, idBytes)}${listBytes(command.orders, orderBytes)}`;
    case 'CancelAll':
      return head('f0');
    default:
      return undefined;
  }
}

/** What a body is rebuilt with. */
export interface BodyContext {
  readonly account: number;
  market(symbol: string): Market | undefined;
}

/** A body as a command, or what is wrong with it: the strict schema of the interface (obligations O36 to O46). */
export type ReadBody = { readonly command: CanonicalCommand } | { readonly problem: string };

/** The command of a business body posted to `path` (without base path and query). */
export function commandOfBody(
  path: string,
  body: Readonly<Record<string, unknown>>,
  context: BodyContext,
): ReadBody {
  try {
    const command = readBody(path, body, context);
    return command === undefined ? { problem: `no write is served at ${path}` } : { command };
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function readBody(
  path: string,
  body: Readonly<Record<string, unknown>>,
  context: BodyContext,
): CanonicalCommand | undefined {
  const { account } = context;
  const orders = (): CanonicalOrder[] => listOf(body, 'orders').map((one) => readOrder(one, context));
  const ids = (name: string): CanonicalOrderId[] => listOf(body, name).map((one) => readId(one, context));
  switch (path) {
    case '/v1/orders': {
      only(body, ['orders', 'nowMs', 'expiresAt']);
      const nowMs = msOf(body, 'nowMs');
      const goodTilMs = body['expiresAt'] === undefined ? 0 : msOf(body, 'expiresAt');
      const [item] = listOf(body, 'orders').map(recordOf);
      if (item?.['trigger'] !== undefined)
        return { ...readConditional(item, context), account, goodTilMs, nowMs };
      const [first, ...rest] = orders();
      if (first !== undefined && rest.length === 0)
        return { kind: 'PlaceOrder', account, ...first, goodTilMs, nowMs, router: 0, routerFeePpm: 0 };
      if (goodTilMs !== 0) throw new Error('an expiry on a batch');
      return { kind: 'BatchPlace', account, nowMs, orders: orders() };
    }
    case '/v1/orders/cancel': {
      only(body, ['orders']);
      const orderIds = ids('orders');
      const [orderId] = orderIds;
      return orderIds.length === 1 && orderId !== undefined
        ? { kind: 'CancelOrder', account, orderId }
        : { kind: 'BatchCancel', account, orderIds };
    }
    case '/v1/orders/cancel-all':
      only(body, []);
      return { kind: 'CancelAll', account };
    case '/v1/orders/replace':
      only(body, ['cancels', 'orders', 'nowMs']);
      return {
        kind: 'BatchReplace',
        account,
        nowMs: msOf(body, 'nowMs'),
        cancels: ids('cancels'),
        orders: orders(),
      };
    case '/v1/orders/schedule-cancel':
      only(body, ['triggerMs', 'nowMs']);
      return {
        kind: 'ScheduleCancel',
        account,
        triggerMs: msOf(body, 'triggerMs'),
        nowMs: msOf(body, 'nowMs'),
      };
    case '/v1/orders/twap':
      return readTwap(body, context);
    case '/v1/positions/tpsl':
      return readTpsl(body, context);
    case '/v1/account/leverage': {
      only(body, ['symbol', 'leverage']);
      const leverage = Number(body['leverage']);
      const { signingMarketId } = marketOf(body, context);
      return {
        kind: 'SetLeverage',
        account,
        market: signingMarketId,
        customImfPpm: Math.floor(1_000_000 / leverage),
      };
    }
    default:
      return undefined;
  }
}

function readOrder(value: unknown, context: BodyContext): CanonicalOrder {
  const fields = recordOf(value);
  only(fields, ['symbol', 'side', 'price', 'size', 'timeInForce', 'reduceOnly', 'clientOrderId']);
  const market = marketOf(fields, context);
  const side = fields['side'];
  const tif = fields['timeInForce'];
  if (side !== 'buy' && side !== 'sell') throw new Error(`the side ${String(side)}`);
  if (tif !== 'gtc' && tif !== 'ioc' && tif !== 'fok' && tif !== 'postOnly')
    throw new Error(`the time in force ${String(tif)}`);
  if (typeof fields['reduceOnly'] !== 'boolean') throw new Error('reduceOnly that is no flag');
  const price = scaled(fields['price'], market.priceDecimals);
  const lots = scaled(fields['size'], market.sizeDecimals);
  if (price % BigInt(market.tickStep) !== 0n) throw new Error(`a price off its tick: ${price}`);
  if (lots % BigInt(market.lotStep) !== 0n) throw new Error(`a size off its lot: ${lots}`);
  return {
    market: market.signingMarketId,
    side,
    price: Number(price),
    lots,
    tif,
    reduceOnly: fields['reduceOnly'],
  };
}

/** An order with a trigger, alone in its write. */
function readConditional(item: Readonly<Record<string, unknown>>, context: BodyContext) {
  const { trigger, ...plain } = item;
  const fields = recordOf(trigger);
  only(fields, ['price', 'above']);
  const triggerPrice = Number(scaled(fields['price'], marketOf(item, context).priceDecimals));
  if (typeof fields['above'] !== 'boolean') throw new Error('a trigger whose side is no flag');
  const order = readOrder(plain, context);
  return { kind: 'PlaceConditional' as const, ...order, triggerPrice, triggerAbove: fields['above'] };
}

function readTwap(body: Readonly<Record<string, unknown>>, context: BodyContext): CanonicalCommand {
  const plan = ['slices', 'intervalMs', 'priceTolerancePpm', 'nowMs'] as const;
  only(body, ['symbol', 'side', 'size', 'reduceOnly', ...plan]);
  const market = marketOf(body, context);
  const { side, reduceOnly } = body;
  if (side !== 'buy' && side !== 'sell') throw new Error(`the side ${String(side)}`);
  if (typeof reduceOnly !== 'boolean') throw new Error('reduceOnly that is no flag');
  const [slices, intervalMs, priceTolerancePpm, nowMs] = plan.map((name) => msOf(body, name)) as [
    ...[number, number, number, number],
  ];
  const totalLots = scaled(body['size'], market.sizeDecimals);
  if (totalLots < BigInt(slices * market.lotStep)) throw new Error(`${slices} slices of ${totalLots} lots`);
  const head = { kind: 'PlaceTwap', account: context.account, market: market.signingMarketId } as const;
  return { ...head, side, totalLots, slices, intervalMs, priceTolerancePpm, reduceOnly, nowMs };
}

/** A take-profit and stop-loss of a position: a bot ties none to an order. */
function readTpsl(body: Readonly<Record<string, unknown>>, context: BodyContext): CanonicalCommand {
  only(body, ['symbol', 'closeSide', 'takeProfit', 'stopLoss', 'nowMs']);
  const { signingMarketId, priceDecimals } = marketOf(body, context);
  const { closeSide } = body;
  if (closeSide !== 'buy' && closeSide !== 'sell') throw new Error(`the side ${String(closeSide)}`);
  const leg = (name: 'takeProfit' | 'stopLoss'): readonly [number, number] => {
    if (body[name] === undefined) return [0, 0];
    const fields = recordOf(body[name]);
    only(fields, ['triggerPrice', 'price']);
    return [
      Number(scaled(fields['triggerPrice'], priceDecimals)),
      Number(scaled(fields['price'], priceDecimals)),
    ];
  };
  const [[tpTrigger, tpPrice], [slTrigger, slPrice]] = [leg('takeProfit'), leg('stopLoss')];
  if (tpTrigger + slTrigger === 0) throw new Error('no leg');
  const head = { kind: 'PlaceTpslPair', account: context.account, market: signingMarketId } as const;
  const legs = { tpTrigger, tpPrice, slTrigger, slPrice } as const;
  const ends = { positionTpsl: true, parentOrderId: undefined, nowMs: msOf(body, 'nowMs') } as const;
  return { ...head, closeSide, lots: 0n, ...legs, ...ends };
}

function readId(value: unknown, context: BodyContext): CanonicalOrderId {
  const fields = recordOf(value);
  only(fields, ['symbol', 'orderId']);
  const market = marketOf(fields, context).signingMarketId;
  const text = String(fields['orderId']);
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(text)) throw new Error(`the order number ${text}`);
  const number = BigInt(text);
  return { market, orderSeq: number < 1n << 48n ? number : number & ((1n << 48n) - 1n) };
}

/** Decimal text as an integer of its last decimal: digit by digit, never through a binary fraction. */
function scaled(value: unknown, decimals: number): bigint {
  const match = typeof value === 'string' ? /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(value) : null;
  const fraction = match?.[2] ?? '';
  if (match === null || fraction.length > decimals)
    throw new Error(`${String(value)} where at most ${decimals} decimals stand`);
  const number = BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`);
  if (number === 0n) throw new Error('a price or a size of zero');
  return number;
}

function marketOf(fields: Readonly<Record<string, unknown>>, context: BodyContext): Market {
  const market = context.market(String(fields['symbol']));
  if (market === undefined) throw new Error(`the market ${String(fields['symbol'])}`);
  return market;
}

function msOf(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`${name} that is no time: ${String(value)}`);
  return value;
}

function listOf(fields: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw new Error(`${name} that is no list`);
  return value;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error('an item that is no object');
  return value as Record<string, unknown>;
}

function only(fields: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`the field ${other}`);
}

function orderBytes(order: CanonicalOrder): string {
  const side = SIDES.indexOf(order.side);
  const tif = LIFETIMES.indexOf(order.tif);
  return `${le(order.market, 2)}${le(side, 1)}${le(order.price, 4)}${le(order.lots, 8)}${le(tif, 1)}${order.reduceOnly ? '01' : '00'}`;
}

function idBytes({ market, orderSeq }: CanonicalOrderId): string {
  return le((BigInt(market) << 48n) | orderSeq, 8);
}

function listBytes<Item>(items: readonly Item[], bytes: (item: Item) => string): string {
  return le(items.length, 4) + items.map(bytes).join('');
}

/** Little-endian, fixed width. */
function le(value: number | bigint, width: number): string {
  const digits = BigInt.asUintN(8 * width, BigInt(value))
    .toString(16)
    .padStart(2 * width, '0');
  let text = '';
  for (let at = digits.length; at > 0; at -= 2) text += digits.slice(at - 2, at);
  return text;
}
