import { describe, expect, test } from 'vitest';
import { DeadMansSwitch, SWITCH_SETTINGS } from '../../../../src/bot/execution/dead-mans-switch.ts';
import { silentLog, type UnixMs, VirtualClock } from '../../../../src/core/index.ts';
import type { Fact } from '../../../../src/domain/index.ts';
import { START_MS } from '../../../support/trading-builders.ts';

function aSwitch() {
  const clock = new VirtualClock(START_MS);
  const facts: Fact[] = [];
  const sent: string[] = [];
  const red: string[] = [];
  const world = { answers: true, armedAnnounced: 0, kept: 0, offsetMs: 0 };
  const serverNowMs = () => (clock.nowMs() + world.offsetMs) as UnixMs;
  const dms: DeadMansSwitch = new DeadMansSwitch(
    {
      clock,
      log: silentLog,
      sink: (fact) => void facts.push(fact),
      serverNowMs,
      health: () => red,
      send: (command, onEnd) => {
        sent.push(command.kind);
        if (!world.answers) return;
        if (command.kind === 'scheduleCancel') dms.confirmed(command.triggerAtMs, undefined);
        onEnd('executed');
      },
      withdraw: () => undefined,
      keepTrigger: (triggerAtMs) => {
        world.kept = triggerAtMs;
      },
      onArmed: () => {
        world.armedAnnounced++;
      },
    },
    SWITCH_SETTINGS,
  );
  const typesOf = () => facts.map((fact) => fact.type);
  return { clock, facts, sent, red, world, dms, typesOf };
}

describe('a healthy heartbeat', () => {
  test('renews every 5 s with a trigger 20 s ahead of the exchange (obligation O78)', () => {
    const { clock, dms, sent, facts, world } = aSwitch();
    world.offsetMs = 60_000;
    dms.start();
    clock.advance(10_000);
    expect(sent).toEqual(['scheduleCancel', 'scheduleCancel', 'scheduleCancel']);
    const triggers = facts.map((fact) => (fact.type === 'SwitchArmed' ? fact.triggerAtMs - START_MS : 0));
    expect(triggers).toEqual([80_000, 85_000, 90_000]);
    expect(world.kept).toBe(START_MS + 90_000);
  });

  test('is armed only when confirmed, and only while enough time is left', () => {
    const { clock, dms, world } = aSwitch();
    world.answers = false;
    dms.start();
    expect(dms.isArmed(0)).toBe(false);
    dms.confirmed((clock.nowMs() + 20_000) as UnixMs, 5n);
    expect(dms.isArmed(20_000)).toBe(true);
    expect(dms.isArmed(20_001)).toBe(false);
    expect(world.armedAnnounced).toBe(1);
  });

  test('a renewal without an answer is not sent twice', () => {
    const { clock, dms, sent, world } = aSwitch();
    world.answers = false;
    dms.start();
    clock.advance(15_000);
    expect(sent).toEqual(['scheduleCancel']);
  });
});

