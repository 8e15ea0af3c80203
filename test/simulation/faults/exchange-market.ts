/**
 * @module
 * Faults of markets, prices and the server's clock (faults F39, F48, F49) as strikes of the simulation.
 */
import { isRecord, must, parseJson, type Random } from '../../../src/core/index.ts';
import { lots, ticks } from '../../../src/domain/index.ts';
import type { VenueMarketView } from '../../../src/exchange/engine/index.ts';
import type { ExchangeAnswer } from '../../../src/exchange/index.ts';
import { channelOf } from '../network/strikes.ts';
import type { Fault, World } from '../types.ts';
import {
  asksFor,
  lasting,
  logUniform,
  look,
  pickOne,
  strangerPlaces,
  strikeExchange,
  withBody,
} from './exchange-support.ts';

const MINUTE_MS = 60_000;

/** The market that the bot trades. */
function marketOf({ exchange }: World): VenueMarketView {
  return must(exchange.control.venue.markets()[0], 'a market');
}

function halted(world: World, draw: Random): undefined {
  const { control } = world.exchange;
  const { market } = marketOf(world);
  // At its end a market settles what is held there: the position goes without a fill, once.
  const status = pickOne(draw, ['Paused', 'CancelOnly', 'FinalSettlement', 'ASTATUSNOBODYKNOWS'] as const);
  control.marketStatus({ symbol: market.symbol, status });
  world.hit('F39');
  lasting(world, logUniform(draw, 500, MINUTE_MS), () =>
    control.marketStatus({ symbol: market.symbol, status: 'Active' }),
  );
}

/** Coarser steps: what rests may stand between them. Two such times may overlap: in the end the steps are the first ones. */
function otherSteps(world: World, draw: Random): undefined {
  const { control, settings } = world.exchange;
  const { symbol } = marketOf(world).market;
  const listed = settings.markets.find(({ market }) => market.symbol === symbol);
  const { tickStep, lotStep } = must(listed, 'a market of the settings').market;
  const isTick = draw.chance(0.5);
  control.marketRules({
    symbol,
    ...(isTick
      ? { tickSize: ticks(tickStep * draw.integer(2, 10)) }
      : { lotSize: lots(lotStep * draw.integer(2, 5)) }),
  });
  world.hit('F39');
  lasting(world, logUniform(draw, 1_000, MINUTE_MS), () =>
    control.marketRules({ symbol, tickSize: tickStep, lotSize: lotStep }),
  );
}

type MarketEntry = Readonly<Record<string, unknown>>;

/** The market is not listed any more, or counts otherwise: as the table has it. */
function otherTable(
  answer: ExchangeAnswer,
  change: (entry: MarketEntry) => readonly object[],
): ExchangeAnswer {
  return withBody(answer, (body) => {
    const { markets } = body;
    if (!Array.isArray(markets)) return undefined;
    const [first, ...others] = markets as readonly MarketEntry[];
    return first === undefined ? undefined : { ...body, markets: [...change(first), ...others] };
  });
}

/**
 * The table of markets says other decimals, another signing id, or nothing at all of the market. Expected: a bot that sees
 * other numbers ends its run by name before it signs anything by them; a market that is gone is not traded.
 */
function relisted(world: World, draw: Random): undefined {
  const { number } = world.bot.life;
  const field = pickOne(draw, ['signingMarketId', 'priceDecimals', 'sizeDecimals', 'absent'] as const);
  return strikeExchange(world, draw, {
    id: 'F39',
    forMs: draw.integer(500, 20_000),
    // A life that begins with a table nobody else goes by would sign what nobody understands.
    matches: (request) =>
      asksFor(world, 'GET', '/v1/markets')(request) &&
      world.bot.life.number === number &&
      world.bot.life.state === 'running',
    faultOf: () => ({
      kind: 'edit',
      edit: (answer) =>
        otherTable(answer, (entry) =>
          field === 'absent' ? [] : [{ ...entry, [field]: Number(entry[field]) + 1 }],
        ),
    }),
  });
}

/** Halted, other steps, other decimals or id, delisted; each for a while. */
const MARKETS: Fault = {
  id: 'F39',
  what: 'the market is halted, delisted, or has other rules',
  perMinute: 0.3,
  strike: (world, draw) => pickOne(draw, [halted, halted, otherSteps, relisted])(world, draw),
};

/** The index jumps by up to a half and comes back. */
function gap(world: World, draw: Random): undefined {
  const { control } = world.exchange;
  const { market, indexTicks } = marketOf(world);
  const share = logUniform(draw, 0.005, 0.5);
  const factor = draw.chance(0.5) ? 1 + share : 1 - share;
  control.price({ symbol: market.symbol, price: ticks(Math.max(1, Math.round(indexTicks * factor))) });
  world.hit('F48');
  lasting(world, draw.integer(500, 10_000), () =>
    control.price({ symbol: market.symbol, price: ticks(indexTicks) }),
  );
}

