/** @module Servers of the benches, each a process of its own, so that it does not share the event loop it is measured from. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * The exchange's collections and what its compiler does belong to no stack that is measured. Its young generation has
 * the whole room from the first moment on, a server empties it when nothing is under way ({@link emptyYoungGeneration}), and
 * it is compiled after a sixth of the usual calls, so before the first tick that counts.
 */
const SERVER_OPTIONS = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--expose-gc',
  '--invocation-count-for-turbofan=500',
];

/**
 * Of a server, between two cases: what is young is collected now. A collection of everything would be swept by threads of
 * V8 for 50 ms behind it, on the core that the next ticks need.
 */
export function emptyYoungGeneration(): void {
  globalThis.gc?.({ type: 'minor' });
}

/** A started child. Messages are plain JSON. */
export class Child {
  readonly #process: ChildProcess;

  constructor(file: URL) {
    this.#process = fork(fileURLToPath(file), [], { execArgv: [...process.execArgv, ...SERVER_OPTIONS] });
  }

  /** The next message; rejects when the child ends without one. */
  next<T>(): Promise<T> {
    const child = this.#process;
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => {
        child.off('message', onMessage);
        reject(new Error(`expected a message of the bench server, got exit ${code}`));
      };
      const onMessage = (message: unknown) => {
        child.off('exit', onExit);
        resolve(message as T);
      };
      child.once('exit', onExit);
      child.once('message', onMessage);
    });
  }

  send(message: object | string | number): void {
    this.#process.send(message);
  }

  /** Sends a message and gives the next one. */
  ask<T>(message: object | string | number): Promise<T> {
    const answer = this.next<T>();
    this.send(message);
    return answer;
  }

  /** Sends a message and resolves when the child has ended on its own; rejects where its exit code is not 0. */
  end(message: string): Promise<void> {
    const child = this.#process;
    return new Promise((resolve, reject) => {
      child.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`expected the child to end in order, got exit ${code}`)),
      );
      this.send(message);
    });
  }

  stop(): void {
    this.#process.removeAllListeners();
    this.#process.kill();
  }
}
