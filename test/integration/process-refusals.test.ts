import { chmodSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiveRig, ladder, type RigBot } from '../support/live-rig.ts';
import { pause, type TestProcess, until } from '../support/processes.ts';

/** A grant that a test waits for to end. */
const GRANT_MS = 3_000;
const isLinux = process.platform === 'linux';
let rig: LiveRig;

beforeAll(async () => {
  if (isLinux) rig = await LiveRig.start({ seed: 13, accounts: 20 });
});

afterAll(async () => {
  await rig?.end();
});

/** A live run that is refused: its code and its exit code; nothing reached the book, nothing secret was said. */
async function expectRefused(bot: RigBot, run: TestProcess, code: string, exitCode: number): Promise<void> {
  expect(await run.toEnd(40_000), run.errors).toMatchObject({ code: exitCode, signal: null });
  expect(run.errors).toContain(code);
  expect(run.lines).toEqual([]);
  const key = readFileSync(join(bot.folder, 'maker.key'), 'utf8').trim().replace(/^0x/, '');
  expect(key).toHaveLength(64);
  expect(run.errors).not.toContain(key);
  expect(await bot.reader.openOrders()).toEqual([]);
}

/** A bot with keys that nobody approved. */
function unapproved(name: string, changes: Readonly<Record<string, unknown>> = {}): RigBot {
  const bot = rig.unapprovedBot(name, rig.takeAccount(), changes);
  bot.makeKeys();
  return bot;
}

describe.skipIf(!isLinux)('a malformed configuration', () => {
  test('ends at once with code 78 and every error, before anything is connected to', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    try {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('expected a port');
      const file = join(rig.folder, 'malformed.yaml');
      writeFileSync(
        file,
        [
          'environment:',
          '  name: test',
          `  baseUrl: http://127.0.0.1:${address.port}`,
          '  color: blue',
          'account:',
          '  address: 0x12',
          'markets:',
          '  - symbol: BTC-USD',
          '    leverage: 1000',
          'strategies:',
          '  - name: one',
          '    module: one.ts',
          '    markets: []',
          'risk:',
          '  capital: a lot',
          'deadMansSwitch:',
          '  heartbeat: soon',
        ].join('\n'),
      );
      const expected = [
        ['malformed.yaml:4:3', 'environment.color'],
        ['malformed.yaml:6:', 'account.address'],
        ['malformed.yaml:9:', 'markets[0].leverage'],
        ['malformed.yaml:13:', 'strategies[0].markets'],
        ['malformed.yaml:15:', 'risk.capital'],
        ['malformed.yaml:17:', 'deadMansSwitch.heartbeat'],
      ];
      for (const args of [
        ['run', file, '--mode', 'live'],
        ['config', 'check', file],
        ['keys', 'approve', file],
      ]) {
        const run = rig.processes.ballast(args, { env: rig.env() });
        const { code } = await run.toEnd(10_000);
        expect(code, run.errors).toBe(78);
        for (const [place, key] of expected) {
          expect(run.errors).toContain(place);
          expect(run.errors).toContain(key);
        }
      }
      expect(connections).toBe(0);
    } finally {
      await new Promise((resolve) => {
        server.close(resolve);
      });
    }
  });

  test.each([
    ['an unknown command', ['fly'], 64],
    ['a malformed duration', ['demo', '--duration', '5 minutes'], 64],
    ['a configuration that is not there', ['run', '/nowhere/at-all.yaml'], 78],
  ] as const)('%s is refused', async (_what, args, code) => {
    const run = rig.processes.ballast(args, { env: rig.env() });
    expect(await run.toEnd(20_000)).toMatchObject({ code });
    expect(run.lines).toEqual([]);
  });
});

