import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/core/index.ts';
import { LifeClock, MachineTime } from '../../simulation/life-clock.ts';

const START_MS = 1_767_700_020_000;

function life(): { world: VirtualClock; machine: MachineTime; clock: LifeClock; seen: string[] } {
  const world = new VirtualClock(START_MS);
  const machine = new MachineTime(world);
  return { world, machine, clock: new LifeClock(world, machine), seen: [] };
}

describe('the clock of a life', () => {
  test('is the world as long as nothing happens to it', () => {
    const { world, clock, seen } = life();
    clock.after(10, () => seen.push(`once at ${clock.nowMs() - START_MS}`));
    clock.every(4, () => seen.push(`often at ${clock.monotonicMs()}`)).cancel();
    const timer = clock.every(6, () => seen.push(`each at ${clock.monotonicMs()}`));
    world.advance(12);
    timer.cancel();
    world.advance(20);
    expect(seen).toEqual(['each at 6', 'once at 10', 'each at 12']);
  });

  test('is silent after a kill: timers, arrivals, and what the dead ask for (F50)', async () => {
    const { world, clock, seen } = life();
    clock.after(10, () => seen.push('timer'));
    world.after(5, () => clock.kill());
    world.after(7, () => clock.deliver(() => seen.push('arrival')));
    world.after(8, () => clock.after(0, () => seen.push('timer of the dead')));
    await world.advanceAsync(50);
    expect(seen).toEqual([]);
    expect(clock.isDead).toBe(true);
  });

  test('holds timers and arrivals of a stopped process and gives them all at once, in order (F52)', async () => {
    const { world, clock, seen } = life();
    clock.every(10, () => seen.push(`period ${world.monotonicMs()}`));
    clock.after(12, () => seen.push(`timer ${world.monotonicMs()}`));
    world.after(5, () => clock.pause());
    world.after(15, () => clock.deliver(() => seen.push(`arrival ${world.monotonicMs()}`)));
    world.after(40, () => clock.resume());
    await world.advanceAsync(45);
    expect(seen).toEqual(['period 40', 'timer 40', 'arrival 40']);
    await world.advanceAsync(6);
    expect(seen.at(-1)).toBe('period 50');
  });

  test('does not fire a held timer that another held one cancels', async () => {
    const { world, clock, seen } = life();
    const late = clock.after(12, () => seen.push('late'));
    clock.after(11, () => late.cancel());
    clock.pause();
    world.after(20, () => clock.resume());
    await world.advanceAsync(30);
    expect(seen).toEqual([]);
  });

  test('loses what was held when the stopped process is killed', async () => {
    const { world, clock, seen } = life();
    clock.after(10, () => seen.push('timer'));
    clock.pause();
    world.after(20, () => clock.kill());
    world.after(21, () => clock.resume());
    await world.advanceAsync(30);
    expect(seen).toEqual([]);
  });
});

describe('the time of a machine', () => {
  test('steps its wall clock and nothing else (F54)', () => {
    const { world, machine, clock, seen } = life();
    clock.after(10, () => seen.push(`at ${clock.monotonicMs()}`));
    machine.step(-3_600_000);
    world.advance(10);
    expect(clock.nowMs()).toBe(START_MS + 10 - 3_600_000);
    expect(seen).toEqual(['at 10']);
    machine.heal();
    expect(clock.nowMs()).toBe(world.nowMs());
  });

  test('drifts, and never fires a timer early by its own reading (F54)', () => {
    const { world, machine, clock } = life();
    machine.setDrift(500);
    const read: number[] = [];
    const next = (): void => {
      read.push(clock.monotonicMs());
      if (read.length < 200) clock.after(33.3, next);
    };
    next();
    world.advance(10_000);
    expect(read).toHaveLength(200);
    for (let i = 1; i < read.length; i++)
      expect((read[i] ?? 0) - (read[i - 1] ?? 0)).toBeGreaterThanOrEqual(33.3);
    expect(clock.monotonicMs()).toBeCloseTo(10_005, 3);
    machine.setDrift(-500);
    const beforeMs = clock.monotonicMs();
    world.advance(10_000);
    expect(clock.monotonicMs() - beforeMs).toBeCloseTo(9_995, 3);
  });

  test('goes on over lives', () => {
    const { world, machine, clock } = life();
    machine.step(5_000);
    clock.kill();
    expect(new LifeClock(world, machine).nowMs()).toBe(START_MS + 5_000);
  });
});
