/**
 * @module
 * Strategies that throw, hand back a rejected promise or flood the bot with intents, beside one that quotes: how long
 * each keeps the next one from its events, by the wall clock (invariant I17). Nothing watches over a strategy from
 * another thread: one that never comes back is the case `endless`, and its orders go with the switch.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../test/support/processes.ts';
import type { ForceCase } from './case.ts';
import { OBEDIENT_SEAT, Scene } from './scene.ts';

/** Of the 99th percentile. */
const DELAY_MS_MAX = 5;
/** So many neighbors, for each is stopped at its misdeed and comes back a few times only. */
const NEIGHBORS = 12;
/** Events with a misdeed before it, at the least. */
const MISDEEDS_MIN = 30;
/** Events of the next strategy, at the least. */
const EVENTS_MIN = 300;
const WITHIN_MS = 90_000;
const DELAYS = 'delays.txt';

/** What a neighbor does in a handler. */
const MISDEEDS = {
  throws: `throw new Error('on purpose');`,
  rejects: `return Promise.reject(new Error('late on purpose'));`,
  floods: `for (let n = 0; n < 100_000; n++) context.place(order.postOnly({ symbol: view.symbol, side: 'buy', priceTicks: view.floorTicks((view.externalMidTicks ?? 1) * 0.98), sizeLots }));`,
} as const;

type Misdeed = keyof typeof MISDEEDS;

/** Misbehaves at the event of its turn in each of its lives; the first of an event to do so notes when it began. */
const neighbor = (misdeed: Misdeed): string => `
import { defineStrategy, order, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'neighbor',
  parameters: param.object({ size: param.decimal({ above: '0' }), turn: param.integer({ min: 1 }) }),
  create: (context, { size, turn }) => {
    let events = 0;
    return {
      onBook(view) {
        if (++events !== turn) return;
        const sizeLots = view.lotsOf(size);
        void [order, sizeLots];
        globalThis.misdeedAtMs ??= performance.now();
        ${MISDEEDS[misdeed]}
      },
    };
  },
});
`;

/** The next in the row: notes how long each of its events was held up by a misdeed before it; mostly not at all. */
const WITNESS = `
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineStrategy, param } from 'ballast/strategy';

const FILE = join(import.meta.dirname, '${DELAYS}');

export default defineStrategy({
  name: 'witness',
  parameters: param.object({}),
  create: () => ({
    onBook() {
      const nowMs = performance.now();
      const delayMs = nowMs - (globalThis.misdeedAtMs ?? nowMs);
      globalThis.misdeedAtMs = undefined;
      appendFileSync(FILE, \`\${delayMs}\\n\`);
    },
  }),
});
`;

const seat = (name: string, module: string, parameters = {}) => ({
  ...{ name, module, markets: ['BTC-USD'], parameters },
});

function neighborCase(misdeed: Misdeed, what: string): ForceCase {
  return {
    name: `neighbor-${misdeed}`,
    what,
    run: async (rig, { name }) => {
      const neighbors = Array.from({ length: NEIGHBORS }, (_none, n) =>
        seat(`neighbor-${n + 1}`, 'neighbor.ts', { size: '0.003', turn: n + 1 }),
      );
      const scene = await Scene.quoting(rig, name, {
        changes: { strategies: [...neighbors, seat('witness', 'witness.ts'), OBEDIENT_SEAT] },
        modules: { 'neighbor.ts': neighbor(misdeed), 'witness.ts': WITNESS },
      });
      const delays = () => delaysIn(join(scene.bot.folder, DELAYS));
      const heldUp = () => delays().filter((ms) => ms > 0);
      const isEnough = () => heldUp().length >= MISDEEDS_MIN && delays().length >= EVENTS_MIN;
      await until(`${MISDEEDS_MIN} misdeeds in ${EVENTS_MIN} events`, isEnough, { withinMs: WITHIN_MS });
      await scene.recovered(Date.now());
      const atMs = Date.now();
      await scene.stopProven();
      const p99Ms = shareOf(delays(), 0.99);
      scene.figures['events'] = delays().length;
      scene.figures['misdeeds'] = heldUp().length;
      scene.figures['delayMsP99'] = rounded(p99Ms);
      scene.figures['misdeedMsP50'] = rounded(shareOf(heldUp(), 0.5));
      scene.figures['misdeedMsMax'] = rounded(shareOf(heldUp(), 1));
      scene.expect(p99Ms < DELAY_MS_MAX, `the next strategy was kept waiting ${rounded(p99Ms)} ms p99 (I17)`);
      return { going: scene.log.goingSince(atMs), scene };
    },
  };
}

function delaysIn(file: string): readonly number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trim().split('\n').map(Number);
}

/** What this share of the delays does not exceed. */
function shareOf(delays: readonly number[], share: number): number {
  const sorted = [...delays].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
}

function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

/** An error in a handler. */
export const neighborThrows = neighborCase('throws', 'strategies that throw beside one that quotes (F61)');
/** A promise in place of nothing, which is rejected. */
export const neighborRejects = neighborCase(
  'rejects',
  'strategies that hand back a rejected promise beside one that quotes (F61, F62)',
);
/** More intents than a call may have. */
export const neighborFloods = neighborCase(
  'floods',
  'strategies that flood the bot with intents beside one that quotes (F65)',
);
