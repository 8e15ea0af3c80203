/**
 * @module
 * A process that signs for a wallet, spoken to by JSON lines. It is started again when it ends. What it writes is data: a line
 * that cannot be read, or an answer to nothing, is logged and dropped.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { isRecord, type JsonObject, messageOf } from '../../core/index.ts';
import type { SigningRequest } from '../../wire/crypto/index.ts';
import { type SignerPlan, type SignerPorts, WatchedSigner } from './watched-signer.ts';

/** The longest line, characters. */
const LINE_MAX = 65_536;
/** Before it is started again: the first pause, which doubles, and the longest, ms. */
const AGAIN_MS = { first: 100, max: 5_000 } as const;

/** See the module. Nothing is started before the first signature is asked for. */
export class SignerProcess extends WatchedSigner {
  readonly #command: readonly string[];
  #child: ChildProcess | undefined;
  #text = '';
  #againMs: number = AGAIN_MS.first;
  #notBeforeMs = 0;

  constructor(plan: Extract<SignerPlan, { command: unknown }>, ports: SignerPorts) {
    super(plan, ports);
    this.#command = plan.command;
  }

  protected get called(): string {
    return this.#command[0] ?? '';
  }

  protected send(id: number, request: SigningRequest): string | undefined {
    const child = this.#running();
    if (child === undefined) return this.state().why ?? 'it is being started again';
    child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
    return undefined;
  }

  protected end(): void {
    this.#over('it was closed');
  }

  /** The process, started where there is none; `undefined`: it ended a moment ago. */
  #running(): ChildProcess | undefined {
    if (this.#child !== undefined) return this.#child;
    if (this.ports.clock.monotonicMs() < this.#notBeforeMs) return undefined;
    const [program = '', ...args] = this.#command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#text = '';
    const over = (why: string): void => {
      if (this.#child === child) this.#over(why);
    };
    child.once('error', (error) => over(error.message));
    child.once('exit', (code, signal) => over(`it ended with ${signal ?? code}`));
    child.stdin.on('error', (error) => over(error.message));
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      if (this.#child === child) this.#read(part);
    });
    // A run that ends does not wait for it.
    child.unref();
    return child;
  }

  #read(part: string): void {
    this.#text += part;
    if (this.#text.length > LINE_MAX) {
      this.#over(`it wrote a line of more than ${LINE_MAX} characters`);
      return;
    }
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) if (this.take(answerIn(line))) this.#againMs = AGAIN_MS.first;
  }

  /** The process is over: who waits is told, and it is started again with the first request after a pause. */
  #over(why: string): void {
    const child = this.#child;
    this.#child = undefined;
    this.#notBeforeMs = this.ports.clock.monotonicMs() + this.#againMs;
    this.#againMs = Math.min(2 * this.#againMs, AGAIN_MS.max);
    this.failAll(why);
    try {
      child?.kill('SIGKILL');
    } catch (thrown) {
      const { wallet } = this.plan;
      this.ports.log.warn('a signer could not be ended', { wallet, why: messageOf(thrown) });
    }
  }
}

/** What a line holds; what is no answer answers nothing. */
function answerIn(line: string): JsonObject {
  try {
    const read: unknown = JSON.parse(line);
    return isRecord(read) ? read : {};
  } catch {
    return {};
  }
}
