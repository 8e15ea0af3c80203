/**
 * @module
 * Strategies with one fault each, as people write them, and the scenario of an examination that must catch it. Each trades
 * soundly apart from its fault.
 */
import { readFileSync } from 'node:fs';
import {
  defineStrategy,
  type MarketView,
  order,
  param,
  type StrategyContext,
  type StrategyDefinition,
  type StrategyHandlers,
} from '../../src/bot/strategy/index.ts';
import type { Lots, Ticks } from '../../src/domain/index.ts';

/** A strategy with its fault. */
export interface FaultyStrategy {
  readonly fault: string;
  /** Scenarios of which each must catch it. */
  readonly caughtBy: readonly string[];
  readonly definition: StrategyDefinition;
}

const SIZE = '0.003';
const MOST = '0.03';

/** Quotes both sides around the mid, within its largest position; `half` in ppm of the mid. */
function quoteBoth(context: StrategyContext, view: MarketView, half = 300): undefined {
  const mid = view.externalMidTicks;
  if (mid === undefined || !view.isFresh || !view.isTradable) {
    context.pullQuotes('no mid', view.symbol);
    return;
  }
  const [size, most] = [SIZE, MOST].map((text) => stepped(view, text)) as [number, number];
  const away = Math.max((mid * half) / 1_000_000, view.market.tickStep);
  const level = (priceTicks: Ticks) => [{ priceTicks, sizeLots: size as Lots }];
  const isWorth = (ticks: number) =>
    BigInt(Math.round(ticks * size)) * view.market.quantumsPerTickLot >= view.minNotional;
  context.quote(view.symbol, {
    bids: view.inventoryLots + size <= most && isWorth(mid - away) ? level(view.floorTicks(mid - away)) : [],
    asks: view.inventoryLots - size >= -most && isWorth(mid) ? level(view.ceilTicks(mid + away)) : [],
  });
}

/** A size rounded to the step that the market has now. */
function stepped(view: MarketView, text: string): number {
  const { lotStep, sizeDecimals } = view.market;
  return Math.max(lotStep, Math.floor((Number(text) * 10 ** sizeDecimals) / lotStep + 1e-9) * lotStep);
}

function faulty(
  fault: string,
  caughtBy: readonly string[],
  make: (context: StrategyContext) => StrategyHandlers,
): FaultyStrategy {
  const name = fault
    .replaceAll(/[^a-z]+/g, '-')
    .slice(0, 30)
    .replace(/-$/, '');
  const parameters = param.object({});
  return {
    fault,
    caughtBy,
    definition: defineStrategy({ name, parameters, create: (context) => make(context) }),
  };
}

/** The sound maker with something otherwise. */
const maker =
  (change: (context: StrategyContext) => StrategyHandlers) =>
  (context: StrategyContext): StrategyHandlers => ({
    onBook: (view) => quoteBoth(context, view),
    ...change(context),
  });

/** The sound maker itself: it must pass everything. */
export const SOUND: StrategyDefinition = faulty(
  'sound',
  [],
  maker(() => ({})),
).definition;

let shared = 0;
const priceAt = new Map<number, number>();

