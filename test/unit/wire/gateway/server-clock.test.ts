import { describe, expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../../../src/core/index.ts';
import { ServerClock } from '../../../../src/wire/gateway/server-clock.ts';

function aClock(startMs = 1_000_000) {
  const clock = new VirtualClock(startMs);
  const server = new ServerClock({ clock, log: silentLog, meter: silentMeter });
  /** A reading of a server whose clock is `aheadMs` ahead, with these ways there and back. */
  const read = (aheadMs: number, thereMs: number, backMs: number) => {
    const sentAtMs = clock.monotonicMs();
    clock.advance(thereMs);
    const serverMs = Math.round(clock.nowMs() + aheadMs);
    clock.advance(backMs);
    server.observe({ serverMs, sentAtMs, receivedAtMs: clock.monotonicMs() });
  };
  return { clock, server, read };
}

describe('the exchange’s clock', () => {
  test('is this machine’s until something is known, and says so', () => {
    const { clock, server } = aClock();
    expect(server.state()).toMatchObject({ isKnown: false, offsetMs: 0 });
    expect(server.serverNowMs()).toBe(clock.nowMs());
  });

  test.each([600_000, -600_000, 0])('is right with a local clock off by %i ms (O11, O47)', (aheadMs) => {
    const { clock, server, read } = aClock(10_000_000);
    for (let i = 0; i < 5; i++) read(aheadMs, 20, 20);
    clock.advance(12_345);
    expect(Math.abs(server.serverNowMs() - (clock.nowMs() + aheadMs))).toBeLessThanOrEqual(1);
  });

  test('believes the reading with the shortest way', () => {
    const { server, read } = aClock();
    read(5_000, 1, 1);
    for (let i = 0; i < 5; i++) read(5_000, 5, 400);
    expect(server.state().errorMs).toBe(1);
    expect(Math.abs(server.state().offsetMs - 5_000)).toBeLessThanOrEqual(2);
    expect(server.state().lastJumpMs).toBe(0);
  });

  test('stays within 250 ms under noise and 500 ppm of drift (O11)', () => {
    const { clock, server, read } = aClock();
    const random = seededRandom(4);
    for (let i = 0; i < 500; i++) {
      const aheadMs = 60_000 + clock.monotonicMs() * 0.0005;
      read(aheadMs, random.exponential(30), random.exponential(30));
      clock.advance(20_000);
      const truth = clock.nowMs() + 60_000 + clock.monotonicMs() * 0.0005;
      expect(Math.abs(server.serverNowMs() - truth)).toBeLessThan(250);
    }
    expect(server.state().lastJumpMs).toBe(0);
  });

  test('follows a jump at its second reading and tells its size (H6)', () => {
    const { clock, server, read } = aClock();
    let doubts = 0;
    server.onDoubt = () => {
      doubts++;
    };
    for (let i = 0; i < 8; i++) read(1_000, 10, 10);
    read(4_000, 10, 10);
    expect(doubts).toBe(1);
    expect(server.state().lastJumpMs).toBe(0);
    expect(Math.abs(server.state().offsetMs - 1_000)).toBeLessThanOrEqual(1);
    read(4_000, 10, 10);
    expect(doubts).toBe(1);
    expect(Math.round(server.state().lastJumpMs)).toBe(3_000);
    expect(server.state().lastJumpAtMs).toBe(clock.monotonicMs());
    expect(Math.abs(server.state().offsetMs - 4_000)).toBeLessThanOrEqual(1);
  });

  test('forgets a doubt when the next reading is as before, and does not add up different ones', () => {
    const { server, read } = aClock();
    for (let i = 0; i < 8; i++) read(1_000, 10, 10);
    for (let i = 1; i < 20; i++) {
      read(i * 1_000_000, 10, 10);
      if (i % 2 === 0) read(1_000, 10, 10);
    }
    read(1_000, 10, 10);
    read(19_000_000, 10, 10);
    expect(server.state().lastJumpMs).toBe(0);
    expect(Math.abs(server.state().offsetMs - 1_000)).toBeLessThanOrEqual(1);
  });

  test('passes readings by that are slow or no time at all', () => {
    const { server, read } = aClock();
    read(1_000, 10, 10);
    read(50_000, 3_000, 10);
    server.observe({ serverMs: Number.NaN, sentAtMs: 0, receivedAtMs: 1 });
    expect(Math.abs(server.state().offsetMs - 1_000)).toBeLessThanOrEqual(10);
  });
});
