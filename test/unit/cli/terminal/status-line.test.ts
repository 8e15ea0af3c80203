import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import type { RunStatus } from '../../../../src/bot/live/index.ts';
import { renderStatus, showStatus } from '../../../../src/cli/terminal/status-line.ts';
import { VirtualClock } from '../../../../src/core/index.ts';

const status: RunStatus = {
  elapsedMs: 3_723_000,
  state: 'quoting',
  reasons: [],
  markets: [
    { symbol: 'BTC-USD', position: '-0.0120', bid: '100000.0', ask: '100010.0', noQuoteReason: undefined },
  ],
  pnl: '1.25',
  fills: 12,
  orders: 4,
  unresolved: 0,
  switchLeftS: 17,
  failing: [],
  halts: [],
};

/** An output that keeps what is written. */
function anOutput(isTerminal: boolean) {
  return { isTerminal, isColored: false, columns: () => 60, write: sinon.spy() };
}

describe('renderStatus', () => {
  test('says health, switch, position, quotes, profit and fills in one line', () => {
    expect(renderStatus(status)).toBe(
      'health ok | deadman 17s | quoting | BTC-USD pos -0.0120 100000.0/100010.0 | pnl 1.25 | fills 12 | orders 4 | 01:02:03',
    );
  });

  test('says that a switch which never fires has no end, as at the start of paper over a tape', () => {
    expect(renderStatus({ ...status, switchLeftS: 8_638_232_313_600 })).toContain('| deadman without end |');
  });

  test('leaves out what matters least where the terminal is narrow', () => {
    expect(renderStatus(status, 110)).not.toContain('orders');
    expect(renderStatus(status, 79)).toBe(
      'health ok | deadman 17s | quoting | BTC-USD pos -0.0120 | pnl 1.25',
    );
    expect(renderStatus(status, 50)).toBe('health ok | deadman 17s | quoting | BTC-USD pos -0.0120');
    const wrong = { ...status, failing: ['H2'], unresolved: 1, switchLeftS: undefined };
    expect(renderStatus(wrong, 79)).toMatch(/^health H2 \| deadman off \| quoting \| UNRESOLVED 1 \| /);
  });

  test('says why there are no quotes, what is red, and what is unresolved', () => {
    const line = renderStatus({
      ...status,
      state: 'degraded',
      reasons: ['account: reconnecting'],
      markets: [
        { symbol: 'BTC-USD', position: '0', bid: undefined, ask: undefined, noQuoteReason: 'book is stale' },
      ],
      switchLeftS: undefined,
      failing: ['H2'],
      unresolved: 1,
    });
    expect(line).toContain('no quotes (book is stale)');
    expect(line).toMatch(
      /^health H2 \| deadman off \| degraded \| UNRESOLVED 1 \| account: reconnecting \| /,
    );
  });
});

describe('showStatus', () => {
  test('redraws one line on a terminal and never lets it wrap', () => {
    const clock = new VirtualClock(0);
    const output = anOutput(true);
    const line = showStatus(() => status, clock, output);
    clock.advance(1000);
    line.stop();
    sinon.assert.callCount(output.write, 7);
    for (const [text] of output.write.args.slice(0, -1)) {
      expect(text.startsWith('\r\u001b[2K')).toBe(true);
      expect(text.length - 5).toBeLessThan(60);
    }
    expect(output.write.lastCall.args).toEqual(['\n']);
  });

  test('writes plain lines elsewhere, seldom', () => {
    const clock = new VirtualClock(0);
    const output = anOutput(false);
    showStatus(() => status, clock, output);
    clock.advance(10_000);
    sinon.assert.calledThrice(output.write);
    sinon.assert.alwaysCalledWithExactly(output.write, `${renderStatus(status)}\n`);
  });
});
