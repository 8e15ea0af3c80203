/**
 * @module
 * Faults of the account itself (faults F41 to F46, F70) as strikes of the simulation: fills that race the bot's
 * own writes, the switch, grants, and everybody else who may act on the account.
 */
import type { Random } from '../../../src/core/index.ts';
import { type Address, type CanonicalCommand, quantums } from '../../../src/domain/index.ts';
import type { VenueOrder } from '../../../src/exchange/engine/index.ts';
import type { RequestFault } from '../../../src/exchange/index.ts';
import type { Fault, FaultId, World } from '../types.ts';
import {
  asksFor,
  atNext,
  lasting,
  logUniform,
  openOrders,
  ownerOf,
  pickOne,
  strikeExchange,
  takeFrom,
} from './exchange-support.ts';

const MINUTE_MS = 60_000;

/** Takes all or a part of one or more of the bot's orders, and counts what was taken. */
function race(world: World, draw: Random, id: FaultId): void {
  for (const order of openOrders(world)) {
    if (draw.chance(0.4)) continue;
    const lots = draw.chance(0.5) ? order.remainingLots : draw.integer(1, order.remainingLots);
    if (takeFrom(world, order, lots)) world.hit(id);
  }
}

/** The moments around a write: before it is carried out, or between its commit and its answer. */
function racing(id: FaultId, what: string, ...paths: readonly string[]): Fault {
  return {
    id,
    what,
    strike: (world, draw) => {
      const isAfter = draw.chance(0.4);
      return atNext(world, MINUTE_MS, {
        matches: (request) => asksFor(world, 'POST', ...paths)(request) && openOrders(world).length > 0,
        act: () => {
          if (isAfter) world.clock.soon(() => race(world, draw, id));
          else race(world, draw, id);
        },
      });
    },
  };
}

/** What comes when the switch is to fire; the last one of a life is its shutdown. */
const FIRE_AT = [
  '/v1/orders/schedule-cancel',
  '/v1/orders/replace',
  '/v1/orders/cancel',
  '/v1/orders',
] as const;
function fire(world: World): void {
  if (world.exchange.control.fireDeadMansSwitch({ account: world.account.accountId }).wasArmed)
    world.hit('F43');
}

/** The switch fires although nobody let it: at once, or around a write. */
const FIRED: Fault = {
  id: 'F43',
  what: 'the switch fires',
  perMinute: 0.4,
  strike: (world, draw) => {
    if (draw.chance(0.3)) {
      fire(world);
      return undefined;
    }
    const isAfter = draw.chance(0.5);
    return atNext(world, MINUTE_MS, {
      matches: asksFor(world, 'POST', pickOne(draw, FIRE_AT)),
      act: () => {
        if (isAfter) world.clock.soon(() => fire(world));
        else fire(world);
      },
    });
  },
};

function armFault(draw: Random): RequestFault {
  const delayMs = logUniform(draw, 100, 20_000);
  return pickOne<RequestFault>(draw, [
    { kind: 'dropRequest' },
    { kind: 'dropResponse' },
    { kind: 'delayRequest', delayMs },
    { kind: 'deliverAfterTimeout', delayMs },
    { kind: 'reject', forced: { reason: 'InvalidScheduleCancel', isNonceConsumed: true } },
  ]);
}

/** Arms of the switch are lost, late, or rejected. */
const ARMS: Fault = {
  id: 'F44',
  what: 'the switch is not armed, or late',
  strike: (world, draw) =>
    strikeExchange(world, draw, {
      id: 'F44',
      forMs: MINUTE_MS,
      times: draw.integer(1, 4),
      matches: asksFor(world, 'POST', '/v1/orders/schedule-cancel'),
      faultOf: () => armFault(draw),
    }),
};

/**
 * An API wallet of the bot is revoked, or its grant runs out within seconds. Expected: its lane closes at the first
 * refusal, orders go, the run ends by name; the next life gets other wallets from its owner.
 */
const GRANTS: Fault = {
  id: 'F45',
  what: 'an API wallet loses its grant',
  perMinute: 0.15,
  strike: (world, draw) => {
    const agents = world.agents();
    const agent = agents[draw.integer(0, Math.max(0, agents.length - 1))];
    if (agent === undefined) return undefined;
    const { control } = world.exchange;
    const { owner: account, subaccount } = ownerOf(world);
    const by = { account, subaccount, agent };
    if (draw.chance(0.6)) control.revoke(by);
    else control.approve({ ...by, validUntilMs: world.clock.nowMs() + draw.integer(1_000, 90_000) });
    world.hit('F45');
    return undefined;
  },
};

