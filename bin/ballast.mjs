#!/usr/bin/env node
// Starts ballast on Node 24 whatever Node started this file.
// Plain JavaScript on purpose: it must run on the old Node that finds it.
import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { whenNpmEnds } from './npm.mjs';
import { startNode } from './start-node.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major, minor] = process.versions.node.split('.').map(Number);
const isFit = major > 24 || (major === 24 && minor >= 12);

/** The Node 24 that npm installed beside us, or this very Node when it is new enough. */
function findNode() {
  if (isFit) return process.execPath;
  const name = process.platform === 'win32' ? 'win-x64' : `${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  for (let folder = root; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', `node-${name}`, 'bin', file);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) break;
  }
  process.stderr.write(
    `ballast needs Node 24.12 or later; this is ${process.version} and no bundled Node was found.\n` +
      'Run `npm ci` in the project (without --omit=optional), or install Node 24.\n',
  );
  process.exit(70);
}

const isSource = existsSync(join(root, 'src', 'cli', 'main.ts'));
const entry = isSource ? join(root, 'src', 'cli', 'main.ts') : join(root, 'dist', 'src', 'cli', 'main.js');
const preload = isSource
  ? join(root, 'src', 'cli', 'resolve-ballast.ts')
  : join(root, 'dist', 'src', 'cli', 'resolve-ballast.js');
/** Commands that run over a tape and end. */
const OVER_A_TAPE = ['backtest', 'bars', 'calibrate', 'import', 'replay', 'sweep', 'worker'];
/**
 * MB of each half of the young generation. A collection of it costs a tick over a millisecond: with 64 MB there are a quarter
 * of those with 16, and they are out of the p99 of an order's way. It grows to that by need: a bot would hold 70 MB more for
 * nothing. Where nobody waits for a tick, 16 MB from the first moment on are as fast and hold 80 MB less (decision 0019).
 */
const youngMb = OVER_A_TAPE.includes(process.argv[2]) ? { most: 16, least: 16 } : { most: 64 };

/** Commands that ask or tell a run: they load no code of a user, and trade nothing. */
const LIGHT = [
  ...['runs', 'status', 'top', 'dashboard', 'orders', 'positions', 'fills', 'logs', 'explain', 'mcp'],
  ...['pause', 'resume', 'reduce', 'flatten', 'cancel-all', 'set', 'stop'],
  ...['completion', '--help', '--version'],
];
// What was compiled once is not compiled again: a start takes 0.6 s instead of 1.0 s. Node checks each entry against its
// source and goes without where the folder cannot be written.
const cache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'ballast');

const flags = [
  '--disable-warning=ExperimentalWarning',
  `--max-semi-space-size=${youngMb.most}`,
  ...(youngMb.least === undefined ? [] : [`--min-semi-space-size=${youngMb.least}`]),
  // No signal opens a debugger. One that was asked for is that of the bot, which refuses it where it holds keys.
  '--disable-sigusr1',
  ...process.execArgv.filter((flag) => /^--inspect/.test(flag)),
  ...(isSource ? ['--conditions=ballast-source'] : []),
  '--import',
  // A URL, as Node reads it as one: in a path it would take `#`, `?` and `%` for signs of their own.
  pathToFileURL(preload).href,
];

if (isFit && LIGHT.includes(process.argv[2])) await workHere();
else
  startNode(findNode(), [...flags, entry, ...process.argv.slice(2)], {
    NODE_COMPILE_CACHE: cache,
    ...process.env,
  });

/** Does the command's work in this process: another Node takes 40 ms and 45 MB. */
async function workHere() {
  const [print] = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => warning.name === 'ExperimentalWarning' || print?.(warning));
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  modules.enableCompileCache(cache);
  for (const file of [preload, entry]) await import(pathToFileURL(file).href);
}
