/** @module What `ballast init` writes for editors starts a debugger that stops in a strategy, by file and line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ballast, ENVIRONMENT } from '../support/ballast-process.ts';

const PATIENCE_MS = 120_000;

interface Launch {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

let project = '';
let launches: readonly Launch[] = [];
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'ballast-break-'));
  rmSync(project, { recursive: true });
  await ballast(['init', project]);
  // What npm install would do.
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(process.cwd(), join(project, 'node_modules', 'ballast'));
  const text = readFileSync(join(project, '.vscode', 'launch.json'), 'utf8');
  launches = (JSON.parse(text) as { readonly configurations: readonly Launch[] }).configurations;
}, PATIENCE_MS);
afterAll(() => rmSync(project, { recursive: true, force: true }));

type Message = Readonly<Record<string, unknown>> & { readonly method?: string; readonly id?: number };

interface CallFrame {
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/** One debugger at the port of a process. */
class Debugger {
  readonly #socket: WebSocket;
  readonly #seen: Message[] = [];
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('message', ({ data }) => {
      this.#seen.push(JSON.parse(String(data)) as Message);
      for (const look of this.#waiting.splice(0)) look();
    });
  }

  async open(): Promise<this> {
    if (this.#socket.readyState !== WebSocket.OPEN) await once(this.#socket, 'open');
    return this;
  }

  /** The first message that fits, of those that came and those that come. */
  async message(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#seen.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async ask(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#count;
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result } = await this.message((message) => message.id === id);
    return result as Readonly<Record<string, unknown>>;
  }

  close(): void {
    this.#socket.close();
  }
}

/** The ports at which the launcher and the process of the bot wait, in the order in which they say so. */
async function* portsOf(child: ChildProcess): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of child.stderr ?? []) {
    text += String(chunk);
    for (
      let found = /listening on (ws:\S+)\n/.exec(text);
      found !== null;
      found = /listening on (ws:\S+)\n/.exec(text)
    ) {
      text = text.slice(found.index + found[0].length);
      yield found[1] ?? '';
    }
  }
}

/** What an editor sends for a breakpoint: the URL of the file, with or without a query. */
const regexOf = (file: string) =>
  `${pathToFileURL(file).href.replaceAll(/[.*+?^$(){}|[\]\\/]/g, '\\$&')}($|\\?)`;

test.each([
  ['Backtest', 'urlRegex'],
  ['Examine', 'url'],
])(
  '%s stops at a breakpoint by file and line, set by %s',
  async (name, by) => {
    const launch = launches.find((one) => one.name === name);
    if (launch === undefined) throw new Error(`a configuration ${name}`);
    const file = join(project, 'strategies', 'maker.ts');
    const lines = readFileSync(file, 'utf8').split('\n');
    const lineNumber = lines.findIndex((line) => line.includes('context.quote('));
    expect(lineNumber).toBeGreaterThan(0);
    const program = launch.program.replace(/^\$\{workspaceFolder\}/, project);
    const child = spawn(process.execPath, ['--inspect-brk=127.0.0.1:0', program, ...launch.args], {
      cwd: project,
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    let botId: number | undefined;
    try {
      const ports = portsOf(child);
      const launcher = await new Debugger((await ports.next()).value ?? '').open();
      await launcher.ask('Runtime.runIfWaitingForDebugger');
      const bot = await new Debugger((await ports.next()).value ?? '').open();
      await bot.ask('Debugger.enable');
      const where = by === 'url' ? { url: pathToFileURL(file).href } : { urlRegex: regexOf(file) };
      const { breakpointId } = await bot.ask('Debugger.setBreakpointByUrl', { ...where, lineNumber });
      await bot.ask('Runtime.runIfWaitingForDebugger');
      // It waits at its first line; an editor goes on from there.
      await bot.message(({ method }) => method === 'Debugger.paused');
      await bot.ask('Debugger.resume');
      const resolved = await bot.message(({ method }) => method === 'Debugger.breakpointResolved');
      expect(resolved['params']).toMatchObject({ breakpointId, location: { lineNumber } });
      const paused = await bot.message(
        ({ method, params }) =>
          method === 'Debugger.paused' &&
          (params as { readonly hitBreakpoints?: readonly string[] }).hitBreakpoints?.length === 1,
      );
      expect(paused['params']).toMatchObject({ hitBreakpoints: [breakpointId] });
      const [frame] = (paused['params'] as { readonly callFrames: readonly CallFrame[] }).callFrames;
      expect(frame?.location.lineNumber).toBe(lineNumber);
      const script = await bot.message(
        ({ method, params }) =>
          method === 'Debugger.scriptParsed' &&
          (params as { readonly scriptId: string }).scriptId === frame?.location.scriptId,
      );
      expect(script['params']).toMatchObject({ url: pathToFileURL(file).href });
      bot.close();
      launcher.close();
    } finally {
      // Paused, it would hear of no end of the launcher.
      if (botId !== undefined) process.kill(botId, 'SIGKILL');
      child.kill('SIGKILL');
      await ended;
    }
  },
  PATIENCE_MS,
);
