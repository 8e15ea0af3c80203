/** @module Frames that were held back on their way are old when they arrive (I25, denials.md P16, fault F20). */
import { describe, expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../../../src/core/index.ts';
import type { Fact } from '../../../../src/domain/index.ts';
import { createMarketStream } from '../../../../src/wire/stream/index.ts';
import { aScene, MARKETS, type Scene, ScriptedHistory, ScriptedSocket } from './scripted.ts';

/** A frame of this age by the exchange's clock; `undefined`: the frame does not say when it was made. */
function bookOf(scene: Pick<Scene, 'clock'>, ageMs: number | undefined): object {
  const ts = ageMs === undefined ? {} : { ts: scene.clock.nowMs() - ageMs };
  const data = {
    symbol: 'BTC-USD',
    seq: 11,
    ...ts,
    bids: [['100.0', '1.0000']],
    asks: [['100.5', '1.0000']],
  };
  return { channel: 'book', isSnapshot: true, seq: 11, data };
}

function opened(isKnown = true, suspect = (): void => undefined): Scene {
  const scene: Scene = aScene({
    market: [{ channel: 'book', symbol: 'BTC-USD' }],
    exchangeTime: {
      ageOf: (exchangeMs) => (isKnown ? scene.clock.nowMs() - exchangeMs : undefined),
      suspect,
    },
  });
  scene.stream.start();
  scene.socket().open();
  scene.socket().acknowledge();
  return scene;
}

/** How old the book that was shown last is. */
const ageOfShown = (scene: Scene) =>
  scene.clock.nowMs() - (scene.of('BookUpdated').at(-1)?.book.receivedAtMs ?? Number.NaN);

describe('a book (P16)', () => {
  test.each([
    ['has just been made', 0, 0],
    ['is late by less than a block', 499, 0],
    ['was held back', 4_000, 4_000],
    ['is of a clock ahead of ours', -4_000, 0],
    ['does not say when it was made', undefined, 0],
  ] as const)('that %s is as old as the exchange says', (_what, ageMs, shownMs) => {
    const scene = opened();
    scene.socket().frame(bookOf(scene, ageMs));
    expect(ageOfShown(scene)).toBe(shownMs);
  });

  test.each([
    ['is late', 4_000, 1],
    ['comes from the future', -4_000, 1],
    ['is of now', 300, 0],
    ['is ahead by what nobody measures', -300, 0],
    ['does not say when it was made', undefined, 0],
  ] as const)('that %s makes the time of the exchange doubtful or not', (_what, ageMs, doubts) => {
    let suspected = 0;
    const scene = opened(true, () => {
      suspected++;
    });
    scene.socket().frame(bookOf(scene, ageMs === undefined ? undefined : Math.abs(ageMs) + 500));
    suspected = 0;
    scene.socket().frame(bookOf(scene, ageMs));
    expect(suspected).toBe(doubts);
  });

  test('counts from its arrival while the time of the exchange is not known', () => {
    const scene = opened(false);
    scene.socket().frame(bookOf(scene, 4_000));
    expect(ageOfShown(scene)).toBe(0);
  });

  test('that is late stays old, whatever answers in time, until a frame in time comes', async () => {
    const scene = opened();
    scene.socket().frame(bookOf(scene, 4_000));
    await scene.advance(600);
    scene.socket().frame({ channel: 'pong', data: { ts: scene.clock.nowMs() } });
    expect(ageOfShown(scene)).toBe(4_600);
    scene.socket().frame(bookOf(scene, 100));
    expect(ageOfShown(scene)).toBe(0);
  });

  test('that is late is old though a frame of tomorrow came between: that one is of no block', async () => {
    const scene = opened();
    for (const ageMs of [0, -86_400_000, 4_000]) {
      scene.socket().frame(bookOf(scene, ageMs));
      await scene.advance(100);
    }
    expect(ageOfShown(scene)).toBe(4_100);
  });

  test('of the block that runs is new, where blocks are long', async () => {
    const scene = opened();
    for (let block = 0; block < 3; block++) {
      scene.socket().frame(bookOf(scene, 0));
      await scene.advance(5_000);
    }
    scene.socket().frame(bookOf(scene, 0));
    await scene.advance(4_000);
    scene.socket().frame(bookOf(scene, 4_000));
    expect(ageOfShown(scene)).toBe(0);
    // It left at the end of its block, and was on its way when the next one began.
    scene.socket().frame(bookOf(scene, 5_099));
    expect(ageOfShown(scene)).toBe(0);
    scene.socket().frame(bookOf(scene, 5_100));
    expect(ageOfShown(scene)).toBe(5_100);
  });
});

test('a paper run judges the age of what arrives as a live one does', () => {
  const clock = new VirtualClock(1_767_700_020_000);
  const facts: Fact[] = [];
  const sockets: ScriptedSocket[] = [];
  const stream = createMarketStream({
    ...{ clock, random: seededRandom(3), log: silentLog, meter: silentMeter, markets: MARKETS },
    history: new ScriptedHistory(),
    subscriptions: [{ channel: 'book', symbol: 'BTC-USD' }],
    sockets: {
      open: (events) => sockets[sockets.push(new ScriptedSocket(events, clock)) - 1] as ScriptedSocket,
    },
    sink: (fact) => facts.push(fact),
    exchangeTime: { ageOf: (exchangeMs) => clock.nowMs() - exchangeMs, suspect: () => undefined },
  });
  stream.start();
  sockets[0]?.open();
  sockets[0]?.acknowledge();
  sockets[0]?.frame(bookOf({ clock }, 4_000));
  const shown = facts.findLast((fact) => fact.type === 'BookUpdated');
  expect(clock.nowMs() - (shown?.book.receivedAtMs ?? Number.NaN)).toBe(4_000);
  stream.stop();
});
