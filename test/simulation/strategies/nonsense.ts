/**
 * @module
 * Intents that mean nothing, in more than two hundred forms (F64): every field of everything a strategy can ask for with
 * every kind of value that does not belong there. None of them may reach an exchange or stop anybody but its author.
 */
import { type MarketView, order, type StrategyContext } from '../../../src/bot/strategy/index.ts';

/** One form. */
export interface Nonsense {
  readonly name: string;
  act(context: StrategyContext, view: MarketView): void;
}

/** Made once: it is large on purpose. */
const HUGE_TEXT = '9'.repeat(10_000_000);

function cyclic(): object {
  const one: { self?: object; readonly bids: object[] } = { bids: [] };
  one.self = one;
  one.bids.push(one);
  return one;
}

/** Values that are no price, no size, no number of anything. Those of `OBJECTS` are made again each time. */
const VALUES: Readonly<Record<string, unknown>> = {
  'not a number': Number.NaN,
  'minus zero': -0,
  infinity: Number.POSITIVE_INFINITY,
  'minus infinity': Number.NEGATIVE_INFINITY,
  '1e400': Number('1e400'),
  'the greatest number': Number.MAX_VALUE,
  'a fraction': 0.1,
  negative: -1,
  'beyond safe integers': 2 ** 53,
  'scientific text': '1e3',
  'hexadecimal text': '0x10',
  'text with a space': ' 1',
  'text with a separator': '1_000',
  'text with a comma': '1,5',
  'negative text': '-5',
  'empty text': '',
  'text of not a number': 'NaN',
  'ten megabytes of text': HUGE_TEXT,
  true: true,
  null: null,
  undefined: undefined,
  'a bigint': 10n,
  'a symbol': Symbol('price'),
};

const OBJECTS: Readonly<Record<string, () => unknown>> = {
  'a list': () => [1],
  'a record': () => ({ value: 1 }),
  'a function': () => () => 1,
  'an object with a value': () => ({ valueOf: () => 1, toString: () => '1' }),
  'a cyclic object': cyclic,
  'a date': () => new Date(0),
  'an object whose text throws': () => ({
    toString: () => {
      throw new Error('a text that throws');
    },
  }),
};

type Make = (value: unknown) => Nonsense['act'];

/** Where such a value can stand; the rest of the intent is right. */
const PLACES: Readonly<Record<string, Make>> = {
  'price of a quote in ticks': (value) => quoted((level) => ({ ...level, priceTicks: value })),
  'size of a quote in lots': (value) => quoted((level) => ({ ...level, sizeLots: value })),
  'price of a quote': (value) => quoted(({ sizeLots }) => ({ sizeLots, price: value })),
  'size of a quote': (value) => quoted(({ priceTicks }) => ({ priceTicks, size: value })),
  'level of a quote': (value) => quoted(() => value),
  'side of a quote': (value) => (context, view) =>
    context.quote(view.symbol, { bids: value, asks: [] } as never),
  'target of a quote': (value) => (context, view) => context.quote(view.symbol, value as never),
  'tolerance of a quote': (value) => (context, view) =>
    context.quote(
      view.symbol,
      { bids: [levelOf(view)], asks: [] } as never,
      { sizeToleranceLots: typeof value === 'number' && value >= 0 ? -1 : value } as never,
    ),
  'market of a quote': (value) => (context, view) =>
    context.quote(value as never, { bids: [levelOf(view)], asks: [] } as never),
  'price of an order in ticks': (value) => placed({ priceTicks: value }),
  'size of an order in lots': (value) => placed({ sizeLots: value }),
  'side of an order': (value) => placed({ side: value }),
  'time in force of an order': (value) => placed({ timeInForce: value }),
  'market of an order': (value) => placed({ symbol: value }),
  order: (value) => (context) => void context.place(value as never),
  'order to cancel': (value) => (context, view) =>
    context.cancel({ symbol: view.symbol, orderId: value } as never),
  'reference to cancel': (value) => (context) => context.cancel(value as never),
  leverage: (value) => (context, view) => context.setLeverage(view.symbol, value as never),
  'market of leverage': (value) => (context) => context.setLeverage(value as never, 1),
};

