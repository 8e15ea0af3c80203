/** A recorded market drives a real matching engine: recordings of ../shared, read where they lie. */
import { expect, test } from 'vitest';
import { quantums } from '../../src/domain/index.ts';
import { createRecordedFlow } from '../../src/exchange/flow/recorded-flow.ts';
import type { RecordedFlowEvent } from '../../src/exchange/flow/recorded-source.ts';
import { perpetual } from '../../src/exchange/state/default-markets.ts';
import { openRecordedMarket } from '../../src/tape/importers/index.ts';
import { TestFlowHost, totalCash } from '../support/flow-host.ts';
import { ListSource } from '../support/recorded-events.ts';
import { hasShared, sharedPath } from '../support/shared.ts';
import { SimpleMaker } from '../support/simple-maker.ts';

const RECORDINGS = ['standx-btcusd-20260106', 'binance-um-btcusdt-20230404', 'binance-um-20240808'];
const RUN_MS = 60_000;

/** The first minute and a bit of a recording. */
async function minuteOf(folder: string) {
  const recording = await openRecordedMarket(folder);
  const events: RecordedFlowEvent[] = [];
  for await (const event of recording.events) {
    events.push(event);
    if (event.atMs > recording.firstAtMs + RUN_MS + 1_000) break;
  }
  return { recording, events };
}

function exchangeOf({ recording, events }: Awaited<ReturnType<typeof minuteOf>>) {
  const market = perpetual({
    symbol: recording.symbol,
    signingMarketId: 0,
    priceDecimals: recording.priceDecimals,
    sizeDecimals: recording.sizeDecimals,
    indexTicks: 1_000,
  });
  const host = new TestFlowHost({
    markets: [{ ...market, market: { ...market.market, minNotional: quantums(0n) } }],
  });
  const flow = createRecordedFlow({ market: 0, source: new ListSource(events) });
  host.attach(flow);
  return { host, flow };
}

test.each(RECORDINGS)('%s: what rests is what was recorded, at each block', async (name) => {
  if (!hasShared('data', name)) return;
  const minute = await minuteOf(sharedPath('data', name));
  const { host, flow } = exchangeOf(minute);
  const startMs = host.nowMs();
  let at = 0;
  let compared = 0;
  host.afterBlocks(() => {
    const dueAtMs = minute.recording.firstAtMs + host.nowMs() - startMs;
    let last: RecordedFlowEvent | undefined;
    for (; (minute.events[at]?.atMs ?? Number.POSITIVE_INFINITY) <= dueAtMs; at++) last = minute.events[at];
    if (last?.kind !== 'levels') return;
    const side = (levels: typeof last.bids) => levels.map((level) => [level.priceTicks, level.sizeLots]);
    expect(host.book(0, 99)).toEqual({ bids: side(last.bids), asks: side(last.asks) });
    compared++;
  });
  host.run(RUN_MS);
  expect(compared).toBeGreaterThan(100);
  expect(flow.stats()).toMatchObject({ levelsUnusable: 0, crowdCrossed: 0, rejected: {}, ended: false });
});

test.each(RECORDINGS)('%s: a maker at the best price is filled, twice alike', async (name) => {
  if (!hasShared('data', name)) return;
  const minute = await minuteOf(sharedPath('data', name));
  const run = () => {
    const { host } = exchangeOf(minute);
    const maker = new SimpleMaker(host, {
      market: 0,
      cash: quantums(10n ** 12n),
      lots: 100,
      everyBlocks: 5,
      betterTicks: 0,
    });
    host.run(RUN_MS);
    expect(maker.fills.buy + maker.fills.sell).toBeGreaterThanOrEqual(5);
    expect(totalCash(host)).toBe(host.deposited);
    return { digest: host.digest(), fills: maker.fills };
  };
  expect(run()).toEqual(run());
});
