/** The package from its file, in a folder that held nothing: its content, its commands on two Nodes, its types. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import { walletConfig } from '../support/approve-scene.ts';
import { startBallast } from '../support/ballast-process.ts';
import { emptyFolder, installs, NODE_LINES, quietNpm, typed } from '../support/installed.ts';
import { ROOT } from '../tidy/source.ts';

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const doors = Object.entries(manifest.exports);
const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');

const tarball = inject('tarball');

test('holds what a user needs, under 3 MB, and nothing of its making', () => {
  expect(statSync(tarball).size).toBeLessThan(3_000_000);
  const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8', maxBuffer: 10_000_000 })
    .split('\n')
    .map((file) => file.replace('package/', ''));
  const made = /^(?:test|bench|scripts)\/|^(?!templates\/).*\.test\.|baselines|\.ballast\/|\.key$/;
  expect(files.filter((file) => made.test(file))).toEqual([]);
  // Each is looked for and read when a command needs it: docs/decisions/0020-code-in-few-files.md.
  expect(files.filter((file) => /^dist\/.*\.js$/.test(file)).length).toBeLessThan(200);
  expect(files.filter((file) => file.startsWith('src/'))).toEqual(['src/wire/protocol/openapi.yaml']);
  const needed = [
    ...['bin/ballast.mjs', 'configs/demo.yaml', 'configs/live-example.yaml', 'LICENSE', 'CHANGELOG.md'],
    ...['strategies/ping-pong/index.ts', 'strategies/ping-pong/README.md', 'backtest/maker.yaml'],
    ...['templates/project/gitignore', 'templates/maker/my-strategy.test.ts', 'docs/guides/restarts.md'],
    ...['dist/src/bot/dashboard/page/start.js', 'dist/src/bot/dashboard/report-worker.js'],
    ...['backtest/tapes/sample/manifest.json', 'docs/reference/errors.md', 'docs/getting-started.md'],
    ...doors.flatMap(([, { types = '', default: code = '' }]) => [types.slice(2), code.slice(2)]),
  ];
  expect(needed.filter((file) => !files.includes(file))).toEqual([]);
});

describe('installed from its file into an empty folder', () => {
  let folder = '';
  let isInstalled = false;
  beforeAll(async () => {
    folder = emptyFolder();
    quietNpm(folder);
    isInstalled = await installs(folder, `npm install ${tarball}`);
  });

  test.for(NODE_LINES)('its commands run, with the Node %s', async (node, { skip }) => {
    skip(!isInstalled);
    const own = 'node_modules/ballast';
    const says = async (args: string) => {
      const { code, text } = await typed(folder, `npx ballast ${args}`, node);
      expect([args, code], text).toEqual([args, 0]);
      return text;
    };
    expect(await says('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await says(`config check ${own}/configs/two-strategies.yaml`)).toContain('good');
    expect(await says('demo --duration 1s')).toContain('proof     proven');
    expect(await says(`backtest ${own}/backtest/maker.yaml --html page.html`)).toContain('decisions');
    expect(readFileSync(join(folder, 'page.html'), 'utf8').includes('uPlot')).toBe(true);
    expect(await says(`bars ${own}/backtest/bars.yaml`)).toContain('trend');
    expect(await says(`paper ${own}/configs/demo.yaml --duration 1s`)).toContain('proof');
    expect(await says(`tape info ${own}/backtest/tapes/sample`)).toContain('BTC-USD');
    expect(await says('sim --port 0 --duration 100ms')).toContain('exchange ');
    const key = join(mkdtempSync(join(folder, 'keys-')), 'new.key');
    expect(await says(`keys new "${key}"`)).toContain('mode 600');
  });

  test('a main wallet signs a grant by the viem that is inside', async ({ skip }) => {
    skip(!isInstalled);
    expect(existsSync(join(folder, 'node_modules', 'viem'))).toBe(false);
    const exchange = await startBallast(['sim', '--port', '0', '--no-participants', '--json']);
    onTestFinished(async () => {
      await exchange.stop();
    });
    const { baseUrl, accounts } = JSON.parse(exchange.firstLine) as {
      readonly baseUrl: string;
      readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
    };
    const owner = must(accounts[0], 'an account');
    await walletConfig(folder, baseUrl, owner.address);
    writeFileSync(join(folder, 'main.key'), owner.privateKey, { mode: 0o600 });
    const approved = await typed(folder, 'npx ballast keys approve bot.yaml --key-fd 3 3<main.key');
    expect(approved.code, approved.text).toBe(0);
    const licenses = readFileSync(join(folder, 'node_modules/ballast/dist/src/licenses.txt'), 'utf8');
    for (const name of [
      'apache-arrow 21',
      'flatbuffers',
      'viem 2',
      '@noble/curves',
      'yaml 2',
      'yargs 18',
      'zod 4',
    ])
      expect(licenses).toMatch(new RegExp(`^${name}[\\d. ]`, 'm'));
  });

  test('the figures of a backtest are those of a clone, and so is the hash of a bundled strategy', async ({
    skip,
  }) => {
    skip(!isInstalled);
    const lines = async (at: string, ballast: string) => {
      const backtest = await typed(folder, `${ballast} backtest ${at}/backtest/maker.yaml --json`);
      const check = await typed(folder, `${ballast} config check ${at}/configs/ping-pong.yaml --json`);
      const { decisionHash } = JSON.parse(backtest.text) as { readonly decisionHash: string };
      const { strategies } = JSON.parse(check.text) as {
        readonly strategies: readonly { readonly sha256: string }[];
      };
      return [decisionHash, strategies.map(({ sha256 }) => sha256)];
    };
    expect(await lines('node_modules/ballast', 'npx ballast')).toEqual(
      await lines(ROOT, `node ${join(ROOT, 'bin', 'ballast.mjs')}`),
    );
  });

  test('an own strategy in TypeScript is checked strictly, with every door, and runs as it is', async ({
    skip,
  }) => {
    skip(!isInstalled);
    const guide = readFileSync(join(ROOT, 'docs', 'guides', 'examples', 'first-strategy.ts'), 'utf8');
    writeFileSync(join(folder, 'own.ts'), guide);
    const messaging = ['signal-topic.ts', 'signaler.ts', 'signal-trader.ts'];
    for (const name of messaging)
      copyFileSync(join(ROOT, 'docs', 'guides', 'examples', name), join(folder, name));
    // A type that did not resolve would be `any`, and take the text.
    const wrong = doors.map(([name], at) => {
      const door = name.replace('.', 'ballast');
      return `import * as door${at} from '${door}';\nexport const no${at}: string = door${at};\n`;
    });
    writeFileSync(join(folder, 'doors.ts'), wrong.join(''));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const compilerOptions = {
      ...{ target: 'ES2024', lib: ['ES2024'], module: 'NodeNext', types: [], noEmit: true, strict: true },
      ...{ skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ verbatimModuleSyntax: true, erasableSyntaxOnly: true, allowImportingTsExtensions: true },
    };
    const files = ['own.ts', 'doors.ts', ...messaging];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { text } = await typed(folder, `${tsc} -p .`, 'of these tests');
    const found = text.split('\n').filter((line) => line.includes('error'));
    expect(found.map((line) => /^(\S+?)\(.*(TS\d+)/.exec(line)?.slice(1).join(' '))).toEqual(
      doors.map(() => 'doors.ts TS2322'),
    );
    const config = readFileSync(join(ROOT, 'configs', 'demo.yaml'), 'utf8')
      .replace('../strategies/two-sided-ladder/index.ts', './own.ts')
      .replace(/ {4}parameters:\n[\s\S]*?\n\n/, '    parameters:\n      size: 0.003\n\n');
    writeFileSync(join(folder, 'own.yaml'), config);
    const ran = await typed(folder, 'npx ballast run own.yaml --duration 1s');
    expect(ran.code, ran.text).toBe(0);
    expect(existsSync(join(folder, '.ballast'))).toBe(true);
  });

  test('a package that its user installed is found where the command is typed', async ({ skip }) => {
    skip(!isInstalled);
    const project = emptyFolder();
    const worker = `node "${folder}/node_modules/ballast/bin/ballast.mjs" worker --redis redis://127.0.0.1:1`;
    expect((await typed(project, worker)).text).toContain('SWEEP_QUEUE_MISSING');
    mkdirSync(join(project, 'node_modules'));
    const { peerDependencies } = manifest;
    for (const name of ['bullmq', 'ioredis'].filter((one) => one in peerDependencies))
      symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
    const { text } = await typed(project, worker);
    expect(text).toMatch(/SWEEP_QUEUE_UNREACHABLE: .* but connect ECONNREFUSED 127\.0\.0\.1:1$/m);
    expect(text).not.toContain('Unhandled');
  });

  test('a project of another installer than npm depends on the same file', async ({ skip }) => {
    skip(!isInstalled);
    rmSync(join(folder, 'node_modules', '.package-lock.json'));
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ type: 'module', dependencies: { ballast: `file:${tarball}` } }),
    );
    expect(await typed(folder, 'npx ballast init bot')).toMatchObject({ code: 0 });
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'bot', 'package.json'), 'utf8'));
    expect(join(folder, 'bot', dependencies.ballast.replace('file:', ''))).toBe(tarball);
  });
});
