/**
 * @module
 * The whole terminal as a screen that is drawn in place: the other buffer, without a cursor, keys without an echo. Whatever
 * ends it gives the terminal back first.
 */
import type { Clock } from '../../core/index.ts';
import { forPeople } from './output.ts';

/** A screen. */
export interface Screen {
  size(): { readonly columns: number; readonly rows: number };
  /** Draws lines from the top; what is longer than the screen is cut. */
  draw(lines: readonly string[]): void;
  /** True once q or Ctrl-C was typed. */
  isEnded(): boolean;
  /** Waits, or shorter: until a key ends it. Another size of the window draws at once. */
  waited(clock: Clock, ms: number, redraw: () => void): Promise<void>;
  /** Gives the terminal back; again, this does nothing. */
  close(): void;
}

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[2J';
const LEAVE = '\u001b[?25h\u001b[?1049l';
/** q, Q, and what Ctrl-C and Ctrl-D are without an echo. */
const ENDING = ['q', 'Q', '\u0003', '\u0004'];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** What a screen needs of a process. */
export type ScreenProcess = Pick<NodeJS.Process, 'stdout' | 'on' | 'off' | 'kill' | 'pid'> & {
  readonly stdin: Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'pause'>;
};

/** Takes the terminal of the process. */
export function openScreen(owner: ScreenProcess = process): Screen {
  return new TerminalScreen(owner);
}

class TerminalScreen implements Screen {
  readonly #owner: ScreenProcess;
  #isEnded = false;
  #isClosed = false;
  #wake: () => void = () => undefined;
  #redraw: () => void = () => undefined;

  constructor(owner: ScreenProcess) {
    this.#owner = owner;
    const { stdin, stdout } = owner;
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on('data', this.#onKey);
    stdout.on('resize', this.#onResize);
    for (const signal of SIGNALS) owner.on(signal, this.#onSignal);
    owner.on('exit', this.#onExit);
    stdout.write(ENTER);
  }

  size(): { readonly columns: number; readonly rows: number } {
    const { stdout } = this.#owner;
    return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
  }

  draw(lines: readonly string[]): void {
    // A terminal that is stopped gets what is new when it goes on.
    const { stdout } = this.#owner;
    if (this.#isClosed || stdout.writableNeedDrain) return;
    const { columns, rows } = this.size();
    const shown = lines.slice(0, rows).map((line) => `${cut(forPeople(line), columns)}\u001b[K`);
    stdout.write(`\u001b[H${shown.join('\r\n')}\u001b[J`);
  }

  isEnded(): boolean {
    return this.#isEnded;
  }

  async waited(clock: Clock, ms: number, redraw: () => void): Promise<void> {
    this.#redraw = redraw;
    await new Promise<void>((resolve) => {
      const timer = clock.after(ms, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
      if (this.#isEnded) this.#wake();
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const owner = this.#owner;
    const { stdin, stdout } = owner;
    stdin.off('data', this.#onKey);
    stdout.off('resize', this.#onResize);
    for (const signal of SIGNALS) owner.off(signal, this.#onSignal);
    owner.off('exit', this.#onExit);
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
    stdout.write(LEAVE);
  }

  readonly #onKey = (keys: Buffer): void => {
    if (!ENDING.some((key) => keys.includes(key))) return;
    this.#isEnded = true;
    this.#wake();
  };

  readonly #onResize = (): void => this.#redraw();

  /** The process ends by the signal, as it would have without a screen. */
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.close();
    this.#owner.kill(this.#owner.pid, signal);
  };

  readonly #onExit = (): void => this.close();
}

/** At most `columns` characters. */
function cut(text: string, columns: number): string {
  const characters = Array.from(text);
  return characters.length <= columns ? text : `${characters.slice(0, Math.max(0, columns - 1)).join('')}…`;
}
