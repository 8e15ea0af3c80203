/**
 * @module
 * Faults of what is read from the exchange (faults F29, F30, F33 to F35) as strikes of the simulation: replicas
 * behind one address, positions not reached, history in pieces, budgets.
 */
import type { Random } from '../../../src/core/index.ts';
import type { ExchangeAnswer, ExchangeRequest } from '../../../src/exchange/index.ts';
import type { Fault, World } from '../types.ts';
import {
  asksFor,
  atNext,
  lasting,
  logUniform,
  pickOne,
  provokeBackfill,
  strikeExchange,
  withBody,
} from './exchange-support.ts';

const MINUTE_MS = 60_000;
const HISTORY = ['/v1/account/fills', '/v1/account/ledger'] as const;
/** The replica of a world that was made with one; 0: there is none. */
const lagOf = ({ exchange }: World): number => exchange.settings.replicaLagMs;

/** How often the balancer in front of the replicas pings the sockets it holds open (ambiguity A11). */
const PING_MS = 10_000;

/** Two replicas of different age behind one address, drawn for each request; counts once, when the first is asked. */
const REPLICAS: Fault = {
  id: 'F29',
  what: 'replicas are behind, some more than others',
  strike: (world, draw) => {
    if (lagOf(world) === 0) return undefined;
    const { control } = world.exchange;
    control.replicaLag({ lag: logUniform(draw, 100, 30_000) });
    control.replicaShare({ share: draw.chance(0.3) ? 1 : draw.next() });
    control.pingStreams();
    const pings = world.clock.every(PING_MS, () => control.pingStreams());
    atNext(world, MINUTE_MS, {
      matches: ({ method }) => method === 'GET',
      act: () => world.hit('F29'),
    });
    lasting(
      world,
      logUniform(draw, 2_000, MINUTE_MS),
      () => control.replicaLag({ lag: lagOf(world) }),
      () => control.replicaShare({ share: 1 }),
      () => pings.cancel(),
    );
  },
};

/** 412 once, many times, or for as long as the strike lasts. */
const POSITIONS: Fault = {
  id: 'F30',
  what: 'positions that are asked for are not reached',
  strike: (world, draw) => {
    const { headerPrefix } = world.exchange.settings;
    provokeBackfill(world, draw);
    const isWanted = ({ headers }: ExchangeRequest) => headers[`${headerPrefix}min-seq`] !== undefined;
    return strikeExchange(world, draw, {
      id: 'F30',
      forMs: MINUTE_MS,
      times: draw.chance(0.2) ? Number.POSITIVE_INFINITY : draw.integer(1, 50),
      matches: isWanted,
      faultOf: ({ headers }) => {
        const required = Number(headers[`${headerPrefix}min-seq`]);
        const applied = Math.max(0, required - draw.integer(1, 10_000));
        return {
          kind: 'httpError',
          refusal: {
            code: 'ReplicaBehind',
            message: 'replica behind',
            details: { applied, required },
            // Its own, lower position: not to be taken for that of a write (exchange.md#assumptions).
            headers: { [`${headerPrefix}seq`]: String(applied) },
          },
        };
      },
    });
  },
};

/** History that is not written down yet, at any page, up to a hundred times. */
const INCOMPLETE: Fault = {
  id: 'F33',
  what: 'history is not yet complete',
  strike: (world, draw) => {
    provokeBackfill(world, draw);
    const share = 0.3 + 0.7 * draw.next();
    return strikeExchange(world, draw, {
      id: 'F33',
      forMs: MINUTE_MS,
      chance: share,
      times: Math.round(logUniform(draw, 1, 100)),
      matches: asksFor(world, 'GET', ...HISTORY),
      faultOf: () => ({
        kind: 'httpError',
        refusal: { code: 'HistoryNotComplete', message: 'history up to these bounds is not yet complete' },
      }),
    });
  },
};

