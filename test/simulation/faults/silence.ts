/**
 * @module
 * Faults in silence (faults F73 to F77) as strikes of the simulation: no `lagged`, no status and no gap tells of them. What
 * is lost or false here the bot finds out on its own.
 */
import { formatJson, isRecord, parseJson, type Random } from '../../../src/core/index.ts';
import type { ExchangeAnswer, ExchangeRequest } from '../../../src/exchange/index.ts';
import { channelOf, type FrameChange, logUniform, pickOne, strikeFrames } from '../network/strikes.ts';
import type { Fault, World } from '../types.ts';
import { asksFor, provokeBackfill, strikeExchange, withBody } from './exchange-support.ts';

const MINUTE_MS = 60_000;
/** Far beyond any position of the log, and within what JSON numbers hold. */
const FAR_SEQ = 900_000_000_000;
const HISTORY = ['/v1/account/fills', '/v1/account/ledger'] as const;
const PRIVATE = ['fills', 'ledger', 'orders'] as const;
const MARKET_CHANNELS = ['book', 'bbo', 'prices', 'trades'] as const;
/** Of orders that have ended. */
const ENDED: ReadonlySet<unknown> = new Set(['filled', 'canceled', 'expired']);

/** Strikes the next frames of the channels that `changeOf` changes, `times` of them. */
function strikeNext(
  world: World,
  strike: { readonly id: Fault['id']; readonly times: number; changeOf(text: string): FrameChange },
): undefined {
  let left = strike.times;
  return strikeFrames(world, {
    id: strike.id,
    forMs: MINUTE_MS,
    way: 'toBot',
    changeOf: (text) => {
      const change = left > 0 ? strike.changeOf(text) : undefined;
      if (change !== undefined) left--;
      return change;
    },
  });
}

/** One fill, ledger entry or change of an order is never heard of. */
const LOST: Fault = {
  id: 'F73',
  what: 'a fill, ledger or order frame is lost in silence',
  strike: (world, draw) => {
    const channel = pickOne(draw, PRIVATE);
    return strikeNext(world, {
      id: 'F73',
      times: draw.chance(0.7) ? 1 : draw.integer(2, 4),
      changeOf: (text) => {
        if (channelOf(text) !== channel || text.includes('"isSnapshot":true')) return undefined;
        world.withhold(text);
        return [];
      },
    });
  },
};

/** The page as a replica has it that never saw one of its rows: its cursor goes beyond. */
function withHole(world: World, draw: Random, answer: ExchangeAnswer): ExchangeAnswer {
  if (answer.status !== 200) return answer;
  return withBody(answer, (body) => {
    const { data } = body;
    if (!Array.isArray(data) || data.length === 0) return undefined;
    const rows: readonly unknown[] = data;
    // The newest are those that the bot may not know yet.
    const hole = Math.max(0, rows.length - 1 - draw.integer(0, 2));
    world.withhold(JSON.stringify(rows[hole]));
    world.hit('F74');
    return { ...body, data: rows.filter((_row, at) => at !== hole) };
  });
}

const HOLES: Fault = {
  id: 'F74',
  what: 'a page of the history lacks a row',
  strike: (world, draw) => {
    // What happens meanwhile the bot can know from pages alone.
    world.exchange.control.dropFrames();
    world.clock.after(logUniform(draw, 500, 20_000), () => provokeBackfill(world, draw));
    return strikeExchange(world, draw, {
      id: 'F74',
      forMs: MINUTE_MS,
      times: draw.integer(1, 3),
      countsItself: true,
      matches: asksFor(world, 'GET', ...HISTORY),
      faultOf: () => ({ kind: 'edit', edit: (answer) => withHole(world, draw, answer) }),
    });
  },
};

/** Each frame of a channel comes later than the others by the same time, and says truly when it was made. */
const LATE: Fault = {
  id: 'F75',
  what: 'a channel is late, with true times',
  perMinute: 0.5,
  strike: (world, draw) => {
    const channels: readonly string[] = draw.chance(0.5)
      ? [pickOne(draw, MARKET_CHANNELS)]
      : [pickOne(draw, PRIVATE)];
    const delayMs = Math.round(logUniform(draw, 500, 30_000));
    return strikeFrames(world, {
      id: 'F75',
      forMs: draw.integer(2_000, MINUTE_MS),
      way: 'toBot',
      changeOf: (text) => (channels.includes(channelOf(text)) ? [{ text, delayMs }] : undefined),
    });
  },
};

