import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import {
  asBacktest,
  asPaper,
  differencesOf,
  isWaiting,
  openHour,
  parityConfigs,
  paritySource,
  type Stretch,
} from '../support/parity.ts';
import { PARITY_RECORDING } from '../support/parity-tape.ts';
import { hasShared } from '../support/shared.ts';
import { socketFigures } from '../support/socket-parity.ts';
import { compareWays } from '../support/three-ways.ts';

const HAS_TAPE = hasShared(...PARITY_RECORDING);
/** The whole hour: `npm run prove -- parity`. The longest hole of the recording, 21 s, is in these. */
const MINUTES = 22;
const TEST_MS_MAX = 120_000;
const CHANNELS = ['prices', 'book', 'bbo', 'trades', 'candles', 'funding'];

let hour: Stretch;
let remove = (): void => undefined;
beforeAll(async () => {
  if (HAS_TAPE) ({ stretch: hour, remove } = await openHour());
});
afterAll(() => remove());

describe.skipIf(!HAS_TAPE)('parity on recorded markets', () => {
  test.each(parityConfigs())(
    '%s wants, orders and is filled the same in a backtest, on paper and over the wire',
    async (name) => {
      const { counts, wire, differences } = await compareWays(name, hour, { minutes: MINUTES });
      expect(differences).toEqual([]);
      expect(counts.intents).toBeGreaterThan(100);
      expect(wire.story.fills.length).toBeGreaterThan(0);
      expect(wire.story.cash).not.toBe(0n);
      expect(wire.writes).toBeGreaterThan(10);
      const waiting = wire.story.decisions.filter(({ text }) => text.includes('once the index is'));
      expect(waiting.length > 50).toBe(isWaiting(name));
      for (const channel of CHANNELS) expect(wire.marketFrames[channel], channel).toBeGreaterThan(0);
    },
    TEST_MS_MAX,
  );

  test('a wire with other latencies is told apart, at the first order that was heard of at another time', async () => {
    const { differences } = await compareWays('demo', hour, { minutes: 2, latencySeed: 8 });
    expect(differences[0]).toMatch(/^paper and wire, (decisions|orders) \d+: \d+ ms .*\n against \d+ ms /);
    expect(differences.some((text) => text.includes('orders 0: '))).toBe(true);
  });

  test('another strategy is out of the bounds of a comparison over real sockets, the same one is not', async () => {
    const stretch = { ...hour, untilMs: hour.fromMs + 120_000 };
    const [one, other] = await Promise.all(
      ['demo', 'glft'].map(async (name) => (await asPaper(paritySource(name), stretch)).story),
    );
    const heldAgainst = (story: typeof other) =>
      socketFigures(must(one, 'a story'), must(story, 'a story')).every(({ holds }) => holds);
    expect(heldAgainst(one)).toBe(true);
    expect(heldAgainst(other)).toBe(false);
  });

  test('a backtest of another strategy is told apart in decisions, orders, fills and profit', async () => {
    const stretch = { ...hour, untilMs: hour.fromMs + 120_000 };
    const [one, other] = await Promise.all(
      ['demo', 'glft'].map((name) => asBacktest(paritySource(name), stretch)),
    );
    const differences = differencesOf(must(one, 'an outcome'), must(other, 'an outcome'));
    for (const what of ['decisions', 'orders', 'fills', 'counts', 'profit', 'equity'])
      expect(
        differences.some((text) => text.startsWith(what)),
        what,
      ).toBe(true);
  });
});