/** A page again with what was on the one before, an empty page in between, or a cursor that stands still. */
function oddPage(
  world: World,
  draw: Random,
  page: { readonly request: ExchangeRequest; readonly answer: ExchangeAnswer },
): ExchangeAnswer {
  if (page.answer.status !== 200) return page.answer;
  const after = new URLSearchParams(page.request.path.split('?')[1]).get('after');
  return withBody(page.answer, (body) => {
    const { data } = body;
    if (!Array.isArray(data)) return undefined;
    const list: readonly unknown[] = data;
    world.hit('F34');
    const kind = pickOne(draw, ['overlap', 'empty', 'loop'] as const);
    if (kind === 'overlap') return { ...body, data: list.flatMap((entry) => [entry, entry]) };
    // Nothing of the page is gone: the same question again brings it.
    return { ...body, data: kind === 'empty' ? [] : list, next: after, hasMore: true };
  });
}

/** Each page stays odd a bounded number of times. */
const PAGES: Fault = {
  id: 'F34',
  what: 'pages of history overlap, are empty, or lead in a circle',
  strike: (world, draw) => {
    provokeBackfill(world, draw);
    return strikeExchange(world, draw, {
      id: 'F34',
      forMs: MINUTE_MS,
      times: draw.integer(1, 8),
      // A first page that says where it ends but shows nothing is no page of the interface.
      matches: (request) => asksFor(world, 'GET', ...HISTORY)(request) && request.path.includes('after='),
      countsItself: true,
      faultOf: (request) => ({ kind: 'edit', edit: (answer) => oddPage(world, draw, { request, answer }) }),
    });
  },
};

/** All forms of retry-after; `undefined`: it is not there. Most make sense: the others mean the longest wait. */
function retryAfter(world: World, draw: Random): string | undefined {
  const seconds = draw.integer(0, 20);
  if (draw.chance(0.7)) return String(seconds);
  return pickOne(draw, [
    String(seconds),
    new Date(world.clock.nowMs() + seconds * 1_000).toUTCString(),
    undefined,
    '-1',
    '99999999999',
    '1e3',
    'soon',
    '',
    new Date(0).toUTCString(),
  ] as const);
}

function refusals(world: World, draw: Random): undefined {
  return strikeExchange(world, draw, {
    id: 'F35',
    forMs: logUniform(draw, 200, 30_000),
    times: draw.integer(1, 10),
    matches: ({ method }) => method === 'POST' || draw.chance(0.5),
    faultOf: ({ method }) => {
      const wait = retryAfter(world, draw);
      const bucket = method === 'POST' && draw.chance(0.6) ? 'account' : 'ip';
      const headers: Record<string, string> = wait === undefined ? {} : { 'retry-after': wait };
      return {
        kind: 'httpError',
        refusal: { code: 'RateLimited', message: 'the budget is spent', details: { bucket }, headers },
      };
    },
  });
}

/** The operator changes a budget in the middle of a window, down to almost nothing. */
function otherBudget(world: World, draw: Random): undefined {
  const { control, settings } = world.exchange;
  const bucket = pickOne(draw, ['ip', 'account'] as const);
  control.rateLimit({ bucket, quota: Math.round(logUniform(draw, 1, 600)) });
  atNext(world, MINUTE_MS, { matches: () => true, act: () => world.hit('F35') });
  const before = bucket === 'ip' ? settings.ipWeightLimit : settings.accountWeightLimit;
  lasting(world, logUniform(draw, 1_000, MINUTE_MS), () => control.rateLimit({ bucket, quota: before }));
}

const BUDGETS: Fault = {
  id: 'F35',
  what: 'budgets are spent, and change',
  strike: (world, draw) => (draw.chance(0.7) ? refusals : otherBudget)(world, draw),
};

/** F29, F30, F33 to F35. */
export const FAULTS: readonly Fault[] = [REPLICAS, POSITIONS, INCOMPLETE, PAGES, BUDGETS];
