/** @module The progress bar: what it says, and that it says nothing where nobody looks. */
import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { barText, progressBar } from '../../../../src/cli/terminal/progress-bar.ts';
import { VirtualClock } from '../../../../src/core/index.ts';

describe('barText', () => {
  test('tells share, rate and time left', () => {
    expect(barText({ done: 500_000, total: 2_000_000, tookMs: 500, unit: 'rows' })).toBe(
      '██████░░░░░░░░░░░░░░░░░░ 25 %, 1.0 M rows/s, 2 s left',
    );
    expect(barText({ done: 0, total: 10, tookMs: 0, unit: 'rows' })).toBe(`${'░'.repeat(24)} 0 %, 0 rows/s`);
  });
});

describe('progressBar', () => {
  test('redraws ten times a second at most, within the width, and goes away', () => {
    const clock = new VirtualClock(0);
    const write = sinon.spy();
    const output = { isTerminal: true, columns: () => 20, write };
    const bar = progressBar('rows', clock, output);
    for (let at = 0; at < 30; at++) {
      clock.advance(10);
      bar.show(at, 30);
    }
    bar.end();
    sinon.assert.callCount(write, 4);
    expect(write.firstCall.args[0]).toHaveLength('\r\u001b[2K'.length + 19);
    sinon.assert.calledWithExactly(write.lastCall, '\r\u001b[2K');
  });

  test('is silent without a terminal', () => {
    const write = sinon.spy();
    const output = { isTerminal: false, columns: () => 80, write };
    const bar = progressBar('rows', new VirtualClock(0), output);
    bar.show(1, 2);
    bar.end();
    sinon.assert.notCalled(write);
  });
});
