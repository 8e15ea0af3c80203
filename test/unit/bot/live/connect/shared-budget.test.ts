import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SharedBudget, shareBudget } from '../../../../../src/bot/live/connect/shared-budget.ts';
import { silentLog, VirtualClock } from '../../../../../src/core/index.ts';

const ACCOUNT = '0xABCDEF0000000000000000000000000000000001';

/** A machine with a folder of its own and a clock that the test moves. */
function machine() {
  const stateHome = mkdtempSync(join(tmpdir(), 'ballast-seats-'));
  onTestFinished(() => rmSync(stateHome, { recursive: true, force: true }));
  const clock = new VirtualClock(1_767_700_020_000);
  const sit = (
    name: string,
    given: { readonly account?: string; readonly baseUrl?: string; readonly proxy?: string } = {},
  ) =>
    shareBudget({
      ...{ stateHome, clock, log: silentLog, proxy: given.proxy },
      baseUrl: given.baseUrl ?? 'https://gateway.example',
      seat: { runId: `run-${name}`, name, processId: 1, account: given.account ?? ACCOUNT },
    });
  const folder = () => {
    const [only = ''] = readdirSync(join(stateHome, 'ballast', 'budgets'));
    return join(stateHome, 'ballast', 'budgets', only);
  };
  /** The clock moves on, and those that live look, in turn. */
  const pass = async (durationMs: number, ...live: readonly SharedBudget[]) => {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= 1_000) {
      clock.advance(1_000);
      for (const one of [...live, ...live]) await one.look();
    }
  };
  return { sit, pass, clock, folder, stateHome };
}

/** How many share the requests and the writes of each. */
const counts = (...all: readonly SharedBudget[]) =>
  all.map((one) => `${one.sharers('ip')} ${one.sharers('account')}`).join(', ');

describe('the bots of one machine at one gateway', () => {
  test('find each other: requests are shared by all, writes by those of the account in whatever case', async () => {
    const { sit, pass } = machine();
    const maker = await sit('maker');
    expect(counts(maker)).toBe('1 1');
    const hedge = await sit('hedge', { account: ACCOUNT.toLowerCase() });
    const other = await sit('other', { account: '0x0000000000000000000000000000000000000002' });
    let calls = 0;
    maker.onChange(() => {
      calls++;
    });
    await pass(1_000, maker, hedge, other);
    expect(counts(maker, hedge, other)).toBe('3 2, 3 2, 3 1');
    expect(calls).toBeGreaterThan(0);
    expect(maker.others('account')).toMatchObject([{ name: 'hedge', runId: 'run-hedge' }]);
    for (const one of [maker, hedge, other]) await one.close();
  });

  test('one that ends gives its share back, and the last one leaves nothing behind', async () => {
    const { sit, pass, stateHome } = machine();
    const maker = await sit('maker');
    const hedge = await sit('hedge');
    await pass(1_000, maker, hedge);
    expect(counts(maker)).toBe('2 2');
    await hedge.close();
    await pass(1_000, maker);
    expect(counts(maker)).toBe('1 1');
    await maker.close();
    await maker.close();
    expect(readdirSync(join(stateHome, 'ballast', 'budgets'))).toEqual([]);
  });

  test('one that was killed gives its share back some seconds later, and its file is removed in time', async () => {
    const { sit, pass, clock, folder } = machine();
    const maker = await sit('maker');
    // As a process leaves it that a signal has ended.
    const left = join(folder(), 'run-killed.json');
    const seat = { schema: 1, runId: 'run-killed', name: 'killed', processId: 2, account: ACCOUNT };
    writeFileSync(left, JSON.stringify(seat));
    utimesSync(left, clock.nowMs() / 1_000, clock.nowMs() / 1_000);
    await pass(1_000, maker);
    expect(counts(maker)).toBe('2 2');
    await pass(5_000, maker);
    expect(counts(maker)).toBe('1 1');
    clock.advance(600_000);
    await pass(1_000, maker);
    expect(existsSync(left)).toBe(false);
    await maker.close();
  });

  test('other gateways and other ways out have budgets of their own', async () => {
    const { sit, pass } = machine();
    const maker = await sit('maker');
    const all = [
      maker,
      await sit('elsewhere', { baseUrl: 'https://other.example' }),
      await sit('proxied', { proxy: 'http://proxy.example:3128' }),
    ];
    const hedge = await sit('hedge', { baseUrl: 'https://gateway.example/' });
    await pass(1_000, ...all, hedge);
    expect(counts(...all)).toBe('2 2, 1 1, 1 1');
    for (const one of [...all, hedge]) await one.close();
  });

  test('files that are no seats change nothing, and neither does a folder that cannot be made', async () => {
    const { sit, pass, folder, stateHome, clock } = machine();
    const maker = await sit('maker');
    for (const [name, text] of [
      ['a.json', '{"schema":1'],
      ['b.json', '{"schema":2,"runId":"b","name":"b","processId":1}'],
      ['c.json', `"${'x'.repeat(9_000)}"`],
      ['d.txt', 'x'],
    ] as const) {
      writeFileSync(join(folder(), name), text);
      utimesSync(join(folder(), name), clock.nowMs() / 1_000, clock.nowMs() / 1_000);
    }
    const hedge = await sit('hedge');
    await pass(1_000, maker, hedge);
    expect(counts(maker, hedge)).toBe('2 2, 2 2');
    for (const one of [maker, hedge]) await one.close();
    writeFileSync(join(stateHome, 'file'), '');
    const lone = await shareBudget({
      ...{ stateHome: join(stateHome, 'file'), clock, log: silentLog, proxy: undefined },
      ...{ baseUrl: 'https://gateway.example', seat: { runId: 'l', name: 'l', processId: 1 } },
    });
    expect(counts(lone)).toBe('1 1');
    await lone.close();
  });
});