/** Acts on the bot's account, as the one or the other may. True when it took effect. */
type Act = (operationOf: (account: number) => CanonicalCommand) => boolean;

function cancelSome(world: World, draw: Random, act: Act): boolean {
  const orderIds = openOrders(world)
    .filter(() => draw.chance(0.6))
    .map(({ market, orderSeq }) => ({ market, orderSeq }));
  if (orderIds.length === 0) return false;
  if (draw.chance(0.2)) return act((account) => ({ kind: 'CancelAll', account }));
  return act((account) => ({ kind: 'BatchCancel', account, orderIds }));
}

/** A small order of somebody else, near the bot's own or across the market. */
function placeOne(world: World, draw: Random, act: Act): boolean {
  const { venue } = world.exchange.control;
  const [view] = venue.markets();
  if (view === undefined) return false;
  const { market } = view;
  const { bids, asks } = venue.book(market.signingMarketId, 1);
  const [bid] = bids[0] ?? [view.markTicks];
  const [ask] = asks[0] ?? [view.markTicks];
  const isBuy = draw.chance(0.5);
  const awayTicks = Math.round(view.markTicks * 0.002 * draw.next());
  const far = isBuy ? bid - awayTicks : ask + awayTicks;
  const price = draw.chance(0.3) ? (isBuy ? ask : bid) : far;
  const lots = BigInt(Math.ceil(20_000_000 / Number(market.quantumsPerTickLot) / price));
  const stepped = price - (price % market.tickStep);
  return act((account) => ({
    kind: 'BatchPlace',
    account,
    nowMs: world.clock.nowMs(),
    orders: [
      {
        market: market.signingMarketId,
        side: isBuy ? 'buy' : 'sell',
        price: Math.max(market.tickStep, stepped),
        lots: lots * BigInt(market.lotStep),
        tif: 'gtc',
        reduceOnly: false,
      },
    ],
  }));
}

function changeLeverage(world: World, draw: Random, act: Act): boolean {
  const [view] = world.exchange.control.venue.markets();
  if (view === undefined) return false;
  const market = view.market.signingMarketId;
  const customImfPpm = pickOne(draw, [100_000, 200_000, 500_000] as const);
  return act((account) => ({ kind: 'SetLeverage', account, market, customImfPpm }));
}

/** An order that comes long after its expiry, as from a queue (ambiguity A8). It is rejected either way. */
function placeLate(world: World, _draw: Random, act: Act): boolean {
  const [view] = world.exchange.control.venue.markets();
  if (view === undefined) return false;
  const nowMs = world.clock.nowMs();
  act((account) => ({
    kind: 'PlaceOrder',
    account,
    market: view.market.signingMarketId,
    side: 'buy',
    price: view.market.tickStep,
    lots: 1n,
    tif: 'gtc',
    reduceOnly: true,
    goodTilMs: nowMs - 60_000,
    nowMs: nowMs - 61_000,
    router: 0,
    routerFeePpm: 0,
  }));
  return true;
}

/** A stop far from the market (ambiguity A13). */
function placeStop(world: World, draw: Random): boolean {
  const { control } = world.exchange;
  const [view] = control.venue.markets();
  if (view === undefined) return false;
  const { market, indexTicks } = view;
  const isAbove = draw.chance(0.5);
  const trigger = Math.round(indexTicks * (isAbove ? 3 : 0.2));
  const price = trigger - (trigger % market.tickStep);
  const { accountId } = world.account;
  const numbers = () => control.venue.triggerOrders(accountId).map(({ orderSeq }) => orderSeq);
  const before = numbers();
  const { status } = control.execute({
    kind: 'PlaceConditional',
    account: accountId,
    market: market.signingMarketId,
    side: isAbove ? 'buy' : 'sell',
    price,
    lots: BigInt(market.lotStep),
    tif: 'gtc',
    reduceOnly: true,
    goodTilMs: 0,
    triggerPrice: price,
    triggerAbove: isAbove,
    nowMs: world.clock.nowMs(),
  });
  for (const number of numbers()) if (!before.includes(number)) world.foreignStops.add(number);
  return status === 'executed';
}

const MEDDLERS = [cancelSome, placeOne, placeOne, changeLeverage, placeLate, placeStop] as const;

function meddle(world: World, draw: Random, agent: Address | undefined): boolean {
  const { control } = world.exchange;
  const owner = ownerOf(world);
  const act: Act = (operationOf) => {
    // A writer of its own scope may skip numbers (ambiguity A2): only where that is allowed it takes effect.
    const by = agent === undefined ? owner : { ...owner, agent, aheadBy: draw.chance(0.2) ? 3n : 0n };
    return control.submit(by, operationOf).status === 'executed';
  };
  return pickOne(draw, MEDDLERS)(world, draw, act);
}

