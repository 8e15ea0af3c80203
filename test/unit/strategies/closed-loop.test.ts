/** The shipped configurations on the background flow of the exchange in the box: a real venue on a virtual clock. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/index.ts';
import { createSyntheticFlow } from '../../../src/simulator/flow/synthetic-flow.ts';
import stoikov from '../../../strategies/avellaneda-stoikov/index.ts';
import ladder from '../../../strategies/two-sided-ladder/index.ts';
import { TestFlowHost } from '../../support/flow-host.ts';
import { runOnFlow } from '../../support/strategy-on-flow.ts';
import { ROOT } from '../../tidy/source.ts';

const SEEDS = [7, 1, 2, 3];
const RUN_MS = 20_000;

const cases = ['demo', 'avellaneda-stoikov', 'two-strategies'].flatMap((name) =>
  loadConfig(join(ROOT, 'configs', `${name}.yaml`)).config.strategies.map(
    ({ name: strategy, module, parameters, markets: [symbol = ''] }) => ({
      title: `${name}: ${strategy}`,
      definition: module.includes('ladder') ? ladder : stoikov,
      parameters,
      symbol,
    }),
  ),
);

describe.each(cases)('$title', ({ definition, parameters, symbol }) => {
  test.each(SEEDS)('is filled on both sides within 20 s and never takes (seed %i)', (seed) => {
    const host = new TestFlowHost({ seed });
    host.attach(createSyntheticFlow());
    const { run, result, market } = runOnFlow(host, definition, { parameters, symbol });
    host.run(RUN_MS);
    expect(result.fills.buy).toBeGreaterThanOrEqual(10);
    expect(result.fills.sell).toBeGreaterThanOrEqual(10);
    expect(result.takerFills).toBe(0);
    expect(result.replaces).toBeGreaterThanOrEqual(20);
    // Risk control P11: ten writes a second.
    expect(result.writes).toBeLessThanOrEqual(10 * (RUN_MS / 1_000));
    const levels = Number(parameters['levels'] ?? 1);
    expect(result.openOrdersPerSideMax).toBeLessThanOrEqual(levels);
    // An order that is filled while its replacement is on its way counts twice: one side's orders at the most.
    const sideLots = levels * market.sizeOf(String(parameters['size']));
    const maxLots = market.sizeOf(String(parameters['maxInventory']));
    expect(result.maxInventoryLots).toBeLessThanOrEqual(maxLots + sideLots);
    expect(run.pulls).toEqual([]);
  });
});
