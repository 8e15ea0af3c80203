/** @module A grant that comes to its end (denials.md M16, obligation O52). */
import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { watchGrants } from '../../../../../src/bot/live/watch/grant-watch.ts';
import { exitCodeOfCode } from '../../../../../src/cli/terminal/exit-codes.ts';
import {
  type AuditEvent,
  silentLog,
  silentMeter,
  unixMs,
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
  const halt = sinon.spy();
  const warn = sinon.spy();
  const record = sinon.spy((_event: AuditEvent) => undefined);
  const gauge = sinon.spy();
  const grants = endsAfterMs.map((ms, at) => ({
    ...{ wallet: `w${at}`, address: `0x${'0'.repeat(39)}${at}` as Address, isExpired: false },
    validUntilMs: ms === 0 ? (0 as const) : unixMs(startMs + ms),
  }));
  const listed = new Map(grants.map((grant) => [grant.wallet, grant]));
  const onGrants = sinon.spy();
  const error = sinon.spy();
  const list = sinon.spy(async () => [...listed.values()]);
  const end = watchGrants({
    grants,
    wallets: grants.map(({ wallet: name }, at) => ({ name, role: at === 0 ? 'safety' : 'trading' })),
    list,
    onGrants,
    leftMsMin: 2 * MINUTE_MS,
    clock,
    log: { ...silentLog, warn, error },
    meter: { ...silentMeter, gauge },
    audit: { record },
    serverNowMs: () => clock.nowMs(),
    onHalt: halt,
  });
  return { clock, halt, warn, error, record, gauge, end, listed, list, onGrants };
}

describe('a grant that ends (M16)', () => {
  test('is told a week, a day and an hour before, once each, and ends the run at two minutes', () => {
    const { clock, halt, warn, record } = aWatch(8 * DAY_MS, 0);
    const toldAfter = (ms: number) => {
      clock.advance(ms);
      return [warn.callCount, halt.callCount];
    };
    expect(toldAfter(DAY_MS - 1_000)).toEqual([0, 0]);
    expect(toldAfter(1_000)).toEqual([1, 0]);
    expect(toldAfter(6 * DAY_MS - 1_000)).toEqual([1, 0]);
    expect(toldAfter(1_000)).toEqual([2, 0]);
    expect(toldAfter(23 * HOUR_MS)).toEqual([3, 0]);
    expect(toldAfter(58 * MINUTE_MS)).toEqual([3, 0]);
    expect(toldAfter(1_000)).toEqual([3, 1]);
    expect(toldAfter(HOUR_MS)).toEqual([3, 1]);
    expect(halt.args).toEqual([
      [{ code: 'EXECUTION_GRANT_EXPIRING', reason: 'the grant of wallet w0 ends in 119000 ms' }],
    ]);
    expect(record.args.map(([{ type, fields }]) => [type, fields['wallet']])).toEqual(
      Array.from({ length: 3 }, () => ['GrantEnding', 'w0']),
    );
  });

  test('says the nearest alert alone when the run begins late', () => {
    const { warn, clock } = aWatch(30 * MINUTE_MS);
    clock.advance(MINUTE_MS);
    sinon.assert.calledOnceWithExactly(
      warn,
      sinon.match.string,
      sinon.match({ wallet: 'w0', leftMs: 30 * MINUTE_MS }),
    );
  });

  test('looks at each wallet, and at none after its end', () => {
    const { warn, clock, halt, end } = aWatch(30 * MINUTE_MS, DAY_MS);
    expect(warn.args.map(([, { wallet }]) => wallet)).toEqual(['w0', 'w1']);
    end();
    clock.advance(HOUR_MS);
    sinon.assert.notCalled(halt);
  });

  test('measures what is left of the first to end, in whatever order they are configured', () => {
    const { gauge, end } = aWatch(HOUR_MS, 30 * MINUTE_MS, 0, DAY_MS);
    end();
    sinon.assert.calledOnceWithExactly(gauge, sinon.match.string, 30 * MINUTE_MS);
  });

  test('ends with an exit code that no restart fixes', () => {
    expect(exitCodeOfCode('EXECUTION_GRANT_EXPIRING')).toBe(77);
  });
});

describe('the list of grants', () => {
  test('is read twice a minute; a run whose trading wallets are all revoked ends, idle as it is', async () => {
    const { clock, halt, listed, list } = aWatch(0, 0, 0);
    await clock.advanceAsync(5 * MINUTE_MS);
    expect(list.callCount).toBe(10);
    listed.delete('w1');
    await clock.advanceAsync(5 * MINUTE_MS);
    sinon.assert.notCalled(halt);
    listed.delete('w2');
    await clock.advanceAsync(MINUTE_MS);
    sinon.assert.calledOnceWithExactly(halt, {
      code: 'EXECUTION_GRANT_INVALID',
      reason: 'the exchange lists no grant of wallet w1, w2 any more',
    });
  });

  test('names a wallet without a grant once while others may write', async () => {
    const { clock, halt, error, listed } = aWatch(0, 0);
    listed.delete('w0');
    await clock.advanceAsync(10 * MINUTE_MS);
    sinon.assert.notCalled(halt);
    sinon.assert.calledOnceWithExactly(error, sinon.match.string, { wallets: ['w0'] });
  });

  test('that lacks a wallet once is asked again before it is believed', async () => {
    const { clock, halt, error, listed } = aWatch(0, 0);
    const kept = listed.get('w1');
    await clock.advanceAsync(29_000);
    listed.delete('w1');
    await clock.advanceAsync(1_500);
    if (kept !== undefined) listed.set('w1', kept);
    await clock.advanceAsync(10 * MINUTE_MS);
    sinon.assert.notCalled(halt);
    sinon.assert.notCalled(error);
  });

  test('shows that a grant was renewed: the run goes on beyond the end before', async () => {
    const { clock, halt, listed, onGrants } = aWatch(0, 10 * MINUTE_MS);
    const renewed = { ...listed.get('w1'), validUntilMs: clock.nowMs() + DAY_MS } as never;
    listed.set('w1', renewed);
    await clock.advanceAsync(HOUR_MS);
    sinon.assert.notCalled(halt);
    sinon.assert.calledOnce(onGrants);
  });
});
