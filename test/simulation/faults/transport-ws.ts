/**
 * @module
 * Faults of the stream between bot and exchange (faults F14 to F26) as strikes of the simulation. Frames of one
 * channel keep their order on one socket; a frame is lost without an end of its socket only before a `lagged`.
 */
import { formatJson, isRecord, parseJson, type Random } from '../../../src/core/index.ts';
import {
  channelOf,
  during,
  type FrameChange,
  logUniform,
  pickOne,
  strikeFrames,
} from '../network/strikes.ts';
import type { Fault, World } from '../types.ts';

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;
/** The exchange closes a socket that was silent for so long; a stall is longer. */
const IDLE_MS = 60_000;

/** Upgrades are refused or slow, after the sockets there are have been cut. */
const UPGRADES: Fault = {
  id: 'F14',
  what: 'upgrades are refused, slow or over the budget',
  strike: (world, draw) => {
    const refuse = pickOne(draw, [429, 502, 503, 403] as const);
    const slowMs = draw.chance(0.4) ? draw.integer(500, 30_000) : 0;
    const end = world.network.onUpgrade(() => {
      world.hit('F14');
      return slowMs > 0 ? { delayMs: slowMs } : { refuse };
    });
    world.network.cutSockets('ECONNRESET');
    return during(world, logUniform(draw, 500, MINUTE_MS), end);
  },
};

/** Cuts all sockets when so many frames have passed; `isWithin`: inside of the last one, which is lost. */
function cutAtFrame(world: World, draw: Random, id: 'F15' | 'F16'): undefined {
  let left = draw.integer(1, 60);
  const isWithin = id === 'F16';
  const end = world.network.onFrame((_text, way) => {
    if (way === 'toExchange') return undefined;
    left--;
    if (left > 0) return undefined;
    if (left === 0) {
      world.hit(id);
      // After the frames that the exchange sends in this turn: each of them may be the last.
      world.clock.soon(() => {
        end();
        world.network.cutSockets('ECONNRESET');
      });
    }
    return isWithin ? [] : undefined;
  });
  return during(world, MINUTE_MS, end);
}

const CUTS: readonly Fault[] = [
  {
    id: 'F15',
    what: 'the socket is cut between two frames',
    strike: (world, draw) => cutAtFrame(world, draw, 'F15'),
  },
  {
    id: 'F16',
    what: 'the socket is cut inside of a frame',
    strike: (world, draw) => cutAtFrame(world, draw, 'F16'),
  },
  {
    id: 'F22',
    what: 'the socket is cut again and again',
    perMinute: 0.3,
    strike: (world, draw) => {
      let isOver = false;
      let isCut = false;
      const cut = (): void => {
        if (isOver || world.isHealed) return;
        isCut = true;
        world.network.cutSockets('ECONNRESET');
        world.clock.after(logUniform(draw, 100, 5_000), cut);
      };
      // A cut that made the bot come back had an effect.
      const end = world.network.onUpgrade(() => {
        if (isCut) world.hit('F22');
        isCut = false;
        return undefined;
      });
      cut();
      return during(world, draw.integer(3_000, MINUTE_MS), end, () => {
        isOver = true;
      });
    },
  },
];

/** What the exchange drops in silence, it makes up for with a `lagged`. */
const DROPPED: Fault = {
  id: 'F17',
  what: 'frames are dropped, then the bot is told that it lagged',
  strike: (world, draw) => {
    const { control } = world.exchange;
    const more = draw.integer(0, 5);
    control.dropFrames();
    return during(world, logUniform(draw, 100, 10_000), () => {
      const end = world.network.onFrame((text) => {
        if (channelOf(text) === 'lagged') world.hit('F17');
        return undefined;
      });
      control.lagStreams({ dropped: more });
      end();
    });
  },
};

/** Held so long a market is stale; all others wait behind the next pong. */
const MARKET_CHANNELS = ['book', 'bbo', 'prices', 'trades', 'candles'];

const HELD: readonly Fault[] = [
  {
    id: 'F18',
    what: 'frames come twice',
    strike: (world, draw) => {
      const chance = draw.next() * 0.1;
      return strikeFrames(world, {
        id: 'F18',
        forMs: draw.integer(5_000, MINUTE_MS),
        way: 'toBot',
        changeOf: (text) =>
          draw.chance(chance)
            ? [
                { text, delayMs: 0 },
                { text, delayMs: draw.chance(0.5) ? 0 : draw.integer(1, 200) },
              ]
            : undefined,
      });
    },
  },
  {
    id: 'F19',
    what: 'channels overtake each other',
    strike: (world, draw) => {
      const slow = new Map<string, number>();
      const spreadMs = logUniform(draw, 20, 1_000);
      return strikeFrames(world, {
        id: 'F19',
        forMs: draw.integer(2_000, 30_000),
        way: 'toBot',
        changeOf: (text) => {
          const channel = channelOf(text);
          const delayMs = slow.get(channel) ?? Math.floor(draw.next() * spreadMs);
          slow.set(channel, delayMs);
          return delayMs > 0 ? [{ text, delayMs }] : undefined;
        },
      });
    },
  },
  {
    id: 'F20',
    what: 'frames are late',
    perMinute: 0.5,
    strike: (world, draw) => {
      const delayMs = logUniform(draw, 50, MINUTE_MS);
      const isMarketOnly = draw.chance(0.5);
      return strikeFrames(world, {
        id: 'F20',
        forMs: draw.integer(500, 30_000),
        way: 'toBot',
        changeOf: (text) =>
          isMarketOnly && !MARKET_CHANNELS.includes(channelOf(text)) ? undefined : [{ text, delayMs }],
      });
    },
  },
];

