/**
 * @module
 * A process that stands, an event loop that is busy, clocks that are wrong, more market data than usual (faults
 * F52, F53, F54, F59).
 */
import { logUniform, pickOne } from '../network/strikes.ts';
import type { Fault } from '../types.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const PPM_MAX = 500;
const BURST_FRAMES = 10;
const MARKET_FRAME = /^\{"channel":"(?:book|bbo|prices|trades)"/;

/** What time does to the process. */
export const FAULTS: readonly Fault[] = [
  {
    id: 'F52',
    what: 'stopped for 1 to 300 s, then continued',
    perMinute: 0.2,
    strike: (world, draw) => {
      if (world.bot.life.state === 'over' || world.bot.isPaused) return undefined;
      world.bot.pause();
      world.hit('F52');
      // Not an end for the strike: it would come much sooner.
      world.clock.after(logUniform(draw, SECOND_MS, 300 * SECOND_MS), () => world.bot.resume());
      return undefined;
    },
  },
  {
    id: 'F53',
    what: 'event loop stalled for 10 ms to 60 s',
    strike: (world, draw) => {
      if (world.bot.life.state === 'over' || world.bot.isPaused) return undefined;
      world.bot.stall(logUniform(draw, 10, 60 * SECOND_MS));
      world.hit('F53');
      return undefined;
    },
  },
  {
    id: 'F54',
    what: 'wall clock stepped, or clocks that drift',
    perMinute: 0.5,
    strike: (world, draw) => {
      const sign = pickOne(draw, [-1, 1]);
      world.hit('F54');
      if (draw.chance(0.4)) {
        world.bot.setDrift(sign * draw.integer(1, PPM_MAX));
        return () => world.bot.setDrift(0);
      }
      // A small step, an hour as when summer time begins, or anything up to it.
      const byMs = pickOne(draw, [draw.integer(1, 1_000), HOUR_MS, draw.integer(1, HOUR_MS)]);
      world.bot.stepClock(sign * byMs);
      return pickOne(draw, [() => world.bot.stepClock(-sign * byMs), undefined]);
    },
  },
  {
    id: 'F59',
    what: 'ten times the market data',
    perMinute: 0.3,
    strike: (world) => {
      const end = world.network.onFrame((text, way) => {
        if (way !== 'toBot' || !MARKET_FRAME.test(text)) return undefined;
        world.hit('F59');
        return Array.from({ length: BURST_FRAMES }, () => ({ text, delayMs: 0 }));
      });
      return end;
    },
  },
];