/** See the module. */
export const FAULTY: readonly FaultyStrategy[] = [
  faulty('throws when the book is empty', ['empty-book', 'no-bids'], (context) => ({
    onBook(view, book) {
      if (book.bidCount === 0) throw new RangeError('no best bid');
      quoteBoth(context, view);
    },
  })),
  faulty('takes a side that is not there for a number', ['no-asks', 'empty-book'], (context) => ({
    onBook(view, book) {
      const mid = ((book.bidTicks[0] as number) + (book.askTicks[0] as number)) / 2;
      const priceTicks = Math.floor(mid * 0.999) as Ticks;
      context.quote(view.symbol, { bids: [{ priceTicks, sizeLots: view.lotsOf(SIZE) }], asks: [] });
    },
  })),
  faulty('prices with binary fractions', ['calm-market'], (context) => ({
    onBook(view) {
      const priceTicks = ((view.externalMidTicks ?? 1_000) * 0.9995) as Ticks;
      if (view.inventoryLots < 1_000)
        context.quote(view.symbol, { bids: [{ priceTicks, sizeLots: view.lotsOf(SIZE) }], asks: [] });
    },
  })),
  faulty('keeps the tick of the start', ['tick-change'], (context) => {
    let step = 0;
    return {
      onBook(view) {
        step ||= view.market.tickStep;
        const mid = view.externalMidTicks;
        if (mid === undefined || view.inventoryLots > 1_000) return context.pullQuotes('none', view.symbol);
        const priceTicks = (Math.floor((mid * 0.9995) / step) * step) as Ticks;
        context.quote(view.symbol, { bids: [{ priceTicks, sizeLots: view.lotsOf(SIZE) }], asks: [] });
      },
    };
  }),
  faulty('improves both sides of a narrow market', ['one-tick-wide'], (context) => ({
    onBook(view) {
      const [bid, ask] = [view.externalBidTicks, view.externalAskTicks];
      if (bid === undefined || ask === undefined) return context.pullQuotes('none', view.symbol);
      const sizeLots = stepped(view, SIZE) as Lots;
      const step = view.market.tickStep;
      const isMore = view.inventoryLots < 1_000;
      context.quote(view.symbol, {
        bids: isMore ? [{ priceTicks: (bid + step) as Ticks, sizeLots }] : [],
        asks: view.inventoryLots > -1_000 ? [{ priceTicks: (ask - step) as Ticks, sizeLots }] : [],
      });
    },
  })),
  faulty('has no largest position', ['bids-filled', 'asks-filled'], (context) => ({
    onBook(view) {
      const mid = view.externalMidTicks;
      if (mid === undefined) return context.pullQuotes('none', view.symbol);
      const sizeLots = stepped(view, SIZE) as Lots;
      context.quote(view.symbol, {
        bids: [{ priceTicks: view.floorTicks(mid * 0.9997), sizeLots }],
        asks: [{ priceTicks: view.ceilTicks(mid * 1.0003), sizeLots }],
      });
    },
  })),
  faulty('doubles its size after each fill', ['all-filled'], (context) => {
    let factor = 1;
    return {
      onBook(view) {
        const mid = view.externalMidTicks;
        if (mid === undefined) return context.pullQuotes('none', view.symbol);
        const sizeLots = (stepped(view, SIZE) * factor) as Lots;
        const isLong = view.inventoryLots > 0;
        const level = (priceTicks: Ticks) => [{ priceTicks, sizeLots }];
        context.quote(view.symbol, {
          bids: isLong ? [] : level(view.floorTicks(mid * 0.9997)),
          asks: isLong ? level(view.ceilTicks(mid * 1.0003)) : [],
        });
      },
      onFill() {
        factor *= 2;
      },
    };
  }),
  faulty('waits forever after a rejection', ['post-only-refused', 'rejected-for-margin'], (context) => {
    let isWaiting = false;
    return {
      onBook(view) {
        if (!isWaiting) quoteBoth(context, view);
      },
      onOrder({ status }) {
        if (status === 'rejected') isWaiting = true;
      },
    };
  }),
  faulty('never quotes again once data were stale', ['stale-market', 'account-gap'], (context) => {
    let isDown = false;
    return {
      onBook(view) {
        if (!isDown) quoteBoth(context, view);
      },
      onDegraded() {
        isDown = true;
      },
    };
  }),
  faulty('forgets over a restart what it holds', ['restart-with-inventory'], (context) => {
    let held = 0;
    return {
      onBook(view) {
        const mid = view.externalMidTicks;
        if (mid === undefined || held >= 2_000) return context.pullQuotes('none', view.symbol);
        const level = { priceTicks: view.floorTicks(mid * 0.9997), sizeLots: stepped(view, SIZE) as Lots };
        context.quote(view.symbol, { bids: [level], asks: [] });
      },
      onFill({ side, sizeLots }) {
        held += side === 'buy' ? sizeLots : -sizeLots;
      },
    };
  }),
  faulty(
    'looks at the clock of the machine',
    ['hidden-clock'],
    maker(() => ({
      onTrade() {
        if (Date.now() < 0) throw new Error('before 1970');
      },
    })),
  ),
  faulty(
    'makes a date of now',
    ['hidden-clock'],
    maker(() => ({
      onPrices() {
        if (new Date().getUTCFullYear() < 1970) throw new Error('before 1970');
      },
    })),
  ),
  faulty('draws without a seed', ['hidden-randomness'], (context) => ({
    onBook: (view) => quoteBoth(context, view, 300 + Math.random()),
  })),
  faulty(
    'starts a timer of the process',
    ['hidden-timer'],
    maker(() => ({
      onStart() {
        setTimeout(() => undefined, 1).unref();
      },
    })),
  ),
  faulty(
    'asks the network',
    ['hidden-network'],
    maker(() => ({
      onFill() {
        fetch('http://127.0.0.1:9/').catch(() => undefined);
      },
    })),
  ),
  faulty(
    'reads a file',
    ['hidden-file'],
    maker(() => ({
      onStart() {
        readFileSync(import.meta.filename);
      },
    })),
  ),
  faulty('shares a variable among instances', ['two-instances', 'same-run-twice'], (context) => ({
    onBook(view) {
      shared++;
      quoteBoth(context, view, 300 + (shared % 7) * 20);
    },
  })),
  faulty('knows the future from the run before', ['look-ahead'], (context) => ({
    onBook(view) {
      const now = context.now();
      priceAt.set(now, view.externalMidTicks ?? 0);
      const later = priceAt.get(now + 1_000) ?? priceAt.get(now + 1_250) ?? 0;
      quoteBoth(context, view, later > (view.externalMidTicks ?? 0) ? 200 : 400);
    },
  })),
  faulty(
    'overwrites the book',
    ['shared-views'],
    maker((context) => ({
      onBook(view, book) {
        if (book.bidCount > 1) book.bidLots[1] = 1;
        quoteBoth(context, view);
      },
    })),
  ),
  faulty(
    'sorts its orders in place',
    ['shared-views'],
    maker((context) => ({
      onBook(view) {
        (view.orders as unknown as unknown[]).reverse();
        quoteBoth(context, view);
      },
    })),
  ),
  faulty('keeps every book', ['very-long-run'], (context) => {
    const books: unknown[] = [];
    return {
      onBook(view, book) {
        books.push({ bids: book.bidTicks.slice(), asks: book.askTicks.slice() });
        quoteBoth(context, view);
      },
    };
  }),
  faulty(
    'saves all that it has seen',
    ['very-long-run'],
    maker(() => {
      const seen: number[] = [];
      return {
        onPrices: ({ midTicks }) => {
          seen.push(midTicks ?? 0);
        },
        onSave: () => seen,
      };
    }),
  ),
  faulty('moves its quotes with each frame', ['flood'], (context) => {
    let count = 0;
    return { onBook: (view) => quoteBoth(context, view, 300 + (count++ % 2) * 50) };
  }),
  faulty('places an order with each book', ['calm-market'], (context) => ({
    onBook(view) {
      const mid = view.externalMidTicks;
      if (mid === undefined) return;
      const level = { priceTicks: view.floorTicks(mid * 0.99), sizeLots: stepped(view, SIZE) as Lots };
      context.place(order.postOnly({ symbol: view.symbol, side: 'buy', ...level }));
    },
  })),
  faulty('quotes at each level of the book', ['deep-book'], (context) => ({
    onBook(view, book) {
      const sizeLots = stepped(view, '0.0002') as Lots;
      const bids = Array.from(book.bidTicks, (price) => ({
        priceTicks: view.floorTicks(price * 0.999),
        sizeLots,
      }));
      context.quote(view.symbol, { bids: bids.length < 15 ? [] : [...bids, ...bids], asks: [] });
    },
  })),
  faulty(
    'trusts what was saved',
    ['odd-state'],
    maker(() => ({
      onLoad(saved) {
        Object.keys((saved as { readonly levels: object }).levels);
      },
    })),
  ),
  faulty(
    'takes each fill for a whole order',
    ['partial-fills'],
    maker(() => ({
      onFill({ sizeLots }) {
        if (sizeLots < 100) throw new RangeError('an order that is not filled whole');
      },
    })),
  ),
  faulty(
    'looks up the order of a fill',
    ['fill-before-answer', 'fill-after-cancel'],
    maker(() => {
      const prices = new Map<string, number>();
      return {
        onOrder({ orderId, spec, status }) {
          if (orderId === undefined || spec === undefined) return;
          if (status === 'canceled') prices.delete(orderId);
          else prices.set(orderId, spec.priceTicks);
        },
        onFill({ orderId }) {
          const price = prices.get(orderId);
          if (price === undefined) throw new TypeError(`order ${orderId} is not in the table`);
        },
      };
    }),
  ),
  faulty(
    'makes up for each timer it missed',
    ['clock-leap', 'hours-of-silence'],
    maker((context) => {
      let dueMs = 0;
      return {
        onBook(view) {
          dueMs ||= context.now();
          for (; dueMs < context.now(); dueMs += 1_000) context.pullQuotes('a second', view.symbol);
          quoteBoth(context, view);
        },
      };
    }),
  ),
  faulty('subtracts an amount from a low price', ['low-price'], (context) => ({
    onBook(view) {
      const mid = view.externalMidTicks;
      if (mid === undefined) return context.pullQuotes('none', view.symbol);
      const priceTicks = (Math.floor(mid) - 50) as Ticks;
      context.quote(view.symbol, { bids: [{ priceTicks, sizeLots: stepped(view, SIZE) as Lots }], asks: [] });
    },
  })),
  faulty('needs a market', ['no-market'], (context) => {
    const first = context.symbols[0] as string;
    const length = first.length;
    return { onBook: (view) => quoteBoth(context, view, 300 + length) };
  }),
  faulty('answers with a promise', ['calm-market'], (context) => ({
    onBook: (async (view: MarketView) => {
      quoteBoth(context, view);
    }) as never,
  })),
  {
    fault: 'divides by a parameter that may be 0',
    caughtBy: ['parameter-edges'],
    definition: defineStrategy({
      name: 'divides',
      parameters: param.object({ parts: param.integer({ min: 0, max: 10 }).prefault(2) }),
      create: (context, { parts }) => ({
        onBook(view) {
          const mid = view.externalMidTicks;
          if (mid === undefined) return context.pullQuotes('none', view.symbol);
          const sizeLots = Math.floor(stepped(view, SIZE) / parts) as Lots;
          if (view.inventoryLots < 1_000)
            context.quote(view.symbol, {
              bids: [{ priceTicks: view.floorTicks(mid * 0.9997), sizeLots }],
              asks: [],
            });
        },
      }),
    }),
  },
  {
    fault: 'throws at new parameters',
    caughtBy: ['new-parameters'],
    definition: defineStrategy({
      name: 'fixed',
      parameters: param.object({ half: param.ppm({ min: 100 }).prefault(300) }),
      create: (context, { half }) => ({
        onBook: (view) => quoteBoth(context, view, half),
        onParameters() {
          throw new Error('not yet');
        },
      }),
    }),
  },
  {
    fault: 'has a rule over bars that sees the next bar',
    caughtBy: ['look-ahead'],
    definition: defineStrategy({
      name: 'sees',
      parameters: param.object({}),
      create: (context) => ({ onBook: (view) => quoteBoth(context, view) }),
      bars: () => ({ targetLots: ({ close }, at) => ((close[at + 1] ?? 0) > (close[at] ?? 0) ? 10 : -10) }),
    }),
  },
];