describe.skipIf(!isLinux).concurrent('a live run', () => {
  test('refuses keys and grants that do not fit, by name, with code 77 (O22, O53, O121)', async () => {
    await Promise.all([
      (async () => {
        const bot = await rig.bot('readable-key');
        chmodSync(join(bot.folder, 'maker.key'), 0o644);
        const run = bot.run();
        await expectRefused(bot, run, 'CONFIG_KEY_FILE_UNSAFE', 77);
        expect(run.errors).toMatch(/expected mode 600 .* got mode 644/);
      })(),
      (async () => {
        const bot = unapproved('not-granted');
        await expectRefused(bot, bot.run(), 'PREFLIGHT_GRANT_MISSING', 77);
      })(),
      (async () => {
        const bot = unapproved('expired');
        // Both approvals have to arrive before the grants end: one that has ended already is refused.
        await bot.approve(GRANT_MS / 86_400_000);
        await pause(GRANT_MS);
        await expectRefused(bot, bot.run(), 'PREFLIGHT_GRANT_EXPIRED', 77);
      })(),
      (async () => {
        const bot = unapproved('about-to-expire');
        await bot.approve(60 / 86_400);
        await expectRefused(bot, bot.run(), 'PREFLIGHT_GRANT_EXPIRED', 77);
      })(),
    ]);
  });

  test('refuses grants of other accounts, by name, with code 77 (O22)', async () => {
    await Promise.all([
      (async () => {
        const bot = await rig.bot('elsewhere');
        const other = rig.takeAccount();
        bot.configure({ account: { address: other.address } });
        const run = bot.run();
        await expectRefused(bot, run, 'PREFLIGHT_GRANT_MISSING', 77);
        expect(run.errors).toContain(bot.account.address);
      })(),
      (async () => {
        const bot = await rig.bot('shared');
        const other = rig.takeAccount();
        bot.configure({ account: { address: other.address } });
        await rig.done(['keys', 'approve', bot.config, '--key-fd', '3'], { fd3: other.privateKey });
        await expectRefused(bot, bot.run(), 'PREFLIGHT_GRANT_SHARED', 77);
      })(),
      (async () => {
        const bot = unapproved('wrong-main-key');
        const approve = rig.processes.ballast(['keys', 'approve', bot.config, '--key-fd', '3'], {
          env: rig.env(),
          fd3: rig.takeAccount().privateKey,
        });
        await expectRefused(bot, approve, 'PREFLIGHT_MAIN_KEY_MISMATCH', 77);
      })(),
    ]);
  });

  test('refuses a configuration that does not fit the gateway, by name', async () => {
    const bot = await rig.bot('misfit');
    const cases = [
      [{ markets: [{ symbol: 'BTC-USD' }, { symbol: 'DOGE-USD' }] }, 'PREFLIGHT_MARKET_UNKNOWN', 78],
      [{ account: { address: `0x${'12'.repeat(20)}` } }, 'PREFLIGHT_ACCOUNT_MISSING', 78],
      [{ environment: { name: 'test', baseUrl: 'http://127.0.0.1:9' } }, 'PREFLIGHT_UNREACHABLE', 69],
      [
        { environment: { name: 'test', baseUrl: rig.baseUrl, production: true } },
        'CONFIG_PRODUCTION_NOT_CONFIRMED',
        78,
      ],
      [{ journal: { folder: join(bot.config, 'below-a-file') } }, 'PREFLIGHT_DISK_UNUSABLE', 73],
      [{ strategies: [ladder('gone', { module: 'gone.ts' })] }, 'STRATEGY_FILE_UNREADABLE', 78],
      [{ markets: [{ symbol: 'BTC-USD', leverage: 60 }] }, 'PREFLIGHT_LEVERAGE_INVALID', 78],
      [{ strategies: [ladder('wide', { parameters: { size: -1 } })] }, 'CONFIG_INVALID', 78],
      [{ risk: { capital: 10_000, minSwitchTimeLeft: '1001ms' } }, 'CONFIG_INVALID', 78],
    ] as const;
    for (const [changes, code, exitCode] of cases) {
      bot.configure(changes);
      await expectRefused(bot, bot.run(), code, exitCode);
    }
  });

  test('refuses a second bot on the same wallets with code 75, and the first quotes on (O35)', async () => {
    const bot = await rig.bot('first');
    const first = bot.run();
    const known = new Set((await bot.quoting(first)).map((order) => order.clientOrderId ?? ''));
    // With the same home; with another home and the same key file; and with a home and a copy of the keys of its own.
    const other = mkdtempSync(join(rig.folder, 'other-'));
    for (const name of ['maker.key', 'guard.key']) cpSync(join(bot.folder, name), join(other, name));
    const elsewhere = { BALLAST_STATE_HOME: join(other, 'state'), HOME: other };
    for (const [folder, env] of [
      [bot.folder, {}],
      [bot.folder, elsewhere],
      [other, elsewhere],
    ] as const) {
      const config = join(folder, 'second.yaml');
      writeFileSync(
        config,
        readFileSync(bot.config, 'utf8').replace('"folder": "journal"', '"folder": "two"'),
      );
      const second = rig.processes.ballast(['run', config, '--mode', 'live'], {
        env: { ...rig.env(), ...env },
      });
      expect(await second.toEnd(20_000), second.errors).toMatchObject({ code: 75 });
      expect(second.errors).toContain('JOURNAL_SCOPE_LOCKED');
    }
    await bot.quoting(first, known);
    first.signal('SIGTERM');
    expect(await first.toEnd(20_000)).toMatchObject({ code: 143 });
    expect(first.document()).toMatchObject({ openOrders: 0, reconciled: true });
    // The lock dies with its holder: now there is room.
    const third = bot.run(['--duration', '3s']);
    expect(await third.toEnd(20_000), third.errors).toMatchObject({ code: 0 });
  });

  test('ends with code 69 when the gateway does not answer at all', async () => {
    const bot = unapproved('silent');
    const held: { destroy(): void }[] = [];
    const server = createServer((socket) => void held.push(socket));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('expected a port');
    bot.configure({ environment: { name: 'test', baseUrl: `http://127.0.0.1:${address.port}` } });
    const run = bot.run();
    try {
      await until('a connection', () => held.length > 0, { withinMs: 20_000 });
      await expectRefused(bot, run, 'PREFLIGHT_UNREACHABLE', 69);
    } finally {
      for (const socket of held) socket.destroy();
      server.close();
    }
  });
});
