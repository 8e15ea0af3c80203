/**
 * @module
 * The client's gateway and stream layer against an embedded exchange, on a virtual clock: what a bot has below its
 * runtime. Keeps the facts that come out.
 */

import { createInMemoryJournal, type InMemoryJournal } from '../../../../src/bot/journal/index.ts';
import { seededRandom, silentLog, silentMeter } from '../../../../src/core/index.ts';
import type { Fact, MarketSymbol } from '../../../../src/domain/index.ts';
import { type ExchangeSettings, inProcessTransport } from '../../../../src/exchange/index.ts';
import { createGateway, type Gateway, type Transport } from '../../../../src/wire/gateway/index.ts';
import type { DecodeContext, SubscriptionParams } from '../../../../src/wire/protocol/index.ts';
import { createStream, type Stream } from '../../../../src/wire/stream/index.ts';
import { startTestExchange, type TestExchange } from '../../../support/test-exchange.ts';

/** A stream layer on an exchange. */
export interface ExchangeScene {
  readonly exchange: TestExchange;
  /** Another wallet, to trade against. */
  readonly other: TestExchange;
  readonly journal: InMemoryJournal;
  readonly gateway: Gateway;
  readonly stream: Stream;
  readonly facts: Fact[];
  of<Type extends Fact['type']>(type: Type): Extract<Fact, { type: Type }>[];
  advance(ms: number): Promise<void>;
  /** The wallet rests a buy of so much BTC at the price, the other sells into it. */
  fill(price: string, size: string): void;
  /** A new stream layer over the same journal: what a restart is. */
  restart(): ExchangeScene;
}

/** What a scene can be told. */
export interface SceneOptions {
  readonly settings?: Partial<ExchangeSettings>;
  readonly market?: readonly SubscriptionParams[];
  readonly wrap?: (transport: Transport) => Transport;
  readonly journal?: InMemoryJournal;
  readonly seed?: number;
}

/** Starts exchange, gateway and stream; nothing has moved yet. */
export async function openScene(options: SceneOptions = {}): Promise<ExchangeScene> {
  const exchange = await startTestExchange(options.settings);
  const other = exchange.another();
  // Both learn their nonces while the replica is near; later it may be far behind.
  exchange.blocks(2);
  for (const client of [exchange, other]) {
    client.write('/v1/orders/schedule-cancel', { triggerMs: 0, nowMs: client.nowMs });
  }
  return joinScene(exchange, other, options);
}

function joinScene(exchange: TestExchange, other: TestExchange, options: SceneOptions): ExchangeScene {
  const { clock } = exchange;
  const random = seededRandom(options.seed ?? 5);
  const carried = inProcessTransport(exchange.exchange, { clock });
  const gateway = createGateway({
    baseUrl: 'http://exchange',
    transport: options.wrap?.(carried) ?? carried,
    clock,
    random,
    log: silentLog,
    meter: silentMeter,
  });
  const journal = options.journal ?? createInMemoryJournal();
  const facts: Fact[] = [];
  const markets: DecodeContext = {
    collateralDecimals: 6,
    market: (symbol: MarketSymbol) =>
      exchange.exchange.control.venue.markets().find(({ market }) => market.symbol === symbol)?.market,
  };
  const stream = createStream({
    clock,
    random,
    sockets: gateway.sockets,
    history: gateway.history,
    effects: journal,
    subscriptions: {
      selection: { address: exchange.address, subaccount: 0 },
      market: options.market ?? [{ channel: 'book', symbol: 'BTC-USD' }],
    },
    markets,
    sink: (fact) => facts.push(fact),
    onPong: (pong) => gateway.serverClock.observe(pong),
    log: silentLog,
    meter: silentMeter,
  });
  stream.start();
  return {
    exchange,
    other,
    journal,
    gateway,
    stream,
    facts,
    of: (type) => facts.filter((fact) => fact.type === type) as never,
    advance: (ms) => clock.advanceAsync(ms),
    fill: (price, size) => {
      const query = '?ack=sequenced';
      exchange.place([{ price, size }], { query });
      other.place([{ side: 'sell', price, size, timeInForce: 'ioc' }], { query });
    },
    restart: () => {
      stream.stop();
      return joinScene(exchange, other, { ...options, journal });
    },
  };
}
