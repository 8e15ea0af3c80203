/** @module A market that nobody changed stayed stale when the clock was set back, until somebody did: seed 4944 of the swarm. */
import { describe, expect, test } from 'vitest';
import { silentLog, silentMeter, unixMs } from '../../src/core/index.ts';
import type { Fact, MarketSymbol, Ticks } from '../../src/domain/index.ts';
import { lots } from '../../src/domain/index.ts';
import type { MarketStream } from '../../src/wire/stream/market/market-stream.ts';
import { BboStream } from '../../src/wire/stream/market/quote-streams.ts';
import { MARKETS } from '../unit/wire/stream/scripted.ts';

const BTC = 'BTC-USD' as MarketSymbol;
const [BID, ASK] = [1_000 as Ticks, 1_005 as Ticks];
const SHOWN_MS = 1_800_000_000_000;
const BACK_MS = 600_000;

/** When the state of a stream was last shown to be so. */
function timesOf(make: (options: ConstructorParameters<typeof BboStream>[2]) => MarketStream) {
  const times: number[] = [];
  const sink = (fact: Fact): void => {
    if (fact.type === 'BboUpdated') times.push(fact.bbo.receivedAtMs);
  };
  const stream = make({ log: silentLog, meter: silentMeter, sink, markets: MARKETS } as never);
  return { stream, times };
}

describe('a clock that is set back (F54, I13)', () => {
  test('leaves a quiet market as fresh as the next pong, not as the next change', () => {
    const { stream, times } = timesOf(
      (options) => new BboStream({ channel: 'bbo', symbol: BTC }, BTC, options),
    );
    const bbo = { symbol: BTC, bidTicks: BID, bidLots: lots(1), askTicks: ASK, askLots: lots(1) };
    stream.apply({ channel: 'bbo', isSnapshot: true, bbo } as never, SHOWN_MS);
    stream.confirm(SHOWN_MS + 900);
    stream.confirm(SHOWN_MS - BACK_MS);
    stream.confirm(SHOWN_MS - BACK_MS + 900);
    expect(times).toEqual([SHOWN_MS, unixMs(SHOWN_MS - BACK_MS)]);
  });
});
