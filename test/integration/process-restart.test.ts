import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiveRig, ladder, type OpenOrder, type RigAccount, type RigBot } from '../support/live-rig.ts';
import { type TestProcess, until } from '../support/processes.ts';

const isLinux = process.platform === 'linux';
let rig: LiveRig;

beforeAll(async () => {
  if (isLinux) rig = await LiveRig.start({ seed: 17, accounts: 8 });
});

afterAll(async () => {
  await rig?.end();
});

/** Quotes so far away that nothing is filled. */
const FAR = ladder('far', {
  parameters: {
    ...{ levels: 2, size: 0.003, maxInventory: 0.05, touch: 'ignore', halfSpreadPpm: 15_000 },
    ...{ minHalfSpreadPpm: 15_000, levelSpacingPpm: 500, requoteTicks: 5_000, requoteInterval: '250ms' },
  },
});
/** The switch of a bot whose death is not to be cleaned up by the exchange within a test. */
const LONG_SWITCH = { heartbeat: '10s', timeout: '120s', guardian: false };

const idsOf = (orders: readonly OpenOrder[]) => orders.map((order) => order.orderId).sort();
const labelsOf = (orders: readonly OpenOrder[]) =>
  new Set(orders.map((order) => order.clientOrderId ?? order.orderId));

/** Kills a bot that quotes; what it leaves in the book. */
async function killedWithOrders(bot: RigBot): Promise<readonly OpenOrder[]> {
  const run = bot.run();
  await bot.quoting(run);
  process.kill((await run.worker()).pid, 'SIGKILL');
  await run.toVanish(5_000);
  const left = await bot.reader.openOrders();
  expect(left.length).toBeGreaterThan(0);
  return left;
}

async function stopProven(run: TestProcess): Promise<void> {
  run.signal('SIGTERM');
  expect(await run.toEnd(20_000), run.errors).toMatchObject({ code: 143, signal: null });
  expect(run.document()).toMatchObject({
    ...{ openOrders: 0, unresolved: 0, reconciled: true, differences: [], ledgerResidual: '0' },
  });
}

