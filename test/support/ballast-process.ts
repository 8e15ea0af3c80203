/**
 * Runs `bin/ballast.mjs` as a process of its own, as a user does: the launcher, the bundled Node, the command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { ROOT } from '../tidy/source.ts';

/** How a process ended. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From the start of the process to its end. */
  readonly durationMs: number;
}

/** The command line that starts ballast with whatever Node runs the tests. */
export const BALLAST = [process.execPath, join(ROOT, 'bin', 'ballast.mjs')] as const;

/** The environment of a person at a terminal without colors: no npm, no test runner. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  NO_COLOR: '1',
};

/** Where and how a process is started. */
export interface StartOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** An open file that the process gets as descriptor 3. */
  readonly descriptor?: number;
}

/** Runs ballast to its end. Standard input is empty. */
export function ballast(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return ended(start(args, options));
}

/** Runs ballast until it has printed its first line, for commands that go on. */
export async function startBallast(
  args: readonly string[],
): Promise<{ readonly firstLine: string; stop(): Promise<Ended> }> {
  const child = start(args, {});
  const end = ended(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const firstLine = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    end.then(({ exitCode, stderr }) => {
      throw new Error(`ballast ${args.join(' ')} ended with ${exitCode} before its first line: ${stderr}`);
    }),
  ]);
  return {
    firstLine,
    stop: () => {
      child.kill('SIGTERM');
      return end;
    },
  };
}

/** Runs a command line of the shell, in which `"$0" "$1"` is ballast, to its end. */
export function shellEnd(command: string, { cwd = ROOT }: Pick<StartOptions, 'cwd'> = {}): Promise<Ended> {
  return ended(
    spawn('sh', ['-c', command, ...BALLAST], { cwd, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

function start(args: readonly string[], { cwd = ROOT, env = {}, descriptor }: StartOptions): ChildProcess {
  const [node, file] = BALLAST;
  return spawn(node, [file, ...args], {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(descriptor === undefined ? [] : [descriptor])],
  });
}

function ended(child: ChildProcess): Promise<Ended> {
  const startedAtMs = performance.now();
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    text.stdout += chunk.toString('utf8');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    text.stderr += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) =>
      resolve({ ...text, exitCode, durationMs: performance.now() - startedAtMs }),
    );
  });
}
