/**
 * @module
 * What the exchange does to the bot's position on its own (faults F47): it closes some of it in the book, closes it
 * against somebody's debt without a fill, or settles funding.
 */

import type { Random } from '../../../src/core/index.ts';
import { quantums, ticks } from '../../../src/domain/index.ts';
import type { ExchangeRequest } from '../../../src/exchange/index.ts';
import type { Fault, World } from '../types.ts';
import { atNext } from './exchange-support.ts';

const MINUTE_MS = 60_000;

/** The exchange's own engine closes a part of the position in the book, as a liquidation does. */
function closeByForce(world: World, draw: Random): void {
  const { control } = world.exchange;
  const { accountId } = world.account;
  const [position] = control.venue.positions(accountId);
  if (position === undefined) return;
  const { market, lots } = position;
  const size = draw.chance(0.5) ? Math.abs(lots) : draw.integer(1, Math.abs(lots));
  const { bids, asks } = control.venue.book(market, 100);
  const [price] = (lots > 0 ? bids : asks).at(-1) ?? [0];
  if (price === 0) return;
  const order = {
    market,
    side: lots > 0 ? 'sell' : 'buy',
    price,
    lots: BigInt(size),
    tif: 'ioc',
    reduceOnly: true,
  } as const;
  const nowMs = world.clock.nowMs();
  const { events } = control.execute({ kind: 'BatchPlace', account: accountId, nowMs, orders: [order] });
  if (events.some(({ kind }) => kind === 'Fill')) world.hit('F47');
}

/** What a debtor has for each quantum of what he owes: a little more than the initial margin of 5 %. */
const MARGIN_PPM = 60_000n;
/** He owes more than the bot's own orders could close. */
const DEBT_FACTOR = 40;
/** How far the price goes against him: more than he has. */
const AGAINST = 0.12;

/**
 * Somebody who holds the other side comes to owe more than he has while nobody else trades: the exchange closes him against
 * those who gain, at mark and without a fill (deleverage). One block later the price is back. It takes effect where the bot
 * is among those.
 */
function deleverage(world: World): void {
  const { exchange, account, clock } = world;
  const { control } = exchange;
  const [position] = control.venue.positions(account.accountId);
  const view = control.venue.markets().find(({ market }) => market.signingMarketId === position?.market);
  if (position === undefined || view === undefined) return;
  const { market, indexTicks } = view;
  const isLong = position.lots > 0;
  const { bids, asks } = control.venue.book(position.market, 100);
  const [price, depth] = [(isLong ? bids : asks).at(-1)?.[0], (isLong ? bids : asks).length];
  if (price === undefined || depth === 0) return;
  const nowMs = clock.nowMs();
  const owed = BigInt(DEBT_FACTOR * Math.abs(position.lots));
  const notional = owed * BigInt(indexTicks) * market.quantumsPerTickLot;
  const debtor = control.createFundedAccount({
    balance: quantums((notional * MARGIN_PPM) / 1_000_000n),
    apiWallets: 0,
  });
  const order = {
    ...{ market: position.market, side: isLong ? ('sell' as const) : ('buy' as const), price, lots: owed },
    ...{ tif: 'ioc' as const, reduceOnly: false },
  };
  control.execute({ kind: 'BatchPlace', account: debtor.accountId, nowMs, orders: [order] });
  // Accounts are numbered as they come to be: those of the market have no wallets and are in no list.
  for (let id = 1; id < debtor.accountId; id++)
    if (id !== account.accountId) control.execute({ kind: 'CancelAll', account: id });
  const moved = Math.round(indexTicks * (isLong ? 1 + AGAINST : 1 - AGAINST));
  control.price({ symbol: market.symbol, price: ticks(moved) });
  control.blocks({ count: 1 });
  control.price({ symbol: market.symbol, price: ticks(indexTicks) });
}

/** Worlds whose log is looked at: a deleverage of the bot counts as one, no matter who owed. */
const watched = new WeakSet<World>();

function watchDeleverages(world: World): void {
  if (watched.has(world)) return;
  watched.add(world);
  world.exchange.control.watch(({ events }) => {
    for (const event of events)
      if (event.kind === 'Deleverage' && event.counterAccount === world.account.accountId) world.hit('F47');
  });
}

/** A position that changes without the bot, and funding at any time. */
const FORCED: Fault = {
  id: 'F47',
  what: 'the position is reduced by force, or funding settles',
  strike: (world, draw) => {
    watchDeleverages(world);
    const act = (): void => {
      const kind = draw.next();
      if (kind < 0.5) {
        closeByForce(world, draw);
        return;
      }
      if (kind < 0.65) {
        deleverage(world);
        return;
      }
      world.exchange.control.settleFunding();
      world.hit('F47');
    };
    if (draw.chance(0.5)) {
      act();
      return undefined;
    }
    return atNext(world, MINUTE_MS, {
      matches: (request: ExchangeRequest) => request.method === 'POST',
      act,
    });
  },
};

/** F47. */
export const FAULTS: readonly Fault[] = [FORCED];
