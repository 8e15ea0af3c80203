/**
 * @module
 * Judges mutants. A violation counts when the product itself passes the same plan: so every process of a mutant has the
 * right client beside it. A plan that never ends, or a process that dies, counts in the same way.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { InvariantId } from '../simulation/types.ts';
import type { Finding } from './child.ts';
import type { Mutant } from './mutant.ts';
import { type Trial, trialsOf } from './plans.ts';

/** What became of a mutant. */
export interface Verdict {
  readonly id: string;
  readonly obligation: string;
  readonly what: string;
  /** What caught it; absent: it survived. */
  readonly caughtBy?: {
    readonly seed: number;
    readonly plan: 'directed' | 'general';
    /** The first violation, in words, and all invariants that were broken, the first first. */
    readonly violation: string;
    readonly invariants: readonly InvariantId[];
  };
  /** Plans that were run, and those of them that the product does not pass either. */
  readonly plans: number;
  readonly spoiled: number;
  /** Why it could not be judged. */
  readonly broken?: string;
  readonly seconds: number;
}

/** How hard it is tried. */
export interface Effort {
  /** Seeds of the plans that are made for the mutant. */
  readonly directed: readonly number[];
  /** Seeds of the plans of the swarm. */
  readonly general: readonly number[];
  /** How long one plan may take. */
  readonly timeoutMs: number;
}

/** A process that runs plans of one client, made again when it has died. */
class Client {
  readonly #mutant: Mutant | undefined;
  readonly #timeoutMs: number;
  #process: Promise<ChildProcess | undefined> | undefined;
  /** What the process said when it could not go on. */
  #complaint = '';

  constructor(mutant: Mutant | undefined, timeoutMs: number) {
    this.#mutant = mutant;
    this.#timeoutMs = timeoutMs;
  }

  async run(trial: Trial): Promise<Finding> {
    this.#process ??= this.#start();
    const child = await this.#process;
    if (child === undefined) return { broken: `the process did not start: ${this.#complaint}` };
    return await new Promise<Finding>((resolve) => {
      const end = (finding: Finding): void => {
        clearTimeout(timer);
        child.off('message', end);
        child.off('exit', onExit);
        resolve(finding);
      };
      const giveUp = (why: string): void => {
        this.stop();
        end({ violation: why });
      };
      const onExit = (code: number | null): void =>
        giveUp(`the process ended with ${code}: ${this.#complaint}`);
      const timer = setTimeout(() => giveUp(`no end after ${this.#timeoutMs} ms`), this.#timeoutMs);
      child.on('message', end);
      child.on('exit', onExit);
      child.send(trial);
    });
  }

  stop(): void {
    void this.#process?.then((child) => child?.kill('SIGKILL'));
    this.#process = undefined;
  }

  #start(): Promise<ChildProcess | undefined> {
    const about = this.#mutant === undefined ? [] : [JSON.stringify(this.#mutant)];
    const child = fork(join(import.meta.dirname, 'child.ts'), about, {
      execArgv: ['--conditions=ballast-source'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = /^\w*Error: .*$/m.exec(text)?.[0] ?? this.#complaint;
    });
    return new Promise((resolve) => {
      // Not `exit`: what it said may come after that.
      const onClose = (): void => resolve(undefined);
      child.once('message', () => {
        child.off('close', onClose);
        resolve(child);
      });
      child.once('close', onClose);
    });
  }
}

/** The product, which every plan that counts must leave without a violation. One plan at a time, each once. */
class Product {
  readonly #client: Client;
  readonly #known = new Map<string, Promise<boolean>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(timeoutMs: number) {
    this.#client = new Client(undefined, timeoutMs);
  }

  passes(trial: Trial): Promise<boolean> {
    const key = JSON.stringify(trial);
    let passes = this.#known.get(key);
    if (passes === undefined) {
      passes = this.#last.then(async () => {
        const { violation, broken } = await this.#client.run(trial);
        if (broken !== undefined) throw new Error(`expected the product to run, got ${broken}`);
        return violation === undefined;
      });
      this.#known.set(key, passes);
      this.#last = passes;
    }
    return passes;
  }

  stop(): void {
    this.#client.stop();
  }
}

/** Judges all of `mutants`, `workers` at a time; tells each verdict as it comes. */
export async function judge(
  mutants: readonly Mutant[],
  options: Effort & { readonly workers: number; readonly say: (verdict: Verdict) => void },
): Promise<readonly Verdict[]> {
  const product = new Product(options.timeoutMs);
  const waiting = [...mutants];
  const verdicts: Verdict[] = [];
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await judgeOne(mutant, options, product);
      verdicts.push(verdict);
      options.say(verdict);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.workers }, work));
  } finally {
    product.stop();
  }
  return verdicts;
}

/** Does a catch rest on what the mutant is meant to break? */
function rests({ breaks }: Mutant, invariants: readonly InvariantId[]): boolean {
  return breaks === undefined || breaks.some((id) => invariants.includes(id));
}

async function judgeOne(mutant: Mutant, effort: Effort, product: Product): Promise<Verdict> {
  const { id, obligation, what, hint } = mutant;
  const client = new Client(mutant, effort.timeoutMs);
  const beganAtMs = performance.now();
  let plans = 0;
  let spoiled = 0;
  const verdict = (end: Pick<Verdict, 'caughtBy' | 'broken'>): Verdict => ({
    ...{ id, obligation, what, plans, spoiled, ...end },
    seconds: Math.round((performance.now() - beganAtMs) / 100) / 10,
  });
  try {
    for (const trial of trialsOf(hint, effort)) {
      plans++;
      const { violation, invariants = [], broken } = await client.run(trial);
      if (broken !== undefined) return verdict({ broken });
      if (violation === undefined || !rests(mutant, invariants)) continue;
      const plan = trial.hint === undefined ? 'general' : 'directed';
      if (await product.passes(trial))
        return verdict({ caughtBy: { seed: trial.seed, plan, violation, invariants } });
      spoiled++;
    }
    return verdict({});
  } finally {
    client.stop();
  }
}
