/** @module A grant that comes to its end (denials.md M16, obligation O52). */
import { describe, expect, test } from 'vitest';
import { GRANT_EXPIRING, watchGrants } from '../../../../../src/bot/live/watch/grant-watch.ts';
import { exitCodeOfCode } from '../../../../../src/cli/terminal/exit-codes.ts';
import {
  type AuditEvent,
  type Fields,
  silentLog,
  silentMeter,
  VirtualClock,
} from '../../../../../src/core/index.ts';
import type { Address } from '../../../../../src/domain/index.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Wallets whose grants end after these times; 0: never. */
function aWatch(...endsAfterMs: readonly number[]) {
  const clock = new VirtualClock(1_767_700_020_000);
  const startMs = clock.nowMs();
  const halts: unknown[] = [];
  const warned: Fields[] = [];
  const audited: AuditEvent[] = [];
  const leftMs: number[] = [];
  const end = watchGrants({
    grants: endsAfterMs.map((ms, at) => ({
      ...{ wallet: `w${at}`, address: '0x00000000000000000000000000000000000000aa' as Address },
      validUntilMs: ms === 0 ? 0 : startMs + ms,
    })),
    leftMsMin: 2 * MINUTE_MS,
    clock,
    log: { ...silentLog, warn: (_message, fields = {}) => void warned.push(fields) },
    meter: { ...silentMeter, gauge: (_name, value) => void leftMs.push(value) },
    audit: { record: (event) => void audited.push(event) },
    serverNowMs: () => clock.nowMs(),
    onHalt: (why) => void halts.push(why),
  });
  return { clock, halts, warned, audited, leftMs, end };
}

describe('a grant that ends (M16)', () => {
  test('is told a week, a day and an hour before, once each, and ends the run at two minutes', () => {
    const { clock, halts, warned, audited } = aWatch(8 * DAY_MS, 0);
    const toldAfter = (ms: number) => {
      clock.advance(ms);
      return [warned.length, halts.length];
    };
    expect(toldAfter(DAY_MS - 1_000)).toEqual([0, 0]);
    expect(toldAfter(1_000)).toEqual([1, 0]);
    expect(toldAfter(6 * DAY_MS - 1_000)).toEqual([1, 0]);
    expect(toldAfter(1_000)).toEqual([2, 0]);
    expect(toldAfter(23 * HOUR_MS)).toEqual([3, 0]);
    expect(toldAfter(58 * MINUTE_MS)).toEqual([3, 0]);
    expect(toldAfter(1_000)).toEqual([3, 1]);
    expect(toldAfter(HOUR_MS)).toEqual([3, 1]);
    expect(halts).toEqual([{ code: GRANT_EXPIRING, reason: 'the grant of wallet w0 ends in 119000 ms' }]);
    expect(audited.map(({ type, fields }) => [type, fields['wallet']])).toEqual(
      Array.from({ length: 3 }, () => ['GrantEnding', 'w0']),
    );
  });

  test('says the nearest alert alone when the run begins late', () => {
    const { warned, clock } = aWatch(30 * MINUTE_MS);
    clock.advance(MINUTE_MS);
    expect(warned).toMatchObject([{ wallet: 'w0', leftMs: 30 * MINUTE_MS }]);
  });

  test('looks at each wallet, and at none after its end', () => {
    const { warned, clock, halts, end } = aWatch(30 * MINUTE_MS, DAY_MS);
    expect(warned.map(({ wallet }) => wallet)).toEqual(['w0', 'w1']);
    end();
    clock.advance(HOUR_MS);
    expect(halts).toEqual([]);
  });

  test('measures what is left of the first to end, in whatever order they are configured', () => {
    const { leftMs, end } = aWatch(HOUR_MS, 30 * MINUTE_MS, 0, DAY_MS);
    end();
    expect(leftMs).toEqual([30 * MINUTE_MS]);
  });

  test('ends with an exit code that no restart mends', () => {
    expect(exitCodeOfCode(GRANT_EXPIRING)).toBe(77);
  });
});
