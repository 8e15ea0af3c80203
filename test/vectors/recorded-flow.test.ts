/** A recorded market drives a real matching engine: recordings of ../shared, imported as tapes. */
import { expect, test } from 'vitest';
import { quantums } from '../../src/domain/index.ts';
import { createRecordedFlow } from '../../src/exchange/flow/recorded-flow.ts';
import type { RecordedFlowEvent } from '../../src/exchange/flow/recorded-source.ts';
import { perpetual } from '../../src/exchange/state/default-markets.ts';
import { openTape } from '../../src/tape/format/index.ts';
import { TestFlowHost, totalCash } from '../support/flow-host.ts';
import { BOOK_RECORDINGS, importedTape, playedEvents } from '../support/imported-flow.ts';
import { ListSource } from '../support/recorded-events.ts';
import { hasShared, sharedPath } from '../support/shared.ts';
import { SimpleMaker } from '../support/simple-maker.ts';

const RECORDINGS = BOOK_RECORDINGS.filter(([folder]) => hasShared('data', folder));
if (RECORDINGS.length === 0) console.log('skipped: no recorded sets in ../shared/data');
const RUN_MS = 60_000;

/** The first minute and a bit of a recording. */
async function minuteOf([folder, format]: (typeof RECORDINGS)[number]) {
  const tape = openTape((await importedTape(format, sharedPath('data', folder))).folder);
  return playedEvents(tape, undefined, tape.fromUs / 1_000 + RUN_MS + 2_000);
}

function exchangeOf({ market: recorded, events }: Awaited<ReturnType<typeof minuteOf>>) {
  const { symbol, priceDecimals, sizeDecimals } = recorded;
  const market = perpetual({ symbol, signingMarketId: 0, priceDecimals, sizeDecimals, indexTicks: 1_000 });
  const host = new TestFlowHost({
    markets: [{ ...market, market: { ...market.market, minNotional: quantums(0n) } }],
  });
  const flow = createRecordedFlow({ market: 0, source: new ListSource(events) });
  host.attach(flow);
  return { host, flow };
}

test.each(RECORDINGS)('%s: what rests is what was recorded, at each block', async (...recording) => {
  const minute = await minuteOf(recording);
  const firstAtMs = minute.events[0]?.atMs ?? 0;
  const { host, flow } = exchangeOf(minute);
  const startMs = host.nowMs();
  let at = 0;
  let compared = 0;
  host.afterBlocks(() => {
    const dueAtMs = firstAtMs + host.nowMs() - startMs;
    let last: RecordedFlowEvent | undefined;
    for (; (minute.events[at]?.atMs ?? Number.POSITIVE_INFINITY) <= dueAtMs; at++) last = minute.events[at];
    if (last?.kind !== 'levels') return;
    const side = (levels: typeof last.bids) => levels.map((level) => [level.priceTicks, level.sizeLots]);
    expect(host.book(0, 99)).toEqual({ bids: side(last.bids), asks: side(last.asks) });
    compared++;
  });
  host.run(RUN_MS);
  expect(compared).toBeGreaterThan(100);
  expect(flow.stats()).toMatchObject({ levelsUnusable: 0, bookCrossed: 0, rejected: {}, ended: false });
});

test.each(RECORDINGS)('%s: a maker at the best price is filled, twice alike', async (...recording) => {
  const minute = await minuteOf(recording);
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
