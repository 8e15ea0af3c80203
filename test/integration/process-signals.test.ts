import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LiveRig } from '../support/live-rig.ts';
import { LAUNCHER, Processes, pause, type TestProcess, until } from '../support/processes.ts';

const isLinux = process.platform === 'linux';
const processes = new Processes();
const folder = mkdtempSync(join(tmpdir(), 'ballast-signals-'));

afterAll(async () => {
  await processes.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ BALLAST_STATE_HOME: folder, NO_COLOR: '1', npm_config_update_notifier: 'false' });

/** How a demo is started, and what its end looks like when the bot's own exit code passes through. */
const WAYS = {
  'npm start': (args: readonly string[]) =>
    processes.start('npm', ['start', '--', '--json', ...args], { env: env() }),
  'bin/ballast.mjs': (args: readonly string[]) =>
    processes.ballast(['demo', '--json', ...args], { env: env() }),
};
type Way = keyof typeof WAYS;

/** A demo that has orders in the book: its status line says so. */
async function quotingDemo(way: Way): Promise<TestProcess> {
  const demo = WAYS[way](['--duration', '60s', '--seed', '7']);
  await until(
    () => `the demo to quote\n${demo.errors}`,
    () => /run is quoting/.test(demo.errors),
    { withinMs: 30_000 },
  );
  await pause(1_000);
  return demo;
}

/** A Node of the machine that the launcher has to pass over, where there is one. */
const OLDER_NODE = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((path) => join(path, 'node'))
  .find((node) => existsSync(node) && majorOf(node) < 24 && majorOf(node) >= 18);

/** The document of a demo proves that no order is open; the exchange that could be asked has ended with it. */
function expectProven(demo: TestProcess, stopReason: string): void {
  expect(demo.document()).toMatchObject({
    ...{ openOrders: 0, unresolved: 0, reconciled: true, differences: [], ledgerResidual: '0' },
    stopReason,
  });
  expect(demo.document().ordersPlaced).toBeGreaterThan(0);
}

/** The bot of a demo: what `find` leaves is not a launcher, a shell or the exchange. */
function member(demo: TestProcess, pattern: RegExp): number {
  const found = demo.members().find((entry) => pattern.test(entry.command));
  if (found === undefined) throw new Error(`expected ${pattern} among ${JSON.stringify(demo.members())}`);
  return found.pid;
}
const BOT = /src\/cli\/main\.ts demo/;
const LAUNCHER_OF_DEMO = /^\S*node (?:\S*\/)?bin\/ballast\.mjs demo/;

async function ended(demo: TestProcess) {
  const end = await demo.toEnd(10_000);
  await demo.toVanish(5_000);
  return end;
}

describe.skipIf(!isLinux).concurrent('a signal to a demo', () => {
  test('SIGTERM to npm start leaves no process and no order', async () => {
    const demo = await quotingDemo('npm start');
    expect(demo.members().length).toBeGreaterThanOrEqual(4);
    demo.signal('SIGTERM');
    const end = await ended(demo);
    expect(end.signal === 'SIGTERM' || end.code === 143).toBe(true);
    expectProven(demo, 'SIGTERM');
  });

  test('a signal to the launcher leaves no process and no order', async () => {
    await Promise.all(
      (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const).map(async (signal) => {
        const demo = await quotingDemo('bin/ballast.mjs');
        demo.signal(signal);
        expect(await ended(demo)).toMatchObject({ code: signal === 'SIGINT' ? 130 : 143, signal: null });
        expectProven(demo, signal);
      }),
    );
  });

  test('SIGTERM to the bot itself leaves no process and no order', async () => {
    const demo = await quotingDemo('bin/ballast.mjs');
    process.kill(member(demo, BOT), 'SIGTERM');
    expect(await ended(demo)).toMatchObject({ code: 143, signal: null });
    expectProven(demo, 'SIGTERM');
  });

  test('Ctrl-C in a terminal, which goes to all of its processes, leaves no process and no order', async () => {
    const demos = await Promise.all([quotingDemo('npm start'), quotingDemo('bin/ballast.mjs')]);
    for (const demo of demos) demo.signalAll('SIGINT');
    for (const demo of demos) {
      const end = await ended(demo);
      expect(end.signal === 'SIGINT' || end.code === 130).toBe(true);
      expectProven(demo, 'SIGINT');
    }
  });

  test('kill -9 of npm, or of the launcher, ends the bot in order', async () => {
    const [underNpm, alone] = await Promise.all([quotingDemo('npm start'), quotingDemo('bin/ballast.mjs')]);
    underNpm.signal('SIGKILL');
    process.kill(member(alone, LAUNCHER_OF_DEMO), 'SIGKILL');
    await underNpm.toVanish(15_000);
    await alone.toVanish(15_000);
    expectProven(underNpm, 'SIGTERM');
    expectProven(alone, 'SIGHUP');
  });

  test('kill -9 of the bot ends the exchange it started', async () => {
    const demo = await quotingDemo('bin/ballast.mjs');
    process.kill(member(demo, BOT), 'SIGKILL');
    expect(await ended(demo)).toMatchObject({ code: 80, signal: null });
  });

  test('SIGTERM at any instant of the start leaves no process', async () => {
    const ends = await Promise.all(
      [150, 500, 900, 1_300].map(async (ms) => {
        const demo = WAYS['bin/ballast.mjs'](['--duration', '60s']);
        await pause(ms);
        demo.signal('SIGTERM');
        return await ended(demo);
      }),
    );
    for (const end of ends) expect(end.signal === 'SIGTERM' || end.code === 143).toBe(true);
  });
});