/** Takes away what is not the bot's, when a strike is over: it would stay forever. */
function tidyUp(world: World, before: ReadonlySet<bigint>, mine: readonly VenueOrder[]): void {
  const { control } = world.exchange;
  for (const { market, orderSeq } of mine) {
    if (before.has(orderSeq) || control.venue.openOrder(market, orderSeq) === undefined) continue;
    const orderId = { market, orderSeq };
    control.submit(ownerOf(world), (account) => ({ kind: 'CancelOrder', account, orderId }));
  }
  world.cancelForeignStops();
}

function strikeAccount(world: World, draw: Random, id: FaultId, agent?: Address): undefined {
  const before = new Set(openOrders(world).map(({ orderSeq }) => orderSeq));
  if (meddle(world, draw, agent)) world.hit(id);
  const mine = openOrders(world);
  lasting(world, logUniform(draw, 500, MINUTE_MS), () => tidyUp(world, before, mine));
}

/**
 * The main wallet acts beside the bot. Expected: an order that is not the bot's is named; when it is filled trading halts
 * by name (M2), until a person, or the next life, has looked.
 */
const OPERATOR: Fault = {
  id: 'F46',
  what: 'the main wallet places, cancels, changes leverage',
  perMinute: 0.5,
  strike: (world, draw) => strikeAccount(world, draw, 'F46'),
};

const SUBACCOUNT_CASH = quantums(1_000_000_000n);

/** A second bot of the wallet, on another of its accounts, ends: its cancel-all may reach further than it thinks (ambiguity A19). */
function cancelElsewhere(world: World): void {
  const { control } = world.exchange;
  const owner = world.account.address;
  const subaccount = world.account.subaccount === 0 ? 1 : 0;
  if (control.accountId(owner, subaccount) === undefined) {
    control.subaccount({ account: owner });
    control.fund({ account: owner, amount: SUBACCOUNT_CASH, subaccount });
  }
  control.submit({ owner, subaccount }, (account) => ({ kind: 'CancelAll', account }));
  world.hit('F70');
}

/** Its heartbeats move the switch of the whole account, as if the bot were alive too. */
function renewElsewhere(world: World, draw: Random): void {
  const { clock, exchange } = world;
  const renew = (): void => {
    const nowMs = clock.nowMs();
    const by = { ...ownerOf(world), agent: SECOND_AGENT };
    const { status } = exchange.control.submit(by, (number) => ({
      kind: 'ScheduleCancel',
      account: number,
      triggerMs: nowMs + SECOND_TRIGGER_MS,
      nowMs,
    }));
    if (status === 'executed') world.hit('F70');
  };
  renew();
  const beats = clock.every(SECOND_HEARTBEAT_MS, renew);
  lasting(world, logUniform(draw, SECOND_HEARTBEAT_MS, MINUTE_MS), () => beats.cancel());
}

/**
 * A second bot with an API wallet of its own, on the same account or on a subaccount. Its grant ends with it. Expected: as
 * with the main wallet.
 */
const SECOND_BOT: Fault = {
  id: 'F70',
  what: 'another API wallet acts on the account',
  perMinute: 0.5,
  strike: (world, draw) => {
    const { control } = world.exchange;
    if (draw.chance(0.2)) {
      cancelElsewhere(world);
      return undefined;
    }
    const { owner: account, subaccount } = ownerOf(world);
    const grant = { account, subaccount, agent: SECOND_AGENT };
    control.approve(grant);
    if (draw.chance(0.3)) renewElsewhere(world, draw);
    else strikeAccount(world, draw, 'F70', SECOND_AGENT);
    lasting(world, logUniform(draw, 500, MINUTE_MS), () => control.revoke(grant));
    return undefined;
  },
};

/** The second bot keeps the switch as the first does. */
const SECOND_TRIGGER_MS = 20_000;
const SECOND_HEARTBEAT_MS = 5_000;
const SECOND_AGENT: Address = `0x${'5e'.repeat(20)}` as Address;

/** F41 to F46, F70. */
export const FAULTS: readonly Fault[] = [
  racing('F41', 'fills race a cancel', '/v1/orders/cancel'),
  racing('F42', 'fills race a replace', '/v1/orders/replace'),
  FIRED,
  ARMS,
  GRANTS,
  OPERATOR,
  SECOND_BOT,
];