/** Forms that are wrong as a whole. */
const SHAPES: Readonly<Record<string, Nonsense['act']>> = {
  'a market of others': (context, view) =>
    void context.place({ ...draftOf(view), symbol: 'DOGE-USD' } as never),
  'a prototype key as market': (context, view) =>
    context.quote('__proto__' as never, { bids: [levelOf(view)], asks: [] } as never),
  'a constructor as market': (context) => context.setLeverage('constructor' as never, 1),
  'a polluted order': (context) =>
    void context.place(JSON.parse('{"__proto__":{"side":"buy"},"symbol":"BTC-USD"}')),
  'an order of another account': (context, view) =>
    void context.place({ ...draftOf(view), account: '0x00', symbol: 'ETH' } as never),
  'a getter that throws': (context, view) =>
    context.quote(view.symbol, {
      get bids(): never {
        throw new Error('a getter');
      },
      asks: [],
    }),
  'a proxy of everything': (context, view) =>
    context.quote(view.symbol, new Proxy({}, { get: () => () => 1 }) as never),
  'a list without end': (context, view) =>
    context.quote(view.symbol, { bids: { length: 2 ** 32 }, asks: [] } as never),
  'a list with holes': (context, view) =>
    context.quote(view.symbol, { bids: new Array(3), asks: [] } as never),
  'more levels than there can be': (context, view) =>
    context.quote(view.symbol, {
      bids: Array.from({ length: 100_000 }, () => levelOf(view)),
      asks: [],
    } as never),
  'a crossed target': (context, view) => {
    const { priceTicks, sizeLots } = levelOf(view);
    const far = Math.round(priceTicks / 2);
    context.quote(view.symbol, {
      bids: [{ priceTicks: priceTicks * 2, sizeLots }],
      asks: [{ priceTicks: far, sizeLots }],
    } as never);
  },
  'an expiry that is no number': (context, view) =>
    void context.place({ ...draftOf(view), expiresInMs: Number.NaN } as never),
  'an expiry in the past': (context, view) =>
    void context.place({ ...draftOf(view), expiresInMs: -1 } as never),
  'a tolerance that is no number': (context, view) =>
    context.quote(
      view.symbol,
      { bids: [levelOf(view)], asks: [] } as never,
      { priceToleranceTicks: Number.NaN } as never,
    ),
  'quotes that take': (context, view) =>
    context.quote(view.symbol, { bids: [levelOf(view)], asks: [] } as never, { timeInForce: 'ioc' } as never),
  'a timer without end': (context) => context.startTimer('t', Number.POSITIVE_INFINITY),
  'a timer that is no number': (context) => context.startTimer('t', Number.NaN),
  'a timer beyond what a machine can wait': (context) => context.startTimer('t', 1e15),
  'an interval of nothing': (context) => context.startInterval('t', 0),
  'an interval beyond what a machine can wait': (context) => context.startInterval('t', 1e15),
  'a reason that is an object': (context) => context.pullQuotes(cyclic() as never),
  'a reason that is a bigint': (context) => context.pullQuotes(10n as never),
  'a reason whose JSON throws': (context) =>
    context.pullQuotes({
      toJSON: () => {
        throw new Error('no JSON');
      },
    } as never),
  'a timer with a cyclic name': (context) => context.startTimer(cyclic() as never, 1),
};

/** All forms, in an order that does not change. */
export const NONSENSE: readonly Nonsense[] = [
  ...Object.entries(PLACES).flatMap(([place, make]) => [
    ...Object.entries(VALUES).map(([name, value]) => ({ name: `${place}: ${name}`, act: make(value) })),
    ...Object.entries(OBJECTS).map(([name, made]) => ({
      name: `${place}: ${name}`,
      act: (context: StrategyContext, view: MarketView) => make(made())(context, view),
    })),
  ]),
  ...Object.entries(SHAPES).map(([name, act]) => ({ name, act })),
];

function levelOf(view: MarketView) {
  const mid = view.externalMidTicks ?? view.market.tickStep * 100;
  return { priceTicks: view.floorTicks(mid * 0.98), sizeLots: 1000 * view.market.lotStep };
}

function draftOf(view: MarketView) {
  return order.postOnly({ symbol: view.symbol, side: 'buy', ...levelOf(view) } as never);
}

function quoted(change: (level: ReturnType<typeof levelOf>) => unknown): Nonsense['act'] {
  return (context, view) => context.quote(view.symbol, { bids: [change(levelOf(view))], asks: [] } as never);
}

function placed(change: object): Nonsense['act'] {
  return (context, view) => void context.place({ ...draftOf(view), ...change } as never);
}
