/**
 * @module
 * Real processes of a test. Each is started as the leader of a group of its own, so that everything it starts is found
 * through /proc by that group even when a parent in between is gone; each is ended by its process id, never by a name.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The launcher as a user starts it. */
export const LAUNCHER = join(ROOT, 'bin', 'ballast.mjs');

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** From the start of the process, ms. */
  readonly afterMs: number;
}

/** What a process is started with. */
export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text for file descriptor 3. */
  readonly fd3?: string;
}

/** A process in /proc. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** `Z` is dead and only waits to be seen by its parent. */
  readonly state: string;
  readonly command: string;
}

/**
 * How much longer than on an idle machine a test waits before it calls a process hung: machines are shared, and a limit
 * here is against waiting forever, not a measurement. Times are shown by the commands and by `npm run bench`.
 */
export const PATIENCE = 5;

/** The environment of a process that a user starts: nothing of the npm script that the tests may run in. */
export function userEnvironment(extra: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|NODE_OPTIONS|VITEST|TEST$|NODE_ENV|CI$|INIT_CWD)/.test(name),
  );
  return { ...Object.fromEntries(own), ...extra };
}

/** Waits until `holds` gives something other than `undefined` or false, `PATIENCE` times `withinMs` at most. @throws Error naming `what` when time is over. */
export async function until<T>(
  what: string | (() => string),
  holds: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs, everyMs = 20 }: { readonly withinMs: number; readonly everyMs?: number },
): Promise<T> {
  const untilMs = performance.now() + withinMs * PATIENCE;
  for (;;) {
    const value = await holds();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > untilMs)
      throw new Error(`not within ${withinMs * PATIENCE} ms: ${typeof what === 'string' ? what : what()}`);
    await pause(everyMs);
  }
}

/** Lets `ms` pass: the distance between two looks at another process, or a random instant. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** All processes of a group that live. */
export function membersOf(group: number): readonly ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => entryOf(Number(name), group));
}

/** A process, when it lives and belongs to `group`: the command lines of all others are not read. */
function entryOf(pid: number, ofGroup: number): readonly ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may hold anything.
    const [state = '', parent = '', group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
    if (Number(group) !== ofGroup || state === 'Z') return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return [{ pid, state, parent: Number(parent), group: Number(group), command }];
  } catch {
    return []; // It ended while we looked.
  }
}

/** One process and everything it started. */
export class TestProcess {
  readonly pid: number;
  /** Lines of standard output so far. */
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  /** Nobody holds its output open any more, and all of it was read. */
  readonly #closed: Promise<unknown>;
  #errors = '';
  #end: Ended | undefined;

  constructor(command: string, args: readonly string[], { cwd = ROOT, env, fd3 }: StartOptions = {}) {
    const startedAtMs = performance.now();
    const child = spawn(command, args, {
      cwd,
      env: userEnvironment(env),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(fd3 === undefined ? [] : (['pipe'] as const))],
    });
    this.#child = child;
    if (child.pid === undefined) throw new Error(`expected ${command} to start`);
    this.pid = child.pid;
    readLines(child.stdout, (line) => this.lines.push(line));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    const third = child.stdio[3];
    if (fd3 !== undefined && third !== undefined && third !== null && 'write' in third) {
      // A process that ends before it has read its text resets the pipe; its end says enough.
      third.on('error', () => undefined);
      third.end(fd3);
    }
    this.#closed = once(child, 'close');
    child.once('exit', (code, signal) => {
      const end = { code, signal, afterMs: performance.now() - startedAtMs };
      // Its output is read to its end first, unless a living grandchild holds that open.
      void Promise.race([this.#closed, pause(1_000)]).then(() => {
        this.#end = end;
      });
    });
  }

  /** What went to standard error so far. */
  get errors(): string {
    return this.#errors;
  }

  /** Nobody reads its standard error any more: what it writes there from now on fails. */
  closeErrors(): void {
    this.#child.stderr?.destroy();
  }

  /** How it ended, `undefined` while it lives. */
  get end(): Ended | undefined {
    return this.#end;
  }

  /** It and everything it started, as far as that lives. */
  members(): readonly ProcessEntry[] {
    return membersOf(this.pid);
  }

  /** The living processes that were started by `parent`. */
  childrenOf(parent = this.pid): readonly ProcessEntry[] {
    return this.members().filter((entry) => entry.parent === parent);
  }

  /** The bot or the exchange itself, below its launcher. */
  worker(withinMs = 5_000): Promise<ProcessEntry> {
    return until(
      () => `a worker of ${this.pid}\n${this.errors}`,
      () => this.childrenOf().find((entry) => /\bsrc\/cli\/main\.ts\b/.test(entry.command)),
      { withinMs },
    );
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** A signal as a terminal sends it: to every process of the group. */
  signalAll(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  /** The first line of standard output that `accepts`. */
  line(accepts: (line: string) => boolean, withinMs: number): Promise<string> {
    return until(
      () => `a line of ${this.pid}; it said ${this.lines.join(' | ').slice(0, 2000)}\n${this.errors}`,
      () => {
        const found = this.lines.find(accepts);
        if (found === undefined && this.#end !== undefined)
          throw new Error(`ended with ${JSON.stringify(this.#end)} before its line\n${this.errors}`);
        return found;
      },
      { withinMs },
    );
  }

  /** How it ended. @throws Error when it lives on, with what it said. */
  async toEnd(withinMs: number): Promise<Ended> {
    return await until(
      () => `${this.pid} to end; it said ${this.lines.join(' | ').slice(0, 2000)}\n${this.errors}`,
      () => this.#end,
      { withinMs },
    );
  }

  /** Waits until neither it nor anything it started lives. */
  async toVanish(withinMs: number): Promise<void> {
    await until(
      () =>
        `${this.pid} and its children to be gone; left are ${JSON.stringify(this.members())}\n${this.errors}`,
      () => this.members().length === 0,
      { withinMs },
    );
    // What the last of them wrote before its end may not have been read yet.
    await Promise.race([this.#closed, pause(1_000)]);
  }

  /** The last line of standard output as JSON, once the process has ended. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
  document(): any {
    const last = this.lines.at(-1);
    if (last === undefined) throw new Error(`expected a document, got no output\n${this.errors}`);
    return JSON.parse(last);
  }

  /** Kills it and everything it started, each by its id. */
  async kill(): Promise<void> {
    await until(
      `the group of ${this.pid} to be gone`,
      () => {
        const left = this.members();
        for (const { pid } of left) {
          try {
            process.kill(pid, 'SIGKILL');
          } catch (error) {
            if (!isGone(error)) throw error;
          }
        }
        return left.length === 0;
      },
      { withinMs: 10_000 },
    );
  }
}

/** The processes of one test. */
export class Processes {
  readonly #all: TestProcess[] = [];

  /** Starts a command. */
  start(command: string, args: readonly string[], options?: StartOptions): TestProcess {
    const started = new TestProcess(command, args, options);
    this.#all.push(started);
    return started;
  }

  /** Starts `ballast` as a user does. */
  ballast(args: readonly string[], options?: StartOptions): TestProcess {
    return this.start(process.execPath, [LAUNCHER, ...args], options);
  }

  /** Ends everything that was started and lives. */
  async endAll(): Promise<void> {
    await Promise.all(this.#all.splice(0).map((one) => one.kill()));
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}

function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) onLine(part);
  });
}
