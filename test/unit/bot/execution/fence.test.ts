import { describe, expect, test } from 'vitest';
import { FenceGate, fenceCommand } from '../../../../src/bot/execution/fence.ts';
import { startingPoint } from '../../../../src/bot/execution/startup-check.ts';
import type { UnixMs } from '../../../../src/core/index.ts';
import type { Nonce } from '../../../../src/domain/index.ts';

const at = (ms: number) => ms as UnixMs;

describe('the command of a fence', () => {
  test('repeats the last confirmed trigger while it lies ahead', () => {
    expect(fenceCommand(at(1000), at(9000))).toEqual({ kind: 'scheduleCancel', triggerAtMs: 9000 });
  });

  test.each([undefined, 0, 900, 1000] as const)('is one second ahead when the last trigger is %s', (last) => {
    const trigger = last === undefined ? undefined : at(last);
    expect(fenceCommand(at(1000), trigger)).toEqual({ kind: 'scheduleCancel', triggerAtMs: 2000 });
  });
});

describe('the gate of a fence', () => {
  test('opens when the log has moved on past the first position seen', () => {
    const gate = new FenceGate(0);
    gate.observe(10n);
    expect(gate.isOpen(1)).toBe(false);
    gate.observe(10n);
    gate.observe(undefined);
    expect(gate.isOpen(1)).toBe(false);
    gate.observe(11n);
    expect(gate.isOpen(1)).toBe(true);
  });

  test('opens after two seconds when the log stands still', () => {
    const gate = new FenceGate(0);
    gate.observe(10n);
    expect(gate.isOpen(1999)).toBe(false);
    expect(gate.isOpen(2000)).toBe(true);
  });

  test('closes again when another payload is on its way', () => {
    const gate = new FenceGate(0);
    gate.observe(10n);
    gate.observe(11n);
    gate.restart(5000);
    expect(gate.isOpen(6999)).toBe(false);
    expect(gate.isOpen(7000)).toBe(true);
  });
});

describe('the starting point of a scope', () => {
  const point = (next: bigint, written?: bigint, spent?: bigint) =>
    startingPoint({
      next: next as Nonce,
      written: written as Nonce | undefined,
      spent: spent as Nonce | undefined,
    });

  test.each([
    ['a wallet that was never used', point(0n), 0n, 'current', false],
    ['a used wallet and no journal', point(7n), 7n, 'empty', false],
    ['all known and spent', point(7n, 6n, 6n), 7n, 'current', false],
    ['the last one was never spent', point(6n, 6n, 5n), 6n, 'current', false],
    ['used beyond the journal', point(9n, 6n, 6n), 9n, 'behind', false],
    ['a replica behind', point(3n, 6n, 6n), 7n, 'current', true],
    ['another epoch counts from the start', point(0n, 6n, undefined), 0n, 'current', false],
  ] as const)('%s', (_what, found, nonce, journal, isReplicaBehind) => {
    expect(found).toEqual({ nonce, journal, isReplicaBehind });
  });
});
