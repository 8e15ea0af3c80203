/**
 * @module
 * The packages that ballast is measured beside. They live in a package of their own, `bench/peers`, which is installed
 * here with `npm ci` when it is not there yet; nothing of the framework depends on it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'peers');
/** npm writes it last, so it tells a whole installation from a broken one. */
const INSTALLED = join(FOLDER, 'node_modules', '.package-lock.json');
const INSTALL_MS_MAX = 180_000;

interface Loader {
  load(name: string): Promise<unknown>;
  loadCcxtOrderBook(): Promise<unknown>;
}

/** Installs the peers unless they are there. Gives the reason when they cannot be had. */
export function installPeers(): string | undefined {
  if (existsSync(INSTALLED)) return undefined;
  process.stderr.write('bench: installing the peers (npm ci in bench/peers)\n');
  const { status, stderr, error } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: FOLDER,
    encoding: 'utf8',
    timeout: INSTALL_MS_MAX,
    shell: process.platform === 'win32',
  });
  if (status === 0 && existsSync(INSTALLED)) return undefined;
  const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
  return `the peers could not be installed: ${why === '' ? `npm ended with ${status}` : why}`;
}

/** The namespace of a peer, as the caller describes it. */
export async function loadPeer<T>(name: string): Promise<T> {
  return (await (await loader()).load(name)) as T;
}

/** ccxt's own order book. */
export async function loadCcxtOrderBook<T>(): Promise<T> {
  return (await (await loader()).loadCcxtOrderBook()) as T;
}

async function loader(): Promise<Loader> {
  // By URL: the file resolves names from its own folder and is no part of the type-checked sources.
  return (await import(new URL('./peers/load.mjs', import.meta.url).href)) as Loader;
}
