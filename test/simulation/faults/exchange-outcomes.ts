/**
 * @module
 * Faults of what the exchange says about writes (faults F27, F28, F36 to F38) as strikes of the simulation. What
 * it says is never false: late, not found yet, refused at the door, rejected, out of order, but no lie.
 */
import { isRecord, type Random } from '../../../src/core/index.ts';
import type { ExchangeAnswer, RequestFault } from '../../../src/exchange/index.ts';
import type { Fault, World } from '../types.ts';
import {
  asksFor,
  errorAnswer,
  lasting,
  logUniform,
  look,
  pickOne,
  provokeReceipt,
  strikeExchange,
  withBody,
} from './exchange-support.ts';

const MINUTE_MS = 60_000;

/** 202s, and receipts that stay pending. History ends where results do, so it is late too. */
const PENDING: Fault = {
  id: 'F27',
  what: 'results of writes stay pending',
  strike: (world, draw) => {
    const { control } = world.exchange;
    control.durabilityLag({ lag: logUniform(draw, 500, 120_000) });
    const endLook = look(world, (sight) => {
      if (sight.kind !== 'answer') return;
      if (sight.status === 202 || sight.body.includes('"status":"pending"')) world.hit('F27');
    });
    lasting(world, logUniform(draw, 2_000, 2 * MINUTE_MS), () => control.durabilityLag({ lag: 0 }), endLook);
  },
};

/** Receipts as a replica that is behind has them: nothing up to a position before the write. */
function notFoundYet(world: World, answer: ExchangeAnswer): ExchangeAnswer {
  if (answer.status !== 200) return answer;
  let told = answer;
  withBody(answer, ({ seq, epoch }) => {
    if (typeof seq !== 'number' || seq < 2) return undefined;
    world.hit('F28');
    const details = { status: 'not_found', epoch, asOfSeq: seq - 1 };
    told = errorAnswer(404, 'not_found', details);
    return undefined;
  });
  return told;
}

function receiptsNotFound(world: World, draw: Random): undefined {
  provokeReceipt(world);
  return strikeExchange(world, draw, {
    id: 'F28',
    forMs: MINUTE_MS,
    times: draw.integer(1, 20),
    matches: asksFor(world, 'GET', '/v1/requests/'),
    countsItself: true,
    faultOf: () => ({ kind: 'edit', edit: (answer) => notFoundYet(world, answer) }),
  });
}

function receiptsUnavailable(world: World, draw: Random): undefined {
  provokeReceipt(world);
  return strikeExchange(world, draw, {
    id: 'F28',
    forMs: MINUTE_MS,
    times: draw.integer(1, 40),
    matches: asksFor(world, 'GET', '/v1/requests/'),
    faultOf: () => ({
      kind: 'answer',
      answer: errorAnswer(503, 'history_unavailable', {
        status: 'history_unavailable',
        epoch: world.exchange.epoch,
        gaps: [{ first: 1, last: world.exchange.seq }],
      }),
    }),
  });
}

/** The gateway refuses the bytes, keeps them, and has them sequenced when its sender has gone on. */
function refusedThenSequenced(world: World, draw: Random): undefined {
  return strikeExchange(world, draw, {
    id: 'F28',
    forMs: MINUTE_MS,
    times: draw.integer(1, 2),
    matches: asksFor(world, 'POST', '/v1/orders'),
    faultOf: () => ({
      kind: 'reject',
      forced: { reason: 'AuthUnavailable', isNonceConsumed: false },
      laterMs: logUniform(draw, 5, 20_000),
    }),
  });
}

/** The answer is lost and the ledger begun again before anybody can ask for the receipt. */
function receiptsOfAnotherEpoch(world: World, draw: Random): undefined {
  const { control } = world.exchange;
  return strikeExchange(world, draw, {
    id: 'F28',
    forMs: MINUTE_MS,
    times: 1,
    matches: asksFor(world, 'POST', '/v1/orders'),
    faultOf: () => {
      world.clock.soon(() => control.epoch({ keepStreams: draw.chance(0.5) }));
      return { kind: 'dropResponse' };
    },
  });
}

