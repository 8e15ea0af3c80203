/**
 * @module
 * Faults of the ledger and of the exchange's own life (faults F31, F32, F40) as strikes of the simulation.
 */
import type { Random } from '../../../src/core/index.ts';
import type { ExchangeRequest } from '../../../src/exchange/index.ts';
import type { Fault, World } from '../types.ts';
import { asksFor, atNext, lasting, logUniform, pickOne } from './exchange-support.ts';

const MINUTE_MS = 60_000;

/** The moments at which a new ledger hurts most; `undefined`: now. */
function momentOf(world: World, draw: Random): ((request: ExchangeRequest) => boolean) | undefined {
  return pickOne(draw, [
    undefined,
    asksFor(world, 'POST', '/v1/orders'),
    asksFor(world, 'GET', '/v1/account/fills', '/v1/account/ledger'),
    asksFor(world, 'GET', '/v1/requests/'),
    asksFor(world, 'GET', '/v1/account/nonce'),
  ] as const);
}

/** Does it now, or the moment such a request arrives. */
function atMoment(world: World, draw: Random, act: () => void): undefined {
  const matches = momentOf(world, draw);
  if (matches !== undefined) return atNext(world, MINUTE_MS, { matches, act });
  act();
  return undefined;
}

/** Idle, during a write, during a backfill, between an answer and the next; streams cut or kept. */
const EPOCHS: Fault = {
  id: 'F31',
  what: 'the ledger is begun again',
  perMinute: 0.3,
  strike: (world, draw) =>
    atMoment(world, draw, () => {
      world.hit('F31');
      world.exchange.control.epoch({ keepStreams: draw.chance(0.5) });
    }),
};

function lag(world: World, draw: Random): void {
  const { control } = world.exchange;
  world.hit('F32');
  switch (pickOne(draw, ['now', 'dropped', 'repeated'] as const)) {
    case 'now':
      control.lagStreams({ dropped: draw.integer(0, 500) });
      return;
    case 'dropped':
      control.dropFrames();
      world.clock.after(logUniform(draw, 10, 3_000), () =>
        control.lagStreams({ dropped: draw.integer(0, 3) }),
      );
      return;
    default:
      // Nothing is missing: the bound may lie at, or before, the one of the frame before it.
      control.repeatLagged({
        upperSeq: Math.max(1, world.exchange.seq - (draw.chance(0.5) ? 0 : draw.integer(0, 200))),
      });
  }
}

/** One, or a storm of them: during a backfill too, with bounds equal to, above and below the last one. */
const LAGGED: Fault = {
  id: 'F32',
  what: 'subscribers lag',
  strike: (world, draw) => {
    const count = draw.chance(0.5) ? 1 : draw.integer(2, 12);
    const everyMs = logUniform(draw, 5, 3_000);
    for (let n = 0; n < count; n++)
      world.clock.after(n * everyMs, () => {
        if (!world.isHealed) lag(world, draw);
      });
    return undefined;
  },
};

/** The last position at which a write of the bot's account stands: rolled back behind it no nonce is spent twice. */
const OWN_WRITES = new WeakMap<World, { seq: number }>();

function lastOwnWrite(world: World): { readonly seq: number } {
  const known = OWN_WRITES.get(world);
  if (known !== undefined) return known;
  const last = { seq: world.exchange.seq };
  OWN_WRITES.set(world, last);
  world.exchange.control.watch(({ receipt }, _entry, at) => {
    if (receipt !== undefined) last.seq = at.seq;
  });
  return last;
}

/**
 * Down for a while; then the same ledger, or one that has lost what strangers did since the bot's last write, fills of
 * the bot included.
 */
function restart(world: World, draw: Random): undefined {
  const { control, settings } = world.exchange;
  const last = lastOwnWrite(world);
  const isRolledBack = settings.keepsLog && draw.chance(0.4);
  return atMoment(world, draw, () => {
    world.hit('F40');
    const downMs = logUniform(draw, 50, 25_000);
    if (!world.exchange.isDown)
      control.restart({ down: downMs, ...(isRolledBack ? { rollBackTo: last.seq } : {}) });
  });
}

/** Another signing domain for a while: a bot that sees it ends its run by name and is started again. */
function otherDomain(world: World, draw: Random): undefined {
  const { control, settings } = world.exchange;
  const { domain } = settings;
  const chainId = draw.chance(0.5) ? domain.chainId : domain.chainId + 1;
  control.domain({ ...domain, chainId, version: `${domain.version}.${draw.integer(1, 9)}` });
  atNext(world, MINUTE_MS, {
    matches: ({ method, path }) => method === 'POST' || path.endsWith('/v1/exchange'),
    act: () => world.hit('F40'),
  });
  lasting(world, draw.integer(1_000, 30_000), () => control.domain(domain));
}

/**
 * Restarts with the state kept or rolled back, and changes of version or domain. Expected: the bot goes on after a
 * restart; after a change of domain it ends its run, and the next life reads everything again.
 */
const RESTARTS: Fault = {
  id: 'F40',
  what: 'the exchange restarts, loses its last moments, or becomes another',
  perMinute: 0.15,
  strike: (world, draw) => (draw.chance(0.75) ? restart(world, draw) : otherDomain(world, draw)),
};

/** F31, F32, F40. */
export const FAULTS: readonly Fault[] = [EPOCHS, LAGGED, RESTARTS];
