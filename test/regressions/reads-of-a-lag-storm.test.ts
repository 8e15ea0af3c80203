/**
 * @module
 * A stream that is told again and again that frames were lost asks for what it missed with one request at a time: a storm
 * of them sent one each, three times over (obligations O104, O118; invariant I15, seed 6647).
 */
import { describe, expect, test } from 'vitest';
import type { ReadResult } from '../../src/wire/stream/ports.ts';
import { aScene, EPOCH, type Scene } from '../unit/wire/stream/scripted.ts';

const SYMBOL = 'BTC-USD';
const LAGGED = { channel: 'lagged', data: { dropped: 1, epoch: EPOCH, upper: '10-65535-4294967295' } };
/** Any frame with a place: history is asked for at it. */
const PLACED = {
  channel: 'funding',
  seq: 11,
  data: { symbol: SYMBOL, ratePpm: 10, indexPrice: '1.0', ts: 1 },
};

interface Read {
  end(result: ReadResult): void;
  fail(): void;
}

/** Candles whose reads wait for the test. */
async function waiting(): Promise<{ scene: Scene; reads: Read[] }> {
  const scene = aScene({ market: [{ channel: 'candles', symbol: SYMBOL, interval: '1m' }] });
  const reads: Read[] = [];
  scene.history.candles = () =>
    new Promise((end, reject) => reads.push({ end, fail: () => reject(new Error('cut')) }));
  await scene.sync();
  scene.socket().frame(PLACED);
  return { scene, reads };
}

function lose(scene: Scene): void {
  scene.socket().frame(LAGGED);
  scene.socket().frame(PLACED);
}

const body = (startTime: number): ReadResult => ({
  kind: 'body',
  text: JSON.stringify({
    candles: [
      {
        ...{ symbol: SYMBOL, interval: '1m', startTime, trades: 3 },
        ...{ open: '1.0', high: '2.0', low: '1.0', close: '2.0', volume: '1.0000' },
      },
    ],
  }),
});
const shown = (scene: Scene) => scene.of('CandleUpdated').map(({ candle }) => candle.startAtMs);

describe('frames that are lost again and again', () => {
  test('are asked for once, and once more when the request that was under way is over', async () => {
    const { scene, reads } = await waiting();
    for (let i = 0; i < 50; i++) lose(scene);
    expect(reads).toHaveLength(1);
    reads[0]?.end(body(60_000));
    await scene.advance(1);
    // What was asked for before the newest loss may lack what was lost.
    expect([reads.length, shown(scene)]).toEqual([2, []]);
    reads[1]?.end(body(120_000));
    await scene.advance(10_000);
    expect([reads.length, shown(scene)]).toEqual([2, [120_000]]);
  });

  test('are asked for when the request that was under way came to nothing', async () => {
    const { scene, reads } = await waiting();
    lose(scene);
    reads[0]?.fail();
    await scene.advance(1);
    reads[1]?.end(body(60_000));
    await scene.advance(10_000);
    expect([reads.length, shown(scene)]).toEqual([2, [60_000]]);
  });

  test('are not asked for behind a connection that has gone meanwhile', async () => {
    const { scene, reads } = await waiting();
    lose(scene);
    scene.socket().close('cut');
    reads[0]?.end(body(60_000));
    await scene.advance(1);
    expect([reads.length, shown(scene)]).toEqual([1, []]);
  });
});