/** A bot on an account that another one may use too: wallets and a journal of its own. */
async function botOn(
  account: RigAccount,
  name: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<RigBot> {
  const bot = rig.unapprovedBot(name, account, changes);
  bot.makeKeys();
  await bot.approve();
  return bot;
}

describe.skipIf(!isLinux).concurrent('a bot that is started again before the switch has fired', () => {
  test('finds the orders of its earlier life, proves them its own, cancels them, and quotes again', async () => {
    // The policy for orders of others is halt: it must not be mistaken for one of them.
    const bot = await rig.bot('again', { strategies: [FAR], deadMansSwitch: LONG_SWITCH });
    const left = await killedWithOrders(bot);
    const next = bot.run();
    await bot.quoting(next, labelsOf(left));
    const open = idsOf(await bot.reader.openOrders());
    expect(open.filter((id) => idsOf(left).includes(id))).toEqual([]);
    expect(next.errors).toContain('orders found at the start are canceled');
    expect(next.errors).toMatch(new RegExp(`"own":${left.length},"external":0`));
    await stopProven(next);
  });

  test('takes orders that its journal does not know for those of others, and halts', async () => {
    const bot = await rig.bot('forgetful', { strategies: [FAR], deadMansSwitch: LONG_SWITCH });
    const left = await killedWithOrders(bot);
    rmSync(join(bot.folder, 'journal'), { recursive: true });
    const next = bot.run();
    expect(await next.toEnd(20_000)).toMatchObject({ code: 77 });
    expect(next.errors).toContain('PREFLIGHT_ORPHAN_ORDERS');
    expect(idsOf(await bot.reader.openOrders())).toEqual(idsOf(left));
  });
});

describe.skipIf(!isLinux).concurrent('orders of others on the account', () => {
  test('are refused by the policy halt, and stay beside by the policy adopt', async () => {
    const account = rig.takeAccount();
    const stranger = await botOn(account, 'stranger', { strategies: [FAR], deadMansSwitch: LONG_SWITCH });
    const bot = await botOn(account, 'beside');
    const left = await killedWithOrders(stranger);
    const examined = (await bot.examine()).rows;
    expect(examined.get('orders')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('PREFLIGHT_ORPHAN_ORDERS'),
    });
    // Its firing would cancel them.
    expect(examined.get('switch')?.status).toBe('skip');
    for (let attempt = 1; attempt <= 2; attempt++) {
      const refused = bot.run();
      expect(await refused.toEnd(20_000)).toMatchObject({ code: 77 });
      expect(refused.errors).toContain('PREFLIGHT_ORPHAN_ORDERS');
      expect(refused.lines).toEqual([]);
      expect(idsOf(await bot.reader.openOrders())).toEqual(idsOf(left));
    }
    bot.configure({ account: { address: account.address, orphanOrders: 'adopt' } });
    const run = bot.run();
    const both = await bot.quoting(run, labelsOf(left));
    expect(idsOf(both)).toEqual(expect.arrayContaining(idsOf(left)));
    await bot.quoting(run, new Set([...labelsOf(left), ...labelsOf(both)]));
    expect(idsOf(await bot.reader.openOrders())).toEqual(expect.arrayContaining(idsOf(left)));
    // Cancel-all and the proof that no order is open are the account's.
    await stopProven(run);
  });

  test('are canceled by the policy cancel', async () => {
    const account = rig.takeAccount();
    const stranger = await botOn(account, 'stranger-2', { strategies: [FAR], deadMansSwitch: LONG_SWITCH });
    const bot = await botOn(account, 'clean', {
      account: { address: account.address, orphanOrders: 'cancel' },
    });
    const left = await killedWithOrders(stranger);
    const run = bot.run();
    await bot.quoting(run, labelsOf(left));
    const open = idsOf(await bot.reader.openOrders());
    expect(open.filter((id) => idsOf(left).includes(id))).toEqual([]);
    await stopProven(run);
  });
});

describe.skipIf(!isLinux).concurrent('a position that the journal does not explain', () => {
  test('is refused each time, until a person accepts it as nobody’s', async () => {
    const account = rig.takeAccount();
    const first = await botOn(account, 'trader');
    const position = await leavePosition(first);
    const bot = await botOn(account, 'heir', { strategies: [FAR] });
    for (let attempt = 1; attempt <= 2; attempt++) {
      // The doctor comes first: what it writes and arms is no run that was let through.
      const { status, detail } = (await bot.examine()).rows.get('positions') ?? {};
      expect({ status, detail }).toEqual({
        status: 'fail',
        detail: expect.stringContaining('PREFLIGHT_ORPHAN_POSITION'),
      });
      const refused = bot.run();
      expect(await refused.toEnd(20_000)).toMatchObject({ code: 77 });
      expect(refused.errors).toContain('PREFLIGHT_ORPHAN_POSITION');
    }
    const run = bot.run(['--accept-difference']);
    await bot.quoting(run);
    await stopProven(run);
    expect(run.document()).toMatchObject({
      position: { 'BTC-USD': position },
      unowned: { 'BTC-USD': position },
      strategies: { far: { fills: 0 } },
    });
    // Its journal knows the position by now.
    expect((await bot.examine()).rows.get('positions')?.status).toBe('ok');
    const later = bot.run();
    await bot.quoting(later);
    await stopProven(later);
  });

  /** Runs a bot until it ends with a position. */
  async function leavePosition(bot: RigBot): Promise<string> {
    return await until(
      'a position',
      async () => {
        const run = bot.run();
        await bot.quoting(run);
        await until('a fill', async () => (await bot.reader.history('fills')).length > 0, {
          withinMs: 20_000,
          everyMs: 100,
        });
        await stopProven(run);
        const position: string = run.document().position['BTC-USD'];
        return position === '0' ? undefined : position;
      },
      { withinMs: 60_000 },
    );
  }
});
