/**
 * @module
 * A small sweep for tests: a tape of a market that wanders and trades, and a configuration whose ladder can be wide or
 * narrow on it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/core/index.ts';
import type { EventKind } from '../../src/tape/format/events.ts';
import { createTapeWriter, EVENT, FLAG_END } from '../../src/tape/format/index.ts';

/** Where a small sweep lies. */
export interface SweepScene {
  readonly folder: string;
  /** File of the configuration, and what is in it. */
  readonly config: string;
  readonly text: string;
  readonly tape: string;
  remove(): void;
}

const START_US = 1_767_686_400_000_000;
const FRAME_US = 250_000;

/** Makes one. `minutes`: length of its tape. */
export function sweepScene(minutes = 3): SweepScene {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-sweep-'));
  const tape = join(folder, 'tape');
  writeTape(tape, minutes);
  const config = join(folder, 'sweep.yaml');
  const text = configText();
  writeFileSync(config, text);
  return { folder, config, text, tape, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Its configuration; `method` and what goes with it can be another. */
export function configText(method = 'method: grid'): string {
  const ladder = join(import.meta.dirname, '..', '..', 'strategies', 'two-sided-ladder', 'index.ts');
  return `
environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies:
  - name: ladder
    module: ${ladder}
    markets: [BTC-USD]
    parameters: { levels: 1, size: 0.01, maxInventory: 0.1, halfSpreadPpm: 100, minHalfSpreadPpm: 10, levelSpacingPpm: 50, skewPpm: 20, requoteTicks: 1, requoteInterval: 250ms }
risk: { capital: 100000, maxSameSideFillsPer10s: 1000, maxTurnoverPer10s: 10000% }
paper: { fillModel: trade-through, feedLatency: 1ms, entryLatency: 2ms, responseLatency: 2ms }
sweep:
  ${method}
  parameters:
    ladder.halfSpreadPpm: { values: [20, 60, 200] }
    ladder.skewPpm: { from: 0, to: 20, step: 20 }
  windows: 1
  trainFraction: 0.5
`;
}

function writeTape(folder: string, minutes: number): void {
  const market = { symbol: 'BTC-USD', priceDecimals: 1, sizeDecimals: 3, tickStep: 1, lotStep: 1 };
  const writer = createTapeWriter({
    folder,
    markets: [{ ...market, depth: 'levels' }],
    source: { kind: 'recorded', description: 'made by a test' },
  });
  const random = seededRandom('sweep scene');
  let mid = 1_000_000;
  let trades = 0;
  for (let us = START_US; us < START_US + minutes * 60_000_000; us += FRAME_US) {
    const put = (kind: EventKind, price: number, size: number, isLast = false, id = 0): void =>
      writer.write({
        ...{ kind, price, size, id, market: 0 },
        flags: isLast ? FLAG_END : 0,
        ...{ exchangeUs: us, receivedUs: us + 500 },
      });
    mid += random.integer(-40, 40);
    if (random.chance(0.5)) {
      const isBuy = random.chance(0.5);
      put(
        isBuy ? EVENT.buyTrade : EVENT.sellTrade,
        mid + (isBuy ? 60 : -60),
        random.integer(5, 50),
        true,
        ++trades,
      );
    }
    put(EVENT.bookReset, 0, 0);
    for (const depth of [1, 2, 3]) put(EVENT.bidLevel, mid - 10 * depth, 500);
    for (const depth of [1, 2, 3]) put(EVENT.askLevel, mid + 10 * depth, 500, depth === 3);
  }
  writer.close();
}
