/** @module An order lifetime of the configuration on recorded markets: the same orders in a backtest, on paper and over the wire. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHour, type Stretch } from '../support/parity.ts';
import { PARITY_RECORDING } from '../support/parity-tape.ts';
import { hasShared } from '../support/shared.ts';
import { compareWays } from '../support/three-ways.ts';

const HAS_TAPE = hasShared(...PARITY_RECORDING);
const TEST_MS_MAX = 120_000;

let hour: Stretch;
let remove = (): void => undefined;
beforeAll(async () => {
  if (HAS_TAPE) ({ stretch: hour, remove } = await openHour());
});
afterAll(() => remove());

const withLifetime = (strategies: string): string =>
  strategies.replace(/^( +)module:.*$/gm, (line, indent: string) => `${line}\n${indent}orderLifetime: 4s`);

describe.skipIf(!HAS_TAPE)('orders that end after 4 s', () => {
  test(
    'are wanted, ordered and filled the same three ways',
    async () => {
      const told = await compareWays('demo', hour, { minutes: 4, changed: withLifetime });
      expect(told.differences).toEqual([]);
      expect(told.wire.writes).toBeGreaterThan(50);
      expect(told.counts.intents).toBeGreaterThan(20);
    },
    TEST_MS_MAX,
  );
});
