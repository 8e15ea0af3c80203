/** @module A rule over bars must decide the same whether the bars after it are known or not. */

import type { BarMarket, Bars } from '../../bot/strategy/index.ts';
import { DURATION_TEXT, must, parseDurationMs, seededRandom } from '../../core/index.ts';
import { parsePrice, parseSize } from '../../domain/index.ts';
import type { Exam } from './scenario.ts';
import { StageMarket } from './stage-market.ts';
import type { Finding } from './subject.ts';

const BARS = 300;
/** Lengths of bars that a rule may want, ms, beside those that its parameters name. */
const LENGTHS_MS = [1_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, 86_400_000];

/** What is wrong with the rule of a strategy; `undefined`: nothing, or it has none. */
export function barsLookAhead({ subject }: Exam): Finding | undefined {
  const { bars: make } = subject.definition;
  if (make === undefined) return undefined;
  const { market } = new StageMarket(subject.symbols[0] ?? 'BTC-USD', 0);
  const all = drawnBars();
  const named = Object.values(subject.parameters)
    .map(String)
    .filter((text) => DURATION_TEXT.test(text))
    .map(parseDurationMs);
  for (const barMs of [...named, ...LENGTHS_MS]) {
    const at: BarMarket = {
      ...{ market, barMs },
      lotsOf: (size) => must(parseSize(market, size.toString()), 'a size on the lot'),
      ticksOf: (price) => must(parsePrice(market, price.toString()), 'a price on the tick'),
    };
    try {
      const [knowing, blind] = [make(at, subject.parameters), make(at, subject.parameters)];
      for (let bar = 0; bar < BARS - 1; bar++) {
        const shown = upTo(all, bar);
        const [now, then] = [blind.targetLots(shown, bar, 0), knowing.targetLots(all, bar, 0)];
        if (!Object.is(now, then))
          return {
            event: { number: bar + 1, atMs: bar * barMs, text: `the close of bar ${bar}` },
            expected: `a target of ${then} lots whether later bars are known or not`,
            got: `${now} lots without them`,
          };
      }
      return undefined;
    } catch {
      // Rules refuse bars of another length than their own: the next one.
    }
  }
  return undefined;
}

function drawnBars(): Bars {
  const random = seededRandom(5);
  const column = () => new Float64Array(BARS);
  const bars = {
    openUs: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  let price = 1_000_000;
  for (let at = 0; at < BARS; at++) {
    bars.openUs[at] = at * 60_000_000;
    bars.open[at] = price;
    price = Math.round(price * (1 + random.normal() * 0.004));
    bars.close[at] = price;
    bars.high[at] = Math.max(bars.open[at] ?? 0, price) + 50;
    bars.low[at] = Math.min(bars.open[at] ?? 0, price) - 50;
    bars.volume[at] = random.integer(1, 1_000);
  }
  return bars;
}

/** The same bars, as they are known at the close of `bar`. */
function upTo(bars: Bars, bar: number): Bars {
  const cut = (column: Float64Array) => column.map((value, at) => (at <= bar ? value : Number.NaN));
  return {
    ...{ openUs: cut(bars.openUs), open: cut(bars.open), high: cut(bars.high), low: cut(bars.low) },
    ...{ close: cut(bars.close), volume: cut(bars.volume) },
  };
}
