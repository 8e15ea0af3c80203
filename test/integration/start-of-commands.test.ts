/**
 * What a start of a command loads. A package or a room that slips into it costs every start its time: it belongs behind
 * the call that needs it.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keepRunFacts } from '../../src/bot/explain/index.ts';
import { listRun, runsFolder } from '../../src/bot/operator/run-list.ts';
import { must, silentLog } from '../../src/core/index.ts';
import { walletConfig, withMainKey } from '../support/approve-scene.ts';
import { ballast, startBallast } from '../support/ballast-process.ts';
import { dayOfJournal } from '../support/day-of-journal.ts';
import { sweepScene } from '../support/sweep-scene.ts';
import { PACKAGE_DOORS, ROOMS } from '../tidy/rules.ts';
import { ROOT } from '../tidy/source.ts';

const HOOK = pathToFileURL(join(import.meta.dirname, '../support/loaded-packages.ts')).href;
const PACKAGES = new Set(Object.keys(PACKAGE_DOORS));

/** The packages of the table of doors and the rooms that `ballast ...args` loads, in all of its processes. */
async function loadedBy(
  args: (folder: string) => readonly string[],
  descriptor?: number,
  stateHome?: string,
): Promise<{
  readonly packages: readonly string[];
  readonly rooms: readonly string[];
  readonly processes: number;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-loaded-'));
  try {
    const ended = await ballast(args(folder), {
      env: {
        ...{ NODE_OPTIONS: `--import=${HOOK}`, LOADED_FOLDER: folder },
        ...(stateHome === undefined ? {} : { BALLAST_STATE_HOME: stateHome }),
      },
      ...(descriptor === undefined ? {} : { descriptor }),
    });
    expect(ended.exitCode, ended.stderr).toBe(0);
    const files = readdirSync(folder).filter((name) => /^[0-9]+$/.test(name));
    const all = files.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[]);
    const places = [...new Set(all)].sort();
    return {
      packages: places.filter((place) => PACKAGES.has(place)),
      rooms: places.filter((place) => place.startsWith('src/')),
      processes: files.length,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** That no file of a room was loaded, nor of the rooms of a wing. */
function expectNone(rooms: readonly string[], place: string): void {
  const known = Object.keys(ROOMS).some((room) => room === place || room.startsWith(`${place}/`));
  expect(known, `${place} is a room or a wing`).toBe(true);
  expect(rooms.filter((room) => room === `src/${place}` || room.startsWith(`src/${place}/`))).toEqual([]);
}

/** What a configuration needs, and with it what trades on a gateway. */
const CONFIGURATION = ['@noble/curves', '@noble/hashes', 'decimal.js', 'yaml', 'yargs', 'zod'];
const TRADING = [...CONFIGURATION, 'pino', 'ws'].sort();
/** The same of what reads no file of a person. */
const WITHOUT_FILE = TRADING.filter((name) => name !== 'yaml');

describe('a start of ballast', () => {
  test.each([
    ['runs', 1],
    ['--version', 1],
    ['config schema', 2],
  ])(
    '%s takes %i processes where Node is new enough: no second one without code of a user',
    async (line, count) => {
      expect((await loadedBy(() => line.split(' '))).processes).toBe(count);
    },
  );

  test('the launcher names commands that exist', () => {
    const launcher = readFileSync(join(ROOT, 'bin/ballast.mjs'), 'utf8');
    const list = must(/const LIGHT = \[([\s\S]*?)\];/.exec(launcher)?.[1], 'the list of light commands');
    const names = [...list.matchAll(/'([a-z-]+)'/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('--'));
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !existsSync(join(ROOT, 'src/cli', `${name}.ts`)))).toEqual([]);
  });

  test.each(['--version', 'run --help'])('%s reads the command line alone', async (line) => {
    expect(await loadedBy(() => line.split(' '))).toMatchObject({
      packages: ['decimal.js', 'yargs'],
      rooms: ['src/cli', 'src/core'],
    });
  });

  test('explain reads a journal without the schemas of configurations, YAML, and what trades', async () => {
    const state = mkdtempSync(join(tmpdir(), 'ballast-explained-'));
    onTestFinished(() => rmSync(state, { recursive: true }));
    const { runId, journal, fromMs, questions } = dayOfJournal(state, 0.1);
    keepRunFacts(join(state, runId), { schema: 1, runId, journal }, silentLog);
    listRun(runsFolder(state), {
      ...{ runId, name: 'maker', mode: 'live', environment: 'sim', config: '/maker.yaml' },
      ...{ folder: join(state, runId), processId: process.pid, startedAtMs: fromMs },
    });
    for (const words of [questions[0] ?? [], questions[2] ?? []]) {
      const { packages, rooms } = await loadedBy(() => ['explain', ...words], undefined, state);
      expect(packages).toEqual(['decimal.js', 'yargs']);
      for (const room of ['bot/live', 'bot/execution', 'config', 'wire', 'exchange', 'research'])
        expectNone(rooms, room);
    }
  });

  test('config check loads no network, no tapes, no exchange and no backtests', async () => {
    const { packages, rooms } = await loadedBy(() => ['config', 'check', 'configs/demo.yaml']);
    expect(packages).toEqual(CONFIGURATION);
    for (const room of ['client', 'conformance', 'exchange', 'research', 'wire/gateway', 'wire/stream'])
      expectNone(rooms, room);
  });

  test('keys new loads the one back end that it takes, and no network', async () => {
    const { packages } = await loadedBy((folder) => ['keys', 'new', join(folder, 'maker.key')]);
    expect(packages).toEqual([...WITHOUT_FILE, 'hash-wasm'].sort());
  });

  // Of all commands this is the one that signs as a main wallet: config check, run, backtest and sim above and below do
  // without the package that costs most to load.
  test('keys approve loads viem', async () => {
    const exchange = await startBallast(['sim', '--port', '0', '--no-participants', '--json']);
    const folder = mkdtempSync(join(tmpdir(), 'ballast-approve-'));
    onTestFinished(async () => {
      rmSync(folder, { recursive: true });
      await exchange.stop();
    });
    const { baseUrl, accounts } = JSON.parse(exchange.firstLine) as {
      readonly baseUrl: string;
      readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
    };
    const owner = must(accounts[0], 'an account');
    const config = await walletConfig(folder, baseUrl, owner.address);
    const { packages, rooms } = await withMainKey(folder, owner.privateKey, (descriptor) =>
      loadedBy(() => ['keys', 'approve', config, '--key-fd', '3'], descriptor),
    );
    expect(packages).toContain('viem');
    for (const room of ['client', 'conformance', 'exchange', 'research']) expectNone(rooms, room);
  });

  test('a backtest loads no streams, no lanes and no network', async () => {
    const scene = sweepScene(1);
    onTestFinished(scene.remove);
    const { packages, rooms } = await loadedBy(() => [
      'backtest',
      scene.config,
      '--tape',
      scene.tape,
      '--json',
    ]);
    expect(packages).toEqual([...CONFIGURATION, 'apache-arrow', 'pino'].sort());
    for (const room of [
      'bot/journal',
      'bot/live',
      'client',
      'conformance',
      'exchange/api',
      'exchange/kernel',
      'wire/gateway',
      'wire/stream',
    ])
      expectNone(rooms, room);
  });

  test('an exchange alone loads no client of one', async () => {
    const { packages, rooms } = await loadedBy(() => [
      'sim',
      '--port',
      '0',
      '--no-participants',
      '--duration',
      '1s',
    ]);
    expect(packages).toEqual([...WITHOUT_FILE, 'hash-wasm'].sort());
    for (const room of ['client', 'conformance', 'research']) expectNone(rooms, room);
  });

  test('a run that records loads network, and neither tapes, which a thread writes, nor lines for people: nobody sees them', async () => {
    const { packages, rooms } = await loadedBy(() => [
      'run',
      'configs/demo.yaml',
      '--duration',
      '1s',
      '--json',
    ]);
    const door = ['@hono/node-server', 'hono'];
    expect(packages).toEqual([...TRADING, ...door, 'hash-wasm', 'undici'].sort());
    for (const room of ['client', 'conformance', 'research']) expectNone(rooms, room);
  });
});
