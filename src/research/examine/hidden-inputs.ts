/**
 * @module
 * What a strategy must not use, for a run with it cannot be repeated: the clock of the machine, randomness without a seed,
 * timers of the process, the network, files. While a strategy runs, each of them is watched; it works as ever. What this
 * does not do: hold a strategy back; code that hides well is not found.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** The kinds of hidden inputs. */
export const HIDDEN_KINDS = ['clock', 'randomness', 'timer', 'network', 'file'] as const;
/** One of {@link HIDDEN_KINDS}. */
export type HiddenKind = (typeof HIDDEN_KINDS)[number];

/** What is watched, by kind: the owner, and names of its functions. `''`: global. */
const WATCHED: readonly (readonly [HiddenKind, string, readonly string[]])[] = [
  ['clock', 'Date', ['now']],
  ['clock', 'performance', ['now']],
  ['clock', 'process', ['hrtime', 'uptime']],
  ['randomness', 'Math', ['random']],
  ['randomness', 'crypto', ['getRandomValues', 'randomUUID']],
  [
    'randomness',
    'node:crypto',
    ['randomBytes', 'randomInt', 'randomUUID', 'getRandomValues', 'randomFillSync'],
  ],
  ['timer', '', ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']],
  ['timer', 'process', ['nextTick']],
  ['timer', 'node:timers', ['setTimeout', 'setInterval', 'setImmediate']],
  ['timer', 'node:timers/promises', ['setTimeout', 'setInterval', 'setImmediate']],
  ['network', '', ['fetch', 'WebSocket']],
  ['network', 'node:http', ['request', 'get']],
  ['network', 'node:https', ['request', 'get']],
  ['network', 'node:net', ['connect', 'createConnection', 'createServer']],
  ['network', 'node:dgram', ['createSocket']],
  ['network', 'node:dns', ['lookup', 'resolve']],
  [
    'network',
    'node:child_process',
    ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'],
  ],
  [
    'file',
    'node:fs',
    [
      'readFileSync',
      'writeFileSync',
      'appendFileSync',
      'openSync',
      'readFile',
      'writeFile',
      'appendFile',
      'open',
    ].concat(['createReadStream', 'createWriteStream', 'existsSync', 'readdirSync', 'statSync']),
  ],
  ['file', 'node:fs/promises', ['readFile', 'writeFile', 'appendFile', 'open', 'readdir', 'stat']],
];

type Anything = (...values: readonly unknown[]) => unknown;
type Owner = Record<string, unknown>;

/** Installed now. */
const installed = new Set<HiddenInputs>();

/** Removes what code that was ended has left installed. */
export function removeHiddenInputs(): void {
  for (const one of [...installed].reverse()) one.remove();
}

/** Watches from {@link install} to {@link remove}, while code of a strategy runs. */
export class HiddenInputs {
  readonly #onUse: (kind: HiddenKind, name: string) => void;
  readonly #undo: (() => void)[] = [];
  readonly #require = createRequire(import.meta.url);
  #depth = 0;
  /** Folders whose code is a strategy's, though no handler runs: those of modules that load. */
  #loading: readonly string[] = [];

  constructor(onUse: (kind: HiddenKind, name: string) => void) {
    this.#onUse = onUse;
  }

  /** Runs code of a strategy. */
  within<T>(run: () => T): T {
    this.#depth++;
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }

  /** From now on code in these folders, as URLs, is a strategy's. */
  set loading(folders: readonly string[]) {
    this.#loading = folders;
  }

  install(): void {
    installed.add(this);
    for (const [kind, owner, names] of WATCHED) {
      const object = owner.startsWith('node:')
        ? this.#require(owner)
        : owner === ''
          ? globalThis
          : Reflect.get(globalThis, owner);
      for (const name of names)
        this.#watch(kind, object as Owner, name, owner === '' ? name : `${owner}.${name}`);
    }
    this.#watchDate();
    // `import { readFileSync } from 'node:fs'` is to be seen too.
    syncBuiltinESMExports();
  }

  remove(): void {
    installed.delete(this);
    for (const undo of this.#undo.splice(0).reverse()) undo();
    syncBuiltinESMExports();
  }

  #watch(kind: HiddenKind, owner: Owner, name: string, label: string): void {
    const original = owner[name];
    if (typeof original !== 'function') return;
    const seen = () => this.#seen(kind, label);
    const watched = new Proxy(original as Anything, {
      apply: (target, self, given) => {
        seen();
        return Reflect.apply(target, self, given);
      },
      construct: (target, given) => {
        seen();
        return Reflect.construct(target, given) as object;
      },
    });
    this.#put(owner, name, watched);
  }

  /** `new Date()` and `Date()` are the clock, `new Date(ms)` is not. */
  #watchDate(): void {
    const seen = () => this.#seen('clock', 'new Date()');
    const watched = new Proxy(Date, {
      apply: (target, self, given) => {
        seen();
        return Reflect.apply(target, self, given);
      },
      construct: (target, given, as) => {
        if (given.length === 0) seen();
        return Reflect.construct(target, given, as) as object;
      },
    });
    this.#put(globalThis as unknown as Owner, 'Date', watched);
  }

  #put(owner: Owner, name: string, value: unknown): void {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    if (own?.configurable === false && own.writable !== true) return;
    Object.defineProperty(owner, name, {
      value,
      configurable: true,
      writable: true,
      enumerable: own?.enumerable ?? true,
    });
    this.#undo.push(() => {
      if (own === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, own);
    });
  }

  #seen(kind: HiddenKind, name: string): void {
    if (this.#depth > 0) {
      this.#onUse(kind, name);
      return;
    }
    if (this.#loading.length === 0) return;
    // Frames of ours are not the strategy's: the first one beside the watch decides.
    const [, caller = ''] = (new Error('where').stack ?? '')
      .split('\n')
      .filter((line) => !line.includes('hidden-inputs'));
    if (this.#loading.some((folder) => caller.includes(folder))) this.#onUse(kind, name);
  }
}