/** Frames that hold a position of the log. */
const WITH_POSITION = [...PRIVATE, ...MARKET_CHANNELS, 'positions', 'account'] as const;
const IN_HISTORY: ReadonlySet<string> = new Set(['fills', 'ledger']);
const FAR_UPPER = `${FAR_SEQ}-65535-4294967295`;

/** One false value, once. */
const FALSEHOODS: readonly ((world: World, draw: Random) => undefined)[] = [
  (world, draw) => {
    const channel = pickOne(draw, WITH_POSITION);
    // Far ahead of the log, or long ago.
    const isFar = draw.chance(0.7);
    const seq = isFar ? FAR_SEQ + draw.integer(0, 1_000) : draw.integer(0, 5);
    // A public trade has its place in its id alone. An entry of the account at a place of long ago is lost to the bot: F73.
    const isInId = channel === 'trades' || (isFar && IN_HISTORY.has(channel) && draw.chance(0.5));
    const placed = (frame: Readonly<Record<string, unknown>>) =>
      isInId ? { ...frame, seq, data: { ...dataOf(frame), id: `${seq}-0-0` } } : { ...frame, seq };
    return strikeNext(world, {
      id: 'F76',
      times: 1,
      changeOf: (text) => (channelOf(text) === channel ? changed(text, placed) : undefined),
    });
  },
  (world) => {
    const end = strikeNext(world, {
      id: 'F76',
      times: 1,
      changeOf: (text) =>
        channelOf(text) === 'lagged'
          ? changed(text, (frame) => ({ ...frame, data: { ...dataOf(frame), upper: FAR_UPPER } }))
          : undefined,
    });
    world.exchange.control.lagStreams({ dropped: 1 });
    return end;
  },
  (world) =>
    strikeNext(world, {
      id: 'F76',
      times: 1,
      changeOf: (text) =>
        channelOf(text) === 'positions' && text.includes('"size":"')
          ? [{ text: text.replace(/"size":"-?/, '"size":"1'), delayMs: 0 }]
          : undefined,
    }),
  (world, draw) => {
    provokeBackfill(world, draw);
    return falseAnswer(world, draw, asksFor(world, 'GET', ...HISTORY), { upper: FAR_UPPER });
  },
];

/** The next answer to such a request says something false. */
function falseAnswer(
  world: World,
  draw: Random,
  matches: (request: ExchangeRequest) => boolean,
  fields: Readonly<Record<string, string>>,
): undefined {
  return strikeExchange(world, draw, {
    id: 'F76',
    forMs: MINUTE_MS,
    times: 1,
    matches,
    faultOf: () => ({
      kind: 'edit',
      edit: (answer) =>
        answer.status === 200 ? withBody(answer, (body) => ({ ...body, ...fields })) : answer,
    }),
  });
}

function changed(text: string, change: (frame: Readonly<Record<string, unknown>>) => object): FrameChange {
  return [{ text: formatJson(change(fieldsOf(text))), delayMs: 0 }];
}

function dataOf({ data }: Readonly<Record<string, unknown>>): object {
  return isRecord(data) ? data : {};
}

const POISONED: Fault = {
  id: 'F76',
  what: 'a position of the log or of the account is false',
  perMinute: 0.5,
  strike: (world, draw) => {
    const one = FALSEHOODS[draw.integer(0, FALSEHOODS.length - 1)];
    return one?.(world, draw);
  },
};

/** Of an order that has ended no more than its number and its state. */
const THIN: Fault = {
  id: 'F77',
  what: 'the end of an order says its number and its state alone',
  strike: (world, draw) =>
    strikeFrames(world, {
      id: 'F77',
      forMs: draw.integer(5_000, MINUTE_MS),
      way: 'toBot',
      changeOf: (text) => {
        if (channelOf(text) !== 'orders') return undefined;
        const fields = fieldsOf(text);
        const { data } = fields;
        if (!isRecord(data) || !ENDED.has(data['status'])) return undefined;
        const { orderId, status } = data;
        return [{ text: formatJson({ ...fields, data: { orderId, status } }), delayMs: 0 }];
      },
    }),
};

function fieldsOf(text: string): Record<string, unknown> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

/** F73 to F77. */
export const FAULTS: readonly Fault[] = [LOST, HOLES, LATE, POISONED, THIN];
