import { describe, expect, test } from 'vitest';
import { Heartbeat, TICK_MS } from '../../../../src/wire/stream/heartbeat.ts';

/** Ticks to `untilMs`; gives the verdicts that are not quiet, with their times. */
function tickTo(heartbeat: Heartbeat, fromMs: number, untilMs: number): [number, string][] {
  const verdicts: [number, string][] = [];
  for (let nowMs = fromMs; nowMs <= untilMs; nowMs += TICK_MS) {
    const verdict = heartbeat.tick(nowMs);
    if (verdict !== 'quiet') verdicts.push([nowMs, verdict]);
  }
  return verdicts;
}

describe('a heartbeat', () => {
  test('pings after 1 s of silence and gives up 5 s later (O90)', () => {
    expect(tickTo(new Heartbeat(0), 500, 6_000)).toEqual([
      [1_000, 'ping'],
      [6_000, 'dead'],
    ]);
  });

  test('pings again when frames came after the ping and then stopped', () => {
    const heartbeat = new Heartbeat(0);
    tickTo(heartbeat, 500, 1_000);
    heartbeat.heard(1_100);
    expect(tickTo(heartbeat, 1_500, 7_500)).toEqual([
      [2_500, 'ping'],
      [7_500, 'dead'],
    ]);
  });

  test('gives no one up for frames that its own stalled loop has not read', () => {
    const heartbeat = new Heartbeat(0);
    tickTo(heartbeat, 500, 1_000);
    expect(heartbeat.tick(60_000)).toBe('ping');
    expect(heartbeat.tick(60_500)).toBe('quiet');
    expect(tickTo(heartbeat, 61_000, 65_000)).toEqual([[65_000, 'dead']]);
  });

  test('measures a round trip only when the pong can be of one ping alone', () => {
    const heartbeat = new Heartbeat(0);
    tickTo(heartbeat, 500, 1_000);
    expect(heartbeat.answered()).toBe(1_000);
    expect(heartbeat.answered()).toBeUndefined();
    heartbeat.heard(1_100);
    tickTo(heartbeat, 1_500, 2_500);
    heartbeat.heard(2_600);
    tickTo(heartbeat, 3_000, 4_000);
    // The first pong of two pings; the next one that comes may still be of the second, whatever was sent meanwhile.
    expect(heartbeat.answered()).toBeUndefined();
    heartbeat.heard(4_100);
    expect(tickTo(heartbeat, 4_500, 5_500)).toEqual([[5_500, 'ping']]);
    expect(heartbeat.answered()).toBeUndefined();
  });
});
