import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/core/index.ts';
import { ControlledClock } from '../../../../src/exchange/kernel/controlled-clock.ts';

const START_MS = 1_767_700_020_000;

function setUp(mode: 'system' | 'manual') {
  const machine = new VirtualClock(START_MS);
  machine.advance(500);
  const clock = new ControlledClock(machine, mode);
  const heard: string[] = [];
  const hear = (what: string) => () => heard.push(`${what}@${clock.nowMs() - START_MS}`);
  return { machine, clock, heard, hear };
}

describe('ControlledClock', () => {
  test('runs with the machine', () => {
    const { machine, clock, heard, hear } = setUp('system');
    clock.after(30, hear('once'));
    const beat = clock.every(20, hear('beat'));
    machine.advance(50);
    beat.cancel();
    machine.advance(50);
    expect(heard).toEqual(['beat@520', 'once@530', 'beat@540']);
    expect([clock.nowMs() - START_MS, clock.monotonicMs()]).toEqual([600, 100]);
  });

  test('stands still when it is manual, until it is moved: each timer at its own time', async () => {
    const { machine, clock, heard, hear } = setUp('manual');
    clock.every(20, hear('beat'));
    clock.after(50, hear('once'));
    machine.advance(1_000);
    expect(heard).toEqual([]);
    await clock.advance(55);
    expect(heard).toEqual(['beat@520', 'beat@540', 'once@550']);
    expect(clock.nowMs() - START_MS).toBe(555);
  });

  test('moved ahead, it goes on with the machine from there', async () => {
    const { machine, clock, heard, hear } = setUp('system');
    clock.every(1_000, hear('beat'));
    machine.advance(700);
    await clock.advance(2_000);
    expect(heard).toEqual(['beat@1500', 'beat@2500']);
    expect(clock.nowMs() - START_MS).toBe(3_200);
    machine.advance(300);
    expect(heard.at(-1)).toBe('beat@3500');
    clock.after(10, hear('late'));
    machine.advance(10);
    expect(heard.at(-1)).toBe('late@3510');
  });

  test('two moves at once happen one after the other', async () => {
    const { clock, heard, hear } = setUp('manual');
    clock.after(150, hear('once'));
    await Promise.all([clock.advance(100), clock.advance(100)]);
    expect([heard, clock.monotonicMs()]).toEqual([['once@650'], 200]);
  });

  test('tells another time after a jump, and its timers keep their distance', () => {
    const { machine, clock, heard, hear } = setUp('system');
    clock.after(100, hear('once'));
    clock.jumpTo(START_MS - 60_000);
    expect(clock.nowMs()).toBe(START_MS - 60_000);
    machine.advance(100);
    expect(heard).toEqual(['once@-59900']);
  });
});
