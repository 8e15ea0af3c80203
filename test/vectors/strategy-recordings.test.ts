/** The demo's ladder in a recorded market: a recording of ../shared, imported as a tape. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { quantums } from '../../src/domain/index.ts';
import { createRecordedFlow } from '../../src/exchange/flow/recorded-flow.ts';
import { perpetual } from '../../src/exchange/state/default-markets.ts';
import { openTape } from '../../src/tape/format/index.ts';
import ladder from '../../strategies/two-sided-ladder/index.ts';
import { TestFlowHost } from '../support/flow-host.ts';
import { playedEvents, standxHour } from '../support/imported-flow.ts';
import { ListSource } from '../support/recorded-events.ts';
import { hasShared } from '../support/shared.ts';
import { greatestWithin, runOnFlow } from '../support/strategy-on-flow.ts';
import { ROOT } from '../tidy/source.ts';

const RECORDING = 'standx-btcusd-20260106';
const RUN_MS = 60_000;
const isThere = hasShared('data', RECORDING);

test.skipIf(!isThere)('the ladder of configs/demo.yaml is filled on both sides within a minute', async () => {
  const tape = openTape(await standxHour());
  const { market: recorded, events } = playedEvents(tape, undefined, tape.fromUs / 1_000 + RUN_MS + 1_000);
  const { symbol, priceDecimals, sizeDecimals } = recorded;
  const spec = perpetual({ symbol, signingMarketId: 0, priceDecimals, sizeDecimals, indexTicks: 1_000 });
  const host = new TestFlowHost({
    markets: [{ ...spec, market: { ...spec.market, minNotional: quantums(0n) } }],
  });
  host.attach(createRecordedFlow({ market: 0, source: new ListSource(events) }));
  const [strategy] = loadConfig(join(ROOT, 'configs', 'demo.yaml')).config.strategies;
  const { result, market } = runOnFlow(host, ladder, { parameters: strategy?.parameters });
  host.run(RUN_MS);
  expect(result.fills.buy).toBeGreaterThanOrEqual(5);
  expect(result.fills.sell).toBeGreaterThanOrEqual(5);
  expect(result.takerFills).toBe(0);
  // Five rejections within 10 s pause a strategy (denials.md M5).
  expect(greatestWithin(result.rejected, 10_000)).toBeLessThanOrEqual(3);
  expect(result.maxInventoryLots).toBeLessThanOrEqual(market.lotsOf('0.03'));
});
