/**
 * @module
 * The package as a user has it: packed, installed from its file into an empty folder by the npm of this machine, and run
 * with its Node or with the one of these tests. Without a registry, or what npm keeps of it, there is nothing to install.
 */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);

/** What the Node of a command is. */
export type NodeLine = 'of this machine' | 'of these tests';
export const NODE_LINES: readonly NodeLine[] = ['of this machine', 'of these tests'];

/** PATH without what npm installed here, as a person has it. */
const OWN_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);
const PATHS: Readonly<Record<NodeLine, string>> = {
  'of this machine': OWN_PATH,
  'of these tests': [dirname(realpathSync(process.execPath)), OWN_PATH].join(delimiter),
};

/** How a command ended. */
export interface Ended {
  readonly code: number;
  /** Standard output and standard error. */
  readonly text: string;
}

/** Runs a line of a shell in `folder`, as a person types it there. */
export async function typed(
  folder: string,
  line: string,
  node: NodeLine = 'of this machine',
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_|VITEST)/.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    PATH: PATHS[node],
    BALLAST_STATE_HOME: join(folder, 'state'),
  };
  const options = { cwd: folder, env, maxBuffer: 64_000_000, timeout: 240_000 };
  return await run('sh', ['-c', line], options).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: error.code ?? 1,
      text: `${error.stdout}${error.stderr}`,
    }),
  );
}

/** A folder that holds nothing, with signs in its name that mean something in a URL and in a shell. */
export function emptyFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'ballast #package %20 é-')));
}

/** Builds and packs the package; the path of its file. */
export async function pack(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ballast-packed-')));
  const { code, text } = await typed(ROOT, `npm pack --pack-destination ${folder}`);
  const [file] = globSync('*.tgz', { cwd: folder });
  if (code !== 0 || file === undefined) throw new Error(`npm pack failed: ${text}`);
  return join(folder, file);
}

const NO_REGISTRY =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/;

/** Runs a line that installs. False: there is no registry, which is said in one line. */
export async function installs(folder: string, line: string, node?: NodeLine): Promise<boolean> {
  const { code, text } = await typed(folder, line, node);
  if (code === 0) return true;
  if (!NO_REGISTRY.test(text)) throw new Error(`${line} failed: ${text}`);
  process.stdout.write('left out: the installed package (no npm registry and nothing of it in the cache)\n');
  return false;
}

/** Settings with which npm takes what it has, and says only what matters. */
export function quietNpm(folder: string): void {
  writeFileSync(join(folder, '.npmrc'), 'prefer-offline=true\nloglevel=error\nfund=false\naudit=false\n');
}
