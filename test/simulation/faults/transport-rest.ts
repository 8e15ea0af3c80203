/**
 * @module
 * Faults of the requests between bot and exchange (faults F1 to F13) as strikes of the simulation.
 */
import type { Random } from '../../../src/core/index.ts';
import { damaged, foreignAnswer, redirect } from '../network/garbage.ts';
import {
  during,
  isWrite,
  logUniform,
  pickOne,
  type RequestStrike,
  strikeRequests,
} from '../network/strikes.ts';
import type { Fault, FaultId, RequestFault, RequestSight, World } from '../types.ts';

const MINUTE_MS = 60_000;
/** No timeout of a client is as long. */
const NEVER_MS = 10 * MINUTE_MS;
const MIB = 1024 * 1024;

/** Share of the requests that probabilities of the catalogue are about, where it names none. */
const SHARE_MAX = 0.2;
const BODY_BYTES = 1_500;

type Draws = Omit<RequestStrike, 'id' | 'faultOf'>;

function fault(
  id: FaultId,
  what: string,
  parts: {
    readonly perMinute?: number;
    drawn(draw: Random): Draws;
    faultOf(draw: Random, request: RequestSight): RequestFault;
  },
): Fault {
  const { perMinute } = parts;
  return {
    id,
    what,
    ...(perMinute === undefined ? {} : { perMinute }),
    strike: (world, draw) =>
      strikeRequests(world, draw, {
        ...parts.drawn(draw),
        id,
        faultOf: (request) => parts.faultOf(draw, request),
      }),
  };
}

/** The next one to three requests, writes in most strikes. */
function nextFew(draw: Random): Draws {
  return {
    forMs: MINUTE_MS,
    chance: 1,
    times: draw.integer(1, 3),
    ...(draw.chance(0.7) ? { matches: isWrite } : {}),
  };
}

/** A share of all requests, for a while. */
function share(draw: Random, shareMax = SHARE_MAX): Draws {
  return { forMs: draw.integer(10_000, 2 * MINUTE_MS), chance: draw.next() * shareMax };
}

const BYTE_CUTS: readonly Fault[] = [
  fault('F2', 'a request is cut after some of its bytes', {
    drawn: nextFew,
    faultOf: (draw, { body }) => ({ kind: 'cutRequest', byte: draw.integer(0, body.length) }),
  }),
  fault('F3', 'an answer is cut after some of its bytes', {
    drawn: nextFew,
    faultOf: (draw) => ({ kind: 'cutAnswer', byte: draw.integer(0, BODY_BYTES) }),
  }),
];

const LOSSES: readonly Fault[] = [
  fault('F4', 'answers are lost', {
    drawn: (draw) => share(draw),
    faultOf: () => ({ kind: 'dropResponse' }),
  }),
  fault('F5', 'requests are lost', {
    drawn: (draw) => share(draw),
    faultOf: () => ({ kind: 'cutRequest', byte: 0 }),
  }),
  fault('F6', 'requests arrive when they were given up', {
    drawn: nextFew,
    faultOf: (draw) => ({
      kind: draw.chance(0.5) ? 'deliverAfterTimeout' : 'delayRequest',
      delayMs: logUniform(draw, 100, 120_000),
    }),
  }),
  fault('F7', 'requests are delivered twice', {
    drawn: (draw) => share(draw, 0.05),
    faultOf: (draw) => ({ kind: 'deliverTwice', delayMs: logUniform(draw, 1, 30_000) }),
    perMinute: 2,
  }),
];

const SLOWNESS: readonly Fault[] = [
  {
    id: 'F9',
    what: 'answers are slow, or stand in a queue',
    strike: (world, draw) => {
      const meanMs = logUniform(draw, 5, 2_000);
      const clogMs = draw.chance(0.5) ? draw.integer(0, 5_000) : 0;
      return strikeRequests(world, draw, {
        id: 'F9',
        forMs: draw.integer(2_000, MINUTE_MS),
        chance: 1,
        faultOf: () => ({ kind: 'delayResponse', delayMs: clogMs + draw.exponential(meanMs) }),
      });
    },
  },
  fault('F10', 'an answer drips, has no body, or is far too long', {
    drawn: nextFew,
    faultOf: (draw) =>
      draw.chance(0.6)
        ? { kind: 'delayResponse', delayMs: NEVER_MS }
        : { kind: 'cutAnswer', byte: draw.integer(8, 64) * MIB },
  }),
];

/** As {@link RequestFault}, at the moment at which a kept connection was idle. */
function afterIdle(draw: Random): RequestFault {
  return pickOne<RequestFault>(draw, [
    { kind: 'cutRequest', byte: 0 },
    { kind: 'dropResponse' },
    { kind: 'deliverAfterTimeout', delayMs: draw.integer(1, 50) },
    { kind: 'delayResponse', delayMs: NEVER_MS },
  ]);
}

const FOREIGN: readonly Fault[] = [
  fault('F11', 'a kept connection ends under a request', {
    drawn: nextFew,
    faultOf: (draw) => afterIdle(draw),
  }),
  fault('F12', 'answers are garbage', {
    drawn: (draw) => ({ ...nextFew(draw), times: draw.integer(1, 6) }),
    faultOf: (draw) => {
      const kind = pickOne(draw, ['answerInstead', 'replaceResponse', 'editAnswer'] as const);
      if (kind === 'editAnswer') return { kind, edit: (answer) => damaged(draw, answer) };
      return { kind, answer: foreignAnswer(draw) };
    },
  }),
  fault('F13', 'answers are redirects', {
    drawn: nextFew,
    faultOf: (draw, { path }) => ({
      kind: draw.chance(0.5) ? 'answerInstead' : 'replaceResponse',
      answer: redirect(draw, path),
    }),
  }),
];

/** Nobody listens, for requests and upgrades alike. */
const REFUSED: Fault = {
  id: 'F1',
  what: 'connections are refused',
  perMinute: 0.3,
  strike: (world, draw) => {
    const forMs = logUniform(draw, 100, 600_000);
    const chance = draw.chance(0.7) ? 1 : draw.next();
    const endUpgrades = world.network.onUpgrade(() => (chance === 1 ? { refuse: 503 } : undefined));
    strikeRequests(world, draw, {
      id: 'F1',
      forMs,
      chance,
      faultOf: () => ({ kind: 'refuseConnection' }),
    });
    return during(world, forMs, endUpgrades);
  },
};

/** Counts only requests that came before one that had left earlier. */
const REORDERED: Fault = {
  id: 'F8',
  what: 'requests overtake each other',
  strike: (world: World, draw: Random) => {
    const spreadMs = logUniform(draw, 20, 2_000);
    let latestMs = 0;
    const end = world.network.onRequest(() => {
      const delayMs = draw.next() * spreadMs;
      const arrivesMs = world.clock.monotonicMs() + delayMs;
      if (arrivesMs < latestMs) world.hit('F8');
      latestMs = Math.max(latestMs, arrivesMs);
      return { kind: 'delayRequest', delayMs };
    });
    return during(world, draw.integer(2_000, MINUTE_MS), end);
  },
};

/** F1 to F13. */
export const FAULTS: readonly Fault[] = [
  REFUSED,
  ...BYTE_CUTS,
  ...LOSSES,
  REORDERED,
  ...SLOWNESS,
  ...FOREIGN,
];