/** 404, 503, refused bytes that are sequenced later, another epoch. A 409 follows from each of them on its own. */
const RECEIPTS: Fault = {
  id: 'F28',
  what: 'receipts are not found, not to be had, not final, or of another ledger',
  strike: (world, draw) =>
    pickOne(draw, [receiptsNotFound, receiptsUnavailable, refusedThenSequenced, receiptsOfAnotherEpoch])(
      world,
      draw,
    ),
};

function doorFault(world: World, draw: Random): RequestFault {
  if (draw.chance(0.3)) {
    const details = { node: 'https://node-7.internal.invalid' };
    return {
      kind: 'httpError',
      refusal: { code: 'WrongNode', message: 'another node serves this', details },
    };
  }
  const status = pickOne(draw, [500, 502, 503, 504] as const);
  const code = status === 503 ? 'Unavailable' : 'InternalError';
  const answer = errorAnswer(status, code, { epoch: world.exchange.epoch });
  return { kind: draw.chance(0.5) ? 'answer' : 'replaceResponse', answer };
}

/** 421, and 500 to 504 before and after the commit. */
const SERVER_ERRORS: Fault = {
  id: 'F36',
  what: 'the gateway fails, or sends elsewhere',
  strike: (world, draw) => {
    const isWritesOnly = draw.chance(0.6);
    return strikeExchange(world, draw, {
      id: 'F36',
      forMs: logUniform(draw, 500, MINUTE_MS),
      chance: 0.2 + 0.8 * draw.next(),
      times: draw.integer(1, 12),
      matches: ({ method }) => method === 'POST' || !isWritesOnly,
      faultOf: () => doorFault(world, draw),
    });
  },
};

const REASONS = [
  'InsufficientMargin',
  'PostOnlyWouldCross',
  'MarketNotTrading',
  'AnUnheardOfReason',
] as const;

/** Business rejections out of nowhere, with the nonce spent or not. */
const REJECTIONS: Fault = {
  id: 'F37',
  what: 'writes are rejected, with and without their nonce',
  strike: (world, draw) =>
    strikeExchange(world, draw, {
      id: 'F37',
      forMs: MINUTE_MS,
      times: draw.integer(1, 4),
      matches: asksFor(world, 'POST', '/v1/orders', '/v1/account/leverage'),
      faultOf: () => ({
        kind: 'reject',
        forced: { reason: pickOne(draw, REASONS), isNonceConsumed: draw.chance(0.5) },
      }),
    }),
};

/** Items in another order say the same; one too few or too many makes the answer worth nothing. */
function disordered(world: World, draw: Random, answer: ExchangeAnswer): ExchangeAnswer {
  return withBody(answer, (body) => {
    const { items } = body;
    if (!Array.isArray(items) || items.length === 0) return undefined;
    const list: readonly unknown[] = items;
    const at = draw.integer(0, list.length - 1);
    const extra = isRecord(list[at]) ? { ...list[at], inputIndex: list.length + 7 } : {};
    const changed = pickOne(draw, [
      [...list].reverse(),
      [...list.slice(at), ...list.slice(0, at)],
      list.filter((_item, index) => index !== at),
      [...list, extra],
    ] as const);
    world.hit('F38');
    return { ...body, items: changed };
  });
}

/** Answers of batches: short, long, in another order. Partial ones come on their own, when an order would cross. */
const BATCHES: Fault = {
  id: 'F38',
  what: 'items of batch answers are reordered, missing or too many',
  strike: (world, draw) =>
    strikeExchange(world, draw, {
      id: 'F38',
      forMs: MINUTE_MS,
      times: draw.integer(1, 4),
      matches: asksFor(world, 'POST', '/v1/orders'),
      countsItself: true,
      faultOf: () => ({ kind: 'edit', edit: (answer) => disordered(world, draw, answer) }),
    }),
};

/** F27, F28, F36 to F38. */
export const FAULTS: readonly Fault[] = [PENDING, RECEIPTS, SERVER_ERRORS, REJECTIONS, BATCHES];