describe('a red heartbeat', () => {
  test('does not renew, says why, and cancels what may rest (invariant I12)', () => {
    const { clock, dms, sent, red, facts } = aSwitch();
    dms.start();
    dms.noteOrders();
    red.push('private stream silent for 11 s');
    clock.advance(5000);
    expect(sent).toEqual(['scheduleCancel', 'cancelAll']);
    expect(facts.at(-1)).toEqual({ type: 'SwitchHeld', reasons: ['private stream silent for 11 s'] });
    expect(dms.isArmed(0)).toBe(false);
    clock.advance(5000);
    expect(sent).toHaveLength(2);
  });

  test('with no order ever sent there is nothing to cancel', () => {
    const { dms, sent, red } = aSwitch();
    red.push('not synced');
    dms.start();
    expect(sent).toEqual([]);
  });

  test('lets the switch fire when it stays red, and says so (obligation O79)', () => {
    const { clock, dms, red, facts, typesOf } = aSwitch();
    dms.start();
    red.push('journal below its reserve');
    clock.advance(19_999);
    expect(typesOf()).toEqual(['SwitchArmed', 'SwitchHeld']);
    clock.advance(1);
    expect(typesOf().at(-1)).toBe('SwitchFired');
    expect(facts.at(-1)).toMatchObject({ isLapse: true });
    expect(dms.armedUntilMs).toBeUndefined();
  });

  test('a trigger that no heartbeat has set fires without a lapse, and so does one before its time (M12)', () => {
    const { clock, dms, facts } = aSwitch();
    dms.start();
    dms.stop();
    dms.confirmed((clock.nowMs() + 1000) as UnixMs, 8n);
    clock.advance(1000);
    expect(facts.at(-1)).toMatchObject({ type: 'SwitchFired', isLapse: false });
    dms.start();
    dms.takenAt(9n);
    expect(facts.filter(({ type }) => type === 'SwitchFired')).toMatchObject([
      { isLapse: false },
      { isLapse: false },
    ]);
  });

  test('that is in doubt is armed again, and nobody is alarmed (O79)', () => {
    const { clock, dms, sent, world, typesOf } = aSwitch();
    world.answers = false;
    dms.start();
    dms.confirmed((clock.nowMs() + 20_000) as UnixMs, 5n);
    dms.doubtedAt(4n);
    expect(dms.isArmed(0)).toBe(true);

    world.answers = true;
    dms.stop();
    dms.start();
    const before = sent.length;
    dms.doubtedAt(9n);
    expect([dms.isArmed(0), sent.slice(before)]).toEqual([false, []]);
    expect(typesOf()).not.toContain('SwitchFired');
    dms.confirmed((clock.nowMs() + 20_000) as UnixMs, 9n);
    expect(dms.isArmed(0)).toBe(true);
  });

  test('that is in doubt while a renewal has no answer yet counts only what executed later', () => {
    const { clock, dms, world } = aSwitch();
    world.answers = false;
    dms.start();
    dms.doubtedAt(9n);
    dms.confirmed((clock.nowMs() + 20_000) as UnixMs, 8n);
    expect(dms.isArmed(0)).toBe(false);
    dms.confirmed((clock.nowMs() + 20_000) as UnixMs, 10n);
    expect(dms.isArmed(0)).toBe(true);
  });

  test('orders go on when it turns green before it fires', () => {
    const { clock, dms, red, world } = aSwitch();
    dms.start();
    red.push('late');
    dms.beat();
    red.pop();
    clock.advance(5000);
    expect(dms.isArmed(15_000)).toBe(true);
    expect(world.armedAnnounced).toBe(2);
  });

  test('nothing is armed before the health was judged once', () => {
    const { clock, dms } = aSwitch();
    dms.confirmed((clock.nowMs() + 20_000) as UnixMs, 5n);
    expect(dms.isArmed(0)).toBe(false);
  });
});

describe('confirmations', () => {
  test('the one latest in the log counts, whatever order the answers come in', () => {
    const { clock, dms, world } = aSwitch();
    world.answers = false;
    dms.start();
    const nowMs = clock.nowMs();
    dms.confirmed((nowMs + 20_000) as UnixMs, 6n);
    dms.confirmed((nowMs + 5000) as UnixMs, 8n);
    dms.confirmed((nowMs + 20_000) as UnixMs, 7n);
    expect(dms.armedUntilMs).toBe(nowMs + 5000);
  });

  test('of a fence arm nothing and tell no firing before a heartbeat was confirmed', () => {
    const { clock, dms, world, typesOf } = aSwitch();
    world.answers = false;
    dms.start();
    const triggerAtMs = (clock.nowMs() + 1000) as UnixMs;
    dms.confirmed(triggerAtMs, 5n);
    expect(dms.isArmed(0)).toBe(false);
    expect(world.kept).toBe(triggerAtMs);
    clock.advance(2000);
    expect(typesOf()).toEqual([]);
    // One that was before it in the log changes nothing either.
    dms.confirmed((clock.nowMs() + 18_000) as UnixMs, 4n);
    expect(dms.isArmed(0)).toBe(false);
  });

  test('0 clears the switch', () => {
    const { dms } = aSwitch();
    dms.start();
    dms.confirmed(0, undefined);
    expect(dms.isArmed(0)).toBe(false);
  });

  test('a clock that was corrected delays the firing', () => {
    const { clock, dms, world, typesOf } = aSwitch();
    dms.start();
    dms.stop();
    dms.confirmed((clock.nowMs() + 10_000) as UnixMs, undefined);
    world.offsetMs = -300;
    clock.advance(10_000);
    expect(typesOf()).not.toContain('SwitchFired');
    clock.advance(300);
    expect(typesOf()).toContain('SwitchFired');
  });
});