const BLACK_HOLE: Fault = {
  id: 'F21',
  what: 'nothing passes and nobody is told',
  perMinute: 0.2,
  strike: (world, draw) => {
    const { network } = world;
    const ends: (() => void)[] = [];
    const swallowed = (): undefined => {
      world.hit('F21');
      for (const end of ends) end();
    };
    ends.push(network.onRequest(swallowed), network.onFrame(swallowed));
    return during(world, logUniform(draw, 5_000, 300_000), network.blackHole(), ...ends);
  },
};

/** What becomes of a pong or a ping. */
function changedPong(draw: Random, text: string): FrameChange {
  const fields = fieldsOf(text);
  const ts = pickOne<unknown>(draw, [undefined, null, 'soon', -1, 0, draw.integer(1, 2 ** 48)]);
  return [{ text: formatJson({ ...fields, data: { ts } }), delayMs: 0 }];
}

const PONGS: Fault = {
  id: 'F23',
  what: 'pings or pongs are lost, or a pong says another time',
  strike: (world, draw) => {
    const kind = pickOne(draw, ['pong lost', 'ping lost', 'wrong time'] as const);
    const chance = draw.chance(0.5) ? 1 : draw.next();
    return strikeFrames(world, {
      id: 'F23',
      forMs: draw.integer(2_000, MINUTE_MS),
      way: kind === 'ping lost' ? 'toExchange' : 'toBot',
      changeOf: (text) => {
        const isPing = text.startsWith('{"method":"ping"');
        if (!(kind === 'ping lost' ? isPing : channelOf(text) === 'pong')) return undefined;
        if (!draw.chance(chance)) return undefined;
        return kind === 'wrong time' ? changedPong(draw, text) : [];
      },
    });
  },
};

/** What becomes of an acknowledgement. */
function changedAck(draw: Random, text: string): FrameChange {
  const fields = fieldsOf(text);
  const kind = pickOne(draw, ['lost', 'late', 'other epoch', 'error'] as const);
  switch (kind) {
    case 'lost':
      return [];
    case 'late':
      return [{ text, delayMs: logUniform(draw, 100, 10_000) }];
    case 'other epoch':
      return [{ text: formatJson({ ...fields, epoch: `other-${draw.integer(1, 9)}` }), delayMs: 0 }];
    case 'error': {
      const { id } = fields;
      const data = { code: 'InternalError', message: 'try again' };
      return [{ text: JSON.stringify({ channel: 'error', data, id }), delayMs: 0 }];
    }
  }
}

const ACKS: Fault = {
  id: 'F24',
  what: 'acknowledgements are lost, late, of another epoch, or errors',
  strike: (world, draw) => {
    const chance = draw.next();
    strikeFrames(world, {
      id: 'F24',
      forMs: draw.integer(2_000, 30_000),
      way: 'toBot',
      changeOf: (text) =>
        channelOf(text) === 'subscribed' && draw.chance(chance) ? changedAck(draw, text) : undefined,
    });
    world.network.cutSockets('ECONNRESET');
    return undefined;
  },
};

const UNREADABLE: Fault = {
  id: 'F25',
  what: 'a frame is no JSON, of no kind, or too long',
  strike: (world, draw) => {
    let left = draw.integer(1, 3);
    const chance = draw.chance(0.5) ? 1 : 0.05;
    return strikeFrames(world, {
      id: 'F25',
      forMs: 30_000,
      way: 'toBot',
      changeOf: (text) => {
        if (left === 0 || !draw.chance(chance)) return undefined;
        left--;
        const bad = pickOne(draw, [
          '{"channel":"fills","data":',
          'not JSON',
          '',
          '[]',
          'null',
          '{"channel":7}',
          '{"channel":"fills","data":null}',
          `{"channel":"book","data":"${'x'.repeat(MIB)}"}`,
          text.slice(0, draw.integer(0, text.length - 1)),
        ] as const);
        // In place of the true one, or before it.
        return draw.chance(0.5)
          ? [{ text: bad, delayMs: 0 }]
          : [
              { text: bad, delayMs: 0 },
              { text, delayMs: 0 },
            ];
      },
    });
  },
};

/** The switch fires meanwhile, and it should. */
const STALL: Fault = {
  id: 'F26',
  what: 'the exchange closes an idle socket while the bot stands still',
  perMinute: 0.1,
  strike: (world, draw) => {
    if (world.bot.life.state === 'over' || world.bot.isPaused) return undefined;
    const { number } = world.bot.life;
    const forMs = IDLE_MS + draw.integer(1_000, 30_000);
    world.bot.stall(forMs);
    world.clock.after(forMs, () => {
      if (world.bot.life.number === number && !world.isHealed) world.hit('F26');
    });
    return undefined;
  },
};

function fieldsOf(text: string): Record<string, unknown> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

/** F14 to F26. */
export const FAULTS: readonly Fault[] = [
  UPGRADES,
  ...CUTS,
  DROPPED,
  ...HELD,
  BLACK_HOLE,
  PONGS,
  ACKS,
  UNREADABLE,
  STALL,
];