describe.skipIf(!isLinux).concurrent('a demo with a time limit', () => {
  test('ends on its own with code 0 and a proven empty book', async () => {
    const demos = [WAYS['npm start'](['--duration', '5s']), WAYS['bin/ballast.mjs'](['--duration', '5s'])];
    for (const demo of demos) {
      expect(await ended(demo)).toMatchObject({ code: 0 });
      expectProven(demo, 'time limit');
    }
  });

  test.runIf(OLDER_NODE !== undefined)('starts with an older Node too', async () => {
    const check = processes.start(
      OLDER_NODE ?? '',
      [LAUNCHER, 'config', 'check', 'configs/demo.yaml', '--json'],
      {
        env: env(),
      },
    );
    expect(await ended(check)).toMatchObject({ code: 0 });
    expect(check.document()).toMatchObject({ environment: 'sim' });
  });
});

function majorOf(node: string): number {
  return Number(execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }));
}

describe.skipIf(!isLinux)('the exchange alone', () => {
  test('says where it is at once, serves any client, and ends cleanly by SIGTERM and SIGINT', async () => {
    const start = () => processes.ballast(['sim', '--port', '0', '--seed', '7', '--json'], { env: env() });
    const first = start();
    const line = JSON.parse(await first.line((text) => text.startsWith('{'), 3_000));
    const second = start();
    const other = JSON.parse(await second.line((text) => text.startsWith('{'), 10_000));
    // The same seed makes the same accounts, each on a port of its own.
    expect(other.accounts).toEqual(line.accounts);
    expect(other.baseUrl).not.toBe(line.baseUrl);
    const markets = await fetch(`${line.baseUrl}/v1/markets`);
    expect(markets.status).toBe(200);
    expect(JSON.stringify(await markets.json())).toContain('BTC-USD');
    const socket = new WebSocket(line.wsUrl);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    // An open connection does not keep it from ending.
    first.signal('SIGTERM');
    second.signalAll('SIGINT');
    expect(await ended(first)).toMatchObject({ code: 143, signal: null });
    expect(await ended(second)).toMatchObject({ code: 130, signal: null });
    expect(await isOpen(new URL(line.baseUrl))).toBe(false);
  });

  test('names a port that is taken and ends with code 75', async () => {
    const first = processes.ballast(['sim', '--port', '0', '--json'], { env: env() });
    const { baseUrl } = JSON.parse(await first.line((text) => text.startsWith('{'), 10_000));
    const second = processes.ballast(['sim', '--port', new URL(baseUrl).port], { env: env() });
    expect(await ended(second)).toMatchObject({ code: 75 });
    expect(second.errors).toContain('CONFIG_PORT_IN_USE');
  });
});

function isOpen({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) })
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => socket.destroy());
  });
}

describe.skipIf(!isLinux)('a live bot on an exchange that lives on', () => {
  test('empties the book, no matter which process gets the signal, and does without a reader of its log', async () => {
    const rig = await LiveRig.start({ seed: 7, accounts: 4 });
    const ways = [
      [(run: TestProcess) => run.signal('SIGTERM'), 143],
      [(run: TestProcess) => run.signalAll('SIGINT'), 130],
      [async (run: TestProcess) => process.kill((await run.worker()).pid, 'SIGTERM'), 143],
      [
        async (run: TestProcess) => {
          run.closeErrors();
          await pause(6_000); // Its status line comes every 5 s and finds nobody.
          expect(run.members().length).toBeGreaterThan(0);
          run.signal('SIGTERM');
        },
        143,
      ],
    ] as const;
    try {
      await Promise.all(
        ways.map(async ([stop, code], at) => {
          const bot = await rig.bot(`bot-${at}`);
          const run = bot.run();
          await bot.quoting(run);
          await stop(run);
          expect(await run.toEnd(20_000)).toMatchObject({ code, signal: null });
          expect(await bot.reader.openOrders()).toEqual([]);
          expect(run.members()).toEqual([]);
          expect(run.document()).toMatchObject({
            ...{ mode: 'live', openOrders: 0, unresolved: 0, reconciled: true, ledgerResidual: '0' },
          });
        }),
      );
    } finally {
      await rig.end();
    }
  });
});
