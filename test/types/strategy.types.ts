/**
 * @module
 * What must not compile. Each `@ts-expect-error` is an error of the type checker if the line below it is fine, so
 * `npm run typecheck` is the test; nothing here runs.
 */

import {
  compose,
  Decimal,
  defineStrategy,
  order,
  param,
  type StrategyContext,
  type StrategyHandlers,
  topic,
} from '../../src/bot/strategy/index.ts';
import {
  type Approved,
  lots,
  type MarketSymbol,
  type OrderRef,
  type RoutedCommand,
  type TradingCommand,
  ticks,
  type VenuePort,
} from '../../src/domain/index.ts';

declare const context: StrategyContext;
declare const symbol: MarketSymbol;
declare const ref: OrderRef;
declare const venue: VenuePort;
declare const routed: RoutedCommand<TradingCommand>;
declare const approved: Approved<RoutedCommand<TradingCommand>>;

const priceTicks = ticks(5);
const sizeLots = lots(5);

export function intents(): void {
  context.quote(symbol, {
    bids: [{ priceTicks, sizeLots }],
    asks: [{ price: '5.0', size: new Decimal('0.1') }],
  });
  // @ts-expect-error a price is never a binary fraction
  context.quote(symbol, { bids: [{ price: 5.5, size: '1' }], asks: [] });
  // @ts-expect-error a plain number is no number of ticks
  context.quote(symbol, { bids: [{ priceTicks: 5, sizeLots }], asks: [] });
  // @ts-expect-error lots are not ticks
  context.quote(symbol, { bids: [{ priceTicks: sizeLots, sizeLots: priceTicks }], asks: [] });
  // @ts-expect-error a price without a size is no level
  context.quote(symbol, { bids: [{ priceTicks }], asks: [] });
  // @ts-expect-error a target has both sides, an empty one means none
  context.quote(symbol, { bids: [] });
  // @ts-expect-error any text is no market
  context.quote('BTC-PERP', { bids: [], asks: [] });
  // @ts-expect-error quotes rest
  context.quote(symbol, { bids: [], asks: [] }, { timeInForce: 'ioc' });
}

export function orders(): void {
  context.place(order.postOnly({ symbol, side: 'buy', priceTicks, sizeLots }));
  context.place(
    order.reduceOnly(order.limit({ symbol, side: 'sell', price: '1', size: '1', expiresInMs: 5 })),
  );
  // @ts-expect-error an order has a side
  context.place(order.ioc({ symbol, priceTicks, sizeLots }));
  // @ts-expect-error a side is buy or sell
  context.place(order.ioc({ symbol, side: 'bid', priceTicks, sizeLots }));
  // @ts-expect-error only the factory knows what an order needs
  context.place({ symbol, side: 'buy', priceTicks, sizeLots });
  // @ts-expect-error an order is canceled by its number and market
  context.cancel(ref.orderId);
}

export const promising = (): StrategyHandlers => ({
  onBook: () => undefined,
  // @ts-expect-error handlers are synchronous
  async onTrade() {
    await Promise.resolve();
  },
});

export const valued = (): StrategyHandlers => ({
  // @ts-expect-error handlers return nothing
  onTimer: () => 5,
});

export const typed = defineStrategy({
  name: 'typed',
  parameters: param.object({ size: param.decimal(), levels: param.integer() }),
  create: (_context, parameters) => {
    parameters.size.plus(1);
    // @ts-expect-error parameters have the types of their schema
    parameters.levels.plus(1);
    // @ts-expect-error a parameter that is not declared is not there
    void parameters.width;
    return {
      onParameters: (next) => {
        // @ts-expect-error new parameters have the same types
        const size: number = next.size;
        void size;
      },
    };
  },
});

const signal = topic('signal', param.object({ side: param.choice(['buy', 'sell']), size: param.decimal() }));
const pause = topic('pause', param.object({ isOn: param.flag() }));

export const messaging = defineStrategy({
  name: 'messaging',
  parameters: param.object({}),
  publishes: [signal],
  hears: [signal, pause],
  create: (own) => ({
    onStart() {
      own.publish(signal, { side: 'buy', size: '0.1' });
      // @ts-expect-error a value is of the form of its topic
      own.publish(signal, { side: 'long', size: '0.1' });
      // @ts-expect-error a decimal is published as text, never as a binary fraction
      own.publish(signal, { side: 'buy', size: 0.1 });
      // @ts-expect-error a value has all fields
      own.publish(signal, { side: 'buy' });
      // @ts-expect-error a topic is no text
      own.publish('signal', { side: 'buy', size: '0.1' });
    },
    onMessage(message) {
      // @ts-expect-error which topic it is of is not known yet
      void message.value.size;
      if (message.topic === 'signal') message.value.size.plus(1);
      else {
        const isOn: boolean = message.value.isOn;
        // @ts-expect-error a message is of its receivers all together, and read only
        message.value.isOn = !isOn;
      }
      // @ts-expect-error a topic that it does not hear
      if (message.topic === 'news') return;
    },
  }),
});

export const composedHearing = defineStrategy({
  name: 'composed',
  parameters: param.object({}),
  hears: [pause],
  create: (_own) =>
    compose(
      { onStop: () => undefined },
      {
        onMessage({ value }) {
          const isOn: boolean = value.isOn;
          void isOn;
        },
      },
    ),
});

export const deaf = defineStrategy({
  name: 'deaf',
  parameters: param.object({}),
  create: () => ({
    onMessage(message) {
      // @ts-expect-error it hears no topic
      void message.value;
    },
  }),
});

export function approval(): void {
  venue.submit(approved);
  // @ts-expect-error what did not pass risk does not compile into a send (rule R9)
  venue.submit(routed);
  // @ts-expect-error a trading command is no safety command
  venue.submitSafety(routed.command);
}

export function views(): void {
  const view = context.market(symbol);
  // @ts-expect-error views cannot be written
  view.inventoryLots = lots(5);
  // @ts-expect-error the account cannot be folded by a strategy
  context.account.fold({});
}
