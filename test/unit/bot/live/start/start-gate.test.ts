import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { StartGate } from '../../../../../src/bot/live/start/start-gate.ts';
import type { Fact, LaneId } from '../../../../../src/domain/index.ts';

const READY: Fact = { type: 'LaneReady', lane: 'a' as LaneId };
const ARMED = { type: 'SwitchArmed', triggerAtMs: 2, atMs: 1 } as Fact;
const DEGRADED: Fact = { type: 'AccountDegraded', reason: 'why' };

function gated() {
  return { gate: new StartGate(), sink: sinon.spy() };
}

describe('the gate of a start', () => {
  test('holds back what lets strategies begin, and nothing else', () => {
    const { gate, sink } = gated();
    for (const fact of [READY, DEGRADED, ARMED]) gate.take(fact, sink);
    expect(sink.args).toEqual([[DEGRADED]]);
    expect(gate.isOpen).toBe(false);
  });

  test('passes on in its order what it held, once, when it opens', () => {
    const { gate, sink } = gated();
    for (const fact of [READY, ARMED]) gate.take(fact, sink);
    gate.open(sink);
    gate.open(sink);
    expect(sink.args).toEqual([[READY], [ARMED]]);
  });

  test('lets everything pass once it is open', () => {
    const { gate, sink } = gated();
    gate.open(sink);
    gate.take(ARMED, sink);
    expect(sink.args).toEqual([[ARMED]]);
  });
});
