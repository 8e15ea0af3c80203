/** @module A market that nobody changed stayed stale when the clock was set back, until somebody did: seed 4944 of the swarm. */
import { describe, expect, test } from 'vitest';
import { silentLog, silentMeter, unixMs, VirtualClock } from '../../src/core/index.ts';
import type { Fact, MarketSymbol, Ticks } from '../../src/domain/index.ts';
import { lots } from '../../src/domain/index.ts';
import { BlockLength } from '../../src/wire/stream/block-length.ts';
import { BboStream } from '../../src/wire/stream/market/quote-streams.ts';
import { QuoteWitness } from '../../src/wire/stream/market/quote-witness.ts';
import { MARKETS } from '../unit/wire/stream/scripted.ts';

const BTC = 'BTC-USD' as MarketSymbol;
const [BID, ASK] = [1_000 as Ticks, 1_005 as Ticks];
const SHOWN_MS = 1_800_000_000_000;
const BACK_MS = 600_000;

describe('a clock that is set back (F54, I13)', () => {
  test('leaves a quiet market as fresh as the next answer, not as the next change', () => {
    const clock = new VirtualClock(SHOWN_MS);
    const times: number[] = [];
    const sink = (fact: Fact): void => {
      if (fact.type === 'BboUpdated') times.push(fact.bbo.receivedAtMs);
    };
    const stream = new BboStream(
      { channel: 'bbo', symbol: BTC },
      { symbol: BTC, witness: new QuoteWitness(new BlockLength()) },
      { clock, log: silentLog, meter: silentMeter, sink, markets: MARKETS } as never,
    );
    const bbo = { symbol: BTC, bidTicks: BID, bidLots: lots(1), askTicks: ASK, askLots: lots(1) };
    stream.apply({ channel: 'bbo', isSnapshot: true, bbo } as never, SHOWN_MS);
    clock.advance(750);
    // Whether it is asked for is counted on a clock that nobody sets.
    expect(clock.monotonicMs() - stream.heardAtMs).toBe(750);
    stream.apply({ channel: 'bbo', isSnapshot: true, bbo } as never, SHOWN_MS - BACK_MS);
    expect(times).toEqual([SHOWN_MS, unixMs(SHOWN_MS - BACK_MS)]);
  });
});
