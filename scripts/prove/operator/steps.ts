/** @module Commands as a person types them, one after the other: each has to end as it must and say what it must. */
import { isDeepStrictEqual } from 'node:util';
import type { Processes, TestProcess } from '../../../test/support/processes.ts';

/** How a command ended and what it said. */
export interface Said {
  readonly code: number | null;
  /** Standard output. */
  readonly text: string;
  readonly errors: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
  readonly json: any;
}

/** What a command must do. */
export interface Expected {
  /** 0 unless another one is right. */
  readonly code?: number;
  /** Texts and patterns that its output has. */
  readonly has?: readonly (string | RegExp)[];
}

/** Terminals are as wide. */
const WIDTH = 80;
/** A command that lasts longer hangs, ms; a start of a process takes its time on a machine that others share. */
const COMMAND_MS_MAX = 60_000;
/** What no line break may fall into: an address, a hash, a path, an address on the network. */
const WHOLE = /(?:0x)?[0-9a-f]{16,}\S*|\S*\/\S+\/\S*/gi;

/** A hash or a signature: more than its beginning says nothing to a reader. */
const LONG_HEX = /(0x[0-9a-f]{8})[0-9a-f]{48,}/gi;

/** A step of the path that is wrong. */
export class WrongStep extends Error {
  override readonly name = 'WrongStep';
}

/** See the module. */
export class Steps {
  /** Steps that were right. */
  count = 0;
  readonly #parts: {
    readonly processes: Processes;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly say: (line: string) => void;
  };

  constructor(parts: {
    readonly processes: Processes;
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly say: (line: string) => void;
  }) {
    this.#parts = parts;
  }

  /** Starts a command that goes on. */
  start(...words: readonly string[]): TestProcess {
    const { processes, cwd, env } = this.#parts;
    return processes.ballast(words, { cwd, env });
  }

  /** Runs a command to its end, whatever that is. */
  async ask(...words: readonly string[]): Promise<Said> {
    const process = this.start(...words);
    const { code } = await process.toEnd(COMMAND_MS_MAX);
    const isJson = words.includes('--json') && process.lines.length > 0;
    return {
      ...{ code, text: process.lines.join('\n'), errors: process.errors },
      json: isJson ? process.document() : undefined,
    };
  }

  /** A command with words for people, one step. @throws WrongStep. */
  async text(words: readonly string[], expected: Expected = {}): Promise<Said> {
    const said = await this.ask(...words);
    this.#hold(words, said, expected);
    for (const line of said.text.split('\n'))
      if (widthOf(line) > WIDTH)
        throw new WrongStep(
          `${words.join(' ')}: expected lines of at most ${WIDTH} columns, got ${line.length}\n${line}`,
        );
    const first = `${said.text}\n${said.errors}`.split('\n').find((line) => line !== '');
    this.seen(words.join(' '), first ?? 'nothing');
    return said;
  }

  /** A command with a document, one step. `holds` gives what was wrong with it. @throws WrongStep. */
  async json(
    words: readonly string[],
    holds: (document: Said['json'], said: Said) => readonly Fact[],
    expected: Expected = {},
  ): Promise<Said> {
    const all = [...words, '--json'];
    const said = await this.ask(...all);
    this.#hold(all, said, expected);
    this.facts(all.join(' '), holds(said.json, said), said.json);
    return said;
  }

  /** Facts that must hold, one step. @throws WrongStep with the first that does not. */
  facts(step: string, facts: readonly Fact[], document?: unknown): void {
    for (const [what, got, wanted] of facts)
      if (!isDeepStrictEqual(got, wanted))
        throw new WrongStep(
          `${step}: expected ${what} ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}${document === undefined ? '' : `\n${JSON.stringify(document)}`}`,
        );
    this.seen(step, facts.map(([what, got]) => `${what} ${JSON.stringify(got)}`).join(', '));
  }

  /** Says what a right step showed. */
  seen(step: string, what: string): void {
    this.count += 1;
    this.#parts.say(`ok    ${step}: ${what}`.replace(LONG_HEX, '$1...'));
  }

  #hold(words: readonly string[], said: Said, { code = 0, has = [] }: Expected): void {
    const { text, errors } = said;
    const whole = `${words.join(' ')}: `;
    const shown = `\n${text}\n${errors}`;
    if (said.code !== code)
      throw new WrongStep(`${whole}expected exit code ${code}, got ${said.code}${shown}`);
    const lines = `${text}\n${errors}`.replace(/\s+/g, ' ');
    for (const one of has)
      if (typeof one === 'string' ? !lines.includes(one) : !one.test(lines))
        throw new WrongStep(`${whole}expected ${String(one)} in its output${shown}`);
  }
}

/** What is looked at, what it is, and what it must be. */
export type Fact = readonly [what: string, got: unknown, wanted: unknown];

/** Columns of a line without what cannot be broken. */
function widthOf(line: string): number {
  return line.length <= WIDTH ? line.length : line.replace(WHOLE, '').length;
}
