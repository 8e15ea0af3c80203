import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordMarket } from '../../src/bot/live/record-market.ts';
import { stopAfter } from '../../src/bot/live/stop-signal.ts';
import { loadConfig } from '../../src/config/index.ts';
import { formatScaled, silentLog, VirtualClock } from '../../src/core/index.ts';
import { hostExchange } from '../../src/exchange/host/index.ts';
import { inProcessTransport } from '../../src/exchange/index.ts';
import { EVENT, openTape, type Tape } from '../../src/tape/format/index.ts';
import { verifyTape } from '../../src/tape/tools/index.ts';
import { ballast } from '../support/ballast-process.ts';
import { withTapeFolder } from '../unit/tape/format/tapes.ts';

const CONFIG = join(import.meta.dirname, '..', '..', 'configs', 'demo.yaml');

/** Records the demo's market for `forMs` of virtual time. */
async function record(out: string, forMs: number) {
  const clock = new VirtualClock(1_767_700_020_000);
  const hosted = await hostExchange({
    ...{ clock, log: silentLog, seed: 7, accounts: 0, tape: undefined, symbol: undefined, isQuiet: false },
  });
  const latency = { requestLatencyMs: 3, answerLatencyMs: 3, frameLatencyMs: 2 };
  const running = recordMarket({
    ...{ source: loadConfig(CONFIG), clock, log: silentLog, stop: stopAfter(clock, forMs), out },
    ...{
      baseUrl: 'http://in.process',
      transport: inProcessTransport(hosted.exchange, { clock, ...latency }),
    },
  });
  let isOver = false;
  void running.finally(() => {
    isOver = true;
  });
  while (!isOver && clock.monotonicMs() < forMs * 3) {
    await clock.advanceAsync(100);
  }
  await hosted.stop();
  return await running;
}

/** The book of the first market after all rows of `tape`, best first, as the frames write it. */
function bookOf(tape: Tape): { bids: string[][]; asks: string[][] } {
  const sides = new Map<number, Map<number, number>>();
  for (const batch of tape.batches()) {
    for (let row = 0; row < batch.rows; row++) {
      const kind = batch.kind[row] ?? 0;
      if (kind === EVENT.bookReset) sides.clear();
      if (kind !== EVENT.bidLevel && kind !== EVENT.askLevel) continue;
      const side = sides.get(kind) ?? new Map<number, number>();
      sides.set(kind, side.set(batch.price[row] ?? 0, batch.size[row] ?? 0));
    }
  }
  const { priceDecimals, sizeDecimals } = tape.markets[0] ?? { priceDecimals: 0, sizeDecimals: 0 };
  const levels = (kind: number, direction: number): string[][] =>
    [...(sides.get(kind) ?? [])]
      .filter(([, size]) => size > 0)
      .sort(([a], [b]) => (a - b) * direction)
      .map(([price, size]) => [formatScaled(price, priceDecimals), formatScaled(size, sizeDecimals)]);
  return { bids: levels(EVENT.bidLevel, -1), asks: levels(EVENT.askLevel, 1) };
}

test('a recorded market is on the tape as frames and as rows that say the same, from reads alone', () =>
  withTapeFolder(async (folder) => {
    const report = await record(folder, 15_000);
    const tape = openTape(folder);
    expect(verifyTape(folder)).toMatchObject({ sealed: true, findings: [], rows: report.rows });
    expect(report).toMatchObject({ leftOut: 0, stopReason: 'time limit', markets: ['BTC-USD'] });

    let lastBook: unknown;
    const channels = new Set<string>();
    for (const one of tape.raw()) {
      if ('answer' in one) expect(one.answer.method).toBe('GET');
      if (!('frame' in one)) continue;
      const { channel, data } = JSON.parse(one.frame) as { channel: string; data: unknown };
      channels.add(channel);
      if (channel === 'book') lastBook = data;
    }
    expect([...channels].filter((channel) => /account|orders|fills|ledger|positions/.test(channel))).toEqual(
      [],
    );
    expect(bookOf(tape)).toMatchObject({
      bids: (lastBook as { bids: unknown }).bids,
      asks: (lastBook as { asks: unknown }).asks,
    });
    expect(Object.keys(tape.manifest.counts['BTC-USD'] ?? {})).toEqual(
      expect.arrayContaining(['bidLevel', 'askLevel', 'buyTrade', 'sellTrade', 'mark', 'bestBid']),
    );
  }));

test('ballast tape verify ends with 0 for a whole tape and names the file of a flipped byte with 65', () =>
  withTapeFolder(async (folder) => {
    await record(folder, 3_000);
    const whole = await ballast(['tape', 'verify', folder, '--json']);
    expect(whole.exitCode).toBe(0);
    expect(JSON.parse(whole.stdout)).toMatchObject({ schema: 1, ok: true, findings: [] });

    const path = join(folder, 'events-00001.arrow');
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    writeFileSync(path, bytes);
    const changed = await ballast(['tape', 'verify', folder]);
    expect(changed.exitCode).toBe(65);
    expect(changed.stdout).toMatch(/^events-00001\.arrow: .+\nNOT OK: 2 files/);
  }));