/** Someone takes one side of the book, or both. */
function emptied(world: World, draw: Random): undefined {
  const { venue } = world.exchange.control;
  const { market } = marketOf(world);
  const { bids, asks } = venue.book(market.signingMarketId, 100);
  for (const [levels, side] of [
    [asks, 'buy'],
    [bids, 'sell'],
  ] as const) {
    const last = levels.at(-1);
    if (last === undefined || draw.chance(0.4)) continue;
    const sum = levels.reduce((total, [, size]) => total + size, 0);
    const order = { market: market.signingMarketId, side, price: last[0], lots: BigInt(sum) };
    strangerPlaces(world, { ...order, tif: 'ioc', reduceOnly: false });
    world.hit('F48');
  }
  return undefined;
}

type Told = Readonly<Record<string, unknown>>;

/** A book that is crossed, empty on a side, or holds prices that are none. */
function oddBook(data: Told, draw: Random): Told {
  const { bids, asks } = data;
  return pickOne<Told>(draw, [
    { ...data, bids: asks, asks: bids },
    { ...data, bids: [], asks: [] },
    { ...data, bids: [['0', '1']] },
    { ...data, asks: [['-5', '1']] },
    { ...data, bids: [['99999999999999999999', '1']] },
    { ...data, asks: [['1e9', '1']] },
    { ...data, asks: [[null, '1']] },
  ]);
}

function oddPrices(data: Told, draw: Random): Told {
  const { prices } = data;
  if (!Array.isArray(prices)) return data;
  const price = pickOne<unknown>(draw, ['0', '-1', '99999999999999999999', '1e400', null, 7]);
  return {
    ...data,
    prices: prices.map((entry: unknown) =>
      isRecord(entry) ? { ...entry, markPrice: price, indexPrice: price } : entry,
    ),
  };
}

/** Frames of book and prices that say what no market is like. The next one is right again. */
function absurd(world: World, draw: Random): undefined {
  const share = draw.next() * 0.6;
  const end = world.network.onFrame((text, way) => {
    const channel = channelOf(text);
    if (way !== 'toBot' || (channel !== 'book' && channel !== 'prices') || !draw.chance(share))
      return undefined;
    const frame = parseJson(text);
    if (!isRecord(frame) || !isRecord(frame['data'])) return undefined;
    const data = channel === 'book' ? oddBook(frame['data'], draw) : oddPrices(frame['data'], draw);
    world.hit('F48');
    return [{ text: JSON.stringify({ ...frame, data }), delayMs: 0 }];
  });
  lasting(world, draw.integer(1_000, 20_000), end);
}

/** Nothing is told of the market any more, although the stream lives. */
function frozen(world: World, draw: Random): undefined {
  const end = world.network.onFrame((text, way) => {
    const channel = channelOf(text);
    if (way !== 'toBot' || (channel !== 'book' && channel !== 'prices' && channel !== 'bbo'))
      return undefined;
    world.hit('F48');
    return [];
  });
  // A frame of a state is lost with the next one at the latest, so nothing is owed afterwards.
  lasting(world, logUniform(draw, 500, MINUTE_MS), end);
}

/** Gaps, empty and crossed books, absurd and frozen prices. */
const PRICES: Fault = {
  id: 'F48',
  what: 'prices jump, freeze, or are none',
  strike: (world, draw) => pickOne(draw, [gap, emptied, absurd, frozen])(world, draw),
};

const SKEW_MS_MAX = 5_000;

/** The clock that the gateway tells is wrong, jumps, drifts, or goes back from answer to answer. */
const SERVER_CLOCK: Fault = {
  id: 'F49',
  what: 'the clock of the server is wrong',
  strike: (world, draw) => {
    const { control } = world.exchange;
    const skewMs = (2 * draw.next() - 1) * SKEW_MS_MAX;
    const beganAtMs = world.clock.monotonicMs();
    const kind = pickOne(draw, ['skewed', 'drifting', 'jumping'] as const);
    const spreadMs = logUniform(draw, 50, SKEW_MS_MAX);
    control.clockSkew({
      ms: () => {
        if (kind === 'skewed') return skewMs;
        if (kind === 'jumping') return (2 * draw.next() - 1) * spreadMs;
        const share = Math.min(1, (world.clock.monotonicMs() - beganAtMs) / (MINUTE_MS / 6));
        return skewMs * share;
      },
    });
    const endLook = look(world, (sight) => {
      const isEmitted = sight.kind === 'answer' || sight.kind === 'frame';
      const text = sight.kind === 'answer' ? sight.body : sight.kind === 'frame' ? sight.text : '';
      if (isEmitted && (text.includes('"serverTime"') || text.startsWith('{"channel":"pong"')))
        world.hit('F49');
    });
    lasting(world, logUniform(draw, 2_000, MINUTE_MS), () => control.clockSkew({ ms: () => 0 }), endLook);
  },
};

/** F39, F48, F49. */
export const FAULTS: readonly Fault[] = [MARKETS, PRICES, SERVER_CLOCK];
