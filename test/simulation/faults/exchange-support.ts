/**
 * @module
 * What the faults of the exchange's side have in common: strikes on requests as they reach the exchange, things that are
 * done at the very moment of a request, a look at answers, and liquidity of a stranger.
 */
import { assertNever, isRecord, must, type Random } from '../../../src/core/index.ts';
import { type Address, type CanonicalOrder, quantums, type Side } from '../../../src/domain/index.ts';
import type { VenueOrder } from '../../../src/exchange/engine/index.ts';
import type { ExchangeAnswer, ExchangeRequest, RequestFault } from '../../../src/exchange/index.ts';
import type { FaultId, Sight, World } from '../types.ts';

export { logUniform, pickOne } from '../network/strikes.ts';

/** How often a strike that waits looks whether the world was healed. */
const LOOK_MS = 500;

/**
 * Ends `ends` after `forMs`, or when the world is healed: strikes of this side wait for a moment, or need a time of their
 * own, so they end on their own.
 */
export function lasting(world: World, forMs: number, ...ends: readonly (() => void)[]): void {
  const untilMs = world.clock.monotonicMs() + forMs;
  const timer = world.clock.every(LOOK_MS, () => {
    if (!world.isHealed && world.clock.monotonicMs() < untilMs) return;
    timer.cancel();
    for (const end of ends) end();
  });
}

/** The account that the bot trades, as a writer names it. */
export function ownerOf({ account }: World): { readonly owner: Address; readonly subaccount: number } {
  return { owner: account.address, subaccount: account.subaccount };
}

/** A path of the interface, without prefix and query. */
export function pathOf(world: World, { path }: Pick<ExchangeRequest, 'path'>): string {
  return must(path.slice(world.exchange.settings.basePath.length).split('?', 1)[0], 'a path');
}

/** Is this a request to a path that begins so? */
export function asksFor(
  world: World,
  method: 'GET' | 'POST',
  ...starts: readonly string[]
): (request: ExchangeRequest) => boolean {
  return (request) => {
    if (request.method !== method) return false;
    const path = pathOf(world, request);
    return starts.some((start) => path.startsWith(start));
  };
}

/** Which requests a strike hits when they arrive, and what the exchange does to them. */
export interface ExchangeStrike {
  readonly id: FaultId;
  readonly forMs: number;
  /** Share of the matching requests; default: all. */
  readonly chance?: number;
  /** Ends after so many; default: no bound. */
  readonly times?: number;
  matches(request: ExchangeRequest): boolean;
  faultOf(request: ExchangeRequest): RequestFault;
  /** Of an edit: it counts itself what it changed. */
  readonly countsItself?: boolean;
}

/** Strikes requests at the exchange until its time or its number is over. */
export function strikeExchange(world: World, draw: Random, strike: ExchangeStrike): undefined {
  const { id, forMs, chance = 1, times = Number.POSITIVE_INFINITY } = strike;
  const end = world.exchange.control.disturb({
    times,
    matches: (request) => strike.matches(request) && (chance >= 1 || draw.chance(chance)),
    fault: (request) => {
      if (strike.countsItself !== true) world.hit(id);
      return strike.faultOf(request);
    },
  });
  lasting(world, forMs, end);
}

/** Does something the moment the next matching request arrives, before it is carried out; once. */
export function atNext(
  world: World,
  forMs: number,
  when: { matches(request: ExchangeRequest): boolean; act(request: ExchangeRequest): void },
): undefined {
  let isDone = false;
  const end = world.exchange.control.disturb({
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'delayRequest', delayMs: 0 },
    matches: (request) => {
      if (!isDone && when.matches(request)) {
        isDone = true;
        when.act(request);
      }
      return false;
    },
  });
  lasting(world, forMs, end);
}

/** Makes the bot read its history: it lags, or loses its streams. */
export function provokeBackfill(world: World, draw: Random): void {
  const { control } = world.exchange;
  if (draw.chance(0.5)) control.lagStreams({ dropped: draw.integer(0, 50) });
  else control.disconnect();
}

/** Makes the bot ask for a receipt: the answer to its next write is lost. */
export function provokeReceipt(world: World): void {
  world.exchange.control.disturb({
    fault: { kind: 'dropResponse' },
    matches: ({ method }) => method === 'POST',
  });
}

type Look = (sight: Sight) => void;
const LOOKS = new WeakMap<World, Set<Look>>();

/** Looks at every sight until the function it returns is called. */
export function look(world: World, onSight: Look): () => void {
  let looks = LOOKS.get(world);
  if (looks === undefined) {
    const made = new Set<Look>();
    LOOKS.set(world, made);
    world.watch((sight) => {
      for (const one of made) one(sight);
    });
    looks = made;
  }
  const all = looks;
  all.add(onSight);
  return () => void all.delete(onSight);
}

/** An error in the form of the interface. */
export function errorAnswer(
  status: number,
  code: string,
  details: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): ExchangeAnswer {
  const body = JSON.stringify({ error: { code, num: 1, message: `${code}, by a fault`, details } });
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** An answer with its JSON body changed; as it is when `change` gives nothing. */
export function withBody(
  answer: ExchangeAnswer,
  change: (body: Readonly<Record<string, unknown>>) => object | undefined,
): ExchangeAnswer {
  const body: unknown = JSON.parse(answer.body);
  const changed = isRecord(body) ? change(body) : undefined;
  return changed === undefined ? answer : { ...answer, body: JSON.stringify(changed) };
}

/** The bot's open orders. */
export function openOrders({ exchange, account }: World): readonly VenueOrder[] {
  return exchange.control.venue.openOrders(account.accountId);
}

/** The other side. */
export function opposite(side: Side): Side {
  switch (side) {
    case 'buy':
      return 'sell';
    case 'sell':
      return 'buy';
    default:
      return assertNever(side);
  }
}

const STRANGERS = new WeakMap<World, number>();
const STRANGERS_CASH = quantums(1_000_000_000_000_000n);

/** The account of somebody else, with plenty of money. */
export function stranger(world: World): number {
  let account = STRANGERS.get(world);
  // A restart that rolled the log back may have taken it away.
  if (account === undefined || !world.exchange.control.venue.hasAccount(account)) {
    account = world.exchange.control.createParticipant(STRANGERS_CASH);
    STRANGERS.set(world, account);
  }
  return account;
}

/** A stranger places one order. */
export function strangerPlaces(world: World, order: CanonicalOrder): void {
  const nowMs = world.clock.nowMs();
  world.exchange.control.execute({ kind: 'BatchPlace', account: stranger(world), nowMs, orders: [order] });
}

/** A stranger trades through to an order of the bot and takes some of its lots. True when something was taken. */
export function takeFrom(world: World, order: VenueOrder, lots: number): boolean {
  const { venue } = world.exchange.control;
  const { bids, asks } = venue.book(order.market, 100);
  const levels = order.side === 'buy' ? bids : asks;
  const isBefore = (ticks: number) =>
    order.side === 'buy' ? ticks > order.priceTicks : ticks < order.priceTicks;
  // Who stands at better prices is taken first; who came first at the same price may be too.
  const before = levels.reduce((sum, [ticks, size]) => (isBefore(ticks) ? sum + size : sum), 0);
  strangerPlaces(world, {
    market: order.market,
    side: opposite(order.side),
    price: order.priceTicks,
    lots: BigInt(before + lots),
    tif: 'ioc',
    reduceOnly: false,
  });
  const now = venue.openOrder(order.market, order.orderSeq);
  return now === undefined || now.remainingLots < order.remainingLots;
}
