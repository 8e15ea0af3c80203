/**
 * The house rules as data (house 5.4, decisions "Doors of packages"). Change a row together with
 * docs/architecture.md, and say why there.
 */

/** Room → rooms it may import. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  domain: ['core'],
  crypto: ['core'],
  telemetry: ['core', 'domain'],
  protocol: ['core', 'domain', 'crypto'],
  strategy: ['core', 'domain'],
  venue: ['core', 'domain'],
  journal: ['core', 'domain'],
  risk: ['core', 'domain'],
  gateway: ['core', 'domain', 'crypto', 'protocol'],
  stream: ['core', 'domain', 'protocol'],
  execution: ['core', 'domain', 'protocol'],
  tape: ['core', 'domain', 'protocol'],
  simulator: ['core', 'domain', 'crypto', 'protocol', 'venue'],
  client: ['core', 'domain', 'crypto', 'protocol', 'journal', 'gateway', 'stream', 'execution'],
  runtime: ['core', 'domain', 'strategy', 'stream', 'risk', 'execution'],
  backtest: ['core', 'domain', 'strategy', 'venue', 'tape', 'risk', 'execution', 'runtime'],
  report: ['core', 'domain', 'tape', 'journal'],
  config: ['core', 'domain', 'crypto', 'strategy'],
  app: [
    'core',
    'domain',
    'crypto',
    'telemetry',
    'protocol',
    'strategy',
    'venue',
    'journal',
    'gateway',
    'stream',
    'risk',
    'execution',
    'tape',
    'simulator',
    'runtime',
    'backtest',
    'report',
    'config',
  ],
  conformance: ['core', 'domain', 'crypto', 'protocol', 'gateway', 'client'],
  cli: ['core', 'domain', 'config', 'report', 'telemetry', 'client', 'conformance', 'app'],
};

/** Package → rooms that may import it. Built-in modules are listed where a rule names them. */
export const PACKAGE_DOORS: Readonly<Record<string, readonly string[]>> = {
  viem: ['crypto', 'gateway'],
  'viem/accounts': ['crypto', 'gateway'],
  'secp256k1/bindings': ['crypto'],
  'tiny-secp256k1': ['crypto'],
  'hash-wasm': ['crypto'],
  '@noble/curves': ['crypto'],
  '@noble/hashes': ['crypto'],
  undici: ['gateway'],
  ws: ['gateway', 'simulator'],
  'node:sqlite': ['journal'],
  zod: ['config', 'strategy', 'protocol'],
  'decimal.js': ['core', 'report'],
  'apache-arrow': ['tape'],
  uplot: ['report'],
  bullmq: ['backtest'],
  ioredis: ['backtest'],
  '@duckdb/node-api': ['tape'],
  yaml: ['config', 'simulator', 'conformance'],
  pino: ['telemetry'],
  'pino-pretty': ['telemetry'],
  yargs: ['cli'],
  'node:fs': [
    'core',
    'tape',
    'journal',
    'config',
    'report',
    'cli',
    'app',
    'runtime',
    'telemetry',
    'simulator',
    'conformance',
  ],
  'node:fs/promises': ['tape', 'journal', 'config', 'cli', 'app', 'runtime', 'telemetry', 'simulator'],
  'node:child_process': ['app', 'cli'],
  'node:worker_threads': ['journal', 'backtest', 'app'],
  'node:http': ['simulator'],
  'node:net': ['simulator'],
};

/** Built-in modules without a rule of their own: pure helpers of the platform. */
export const FREE_BUILTINS = [
  'node:crypto',
  'node:events',
  'node:module',
  'node:os',
  'node:path',
  'node:perf_hooks',
  'node:process',
  'node:readline',
  'node:stream',
  'node:timers',
  'node:tty',
  'node:url',
  'node:util',
  'node:zlib',
  'node:buffer',
  'node:assert',
];

/** Rooms of one kind of purity: no async, no I/O (rule R8). */
export const SYNCHRONOUS_ROOMS = ['domain', 'venue', 'risk', 'strategy'];

/** A call that is banned, where it is allowed all the same, and what to use instead. */
export interface BannedCall {
  readonly pattern: RegExp;
  readonly allowed: readonly string[];
  readonly instead: string;
}

export const BANNED_CALLS: readonly BannedCall[] = [
  { pattern: /\bDate\.now\(|\bnew Date\(\)/, allowed: ['src/core/clock.ts'], instead: 'a Clock' },
  {
    pattern: /\bperformance\.now\(|\bhrtime\b/,
    allowed: ['src/core/clock.ts'],
    instead: 'Clock.monotonicMs',
  },
  {
    pattern: /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\(/,
    allowed: ['src/core/clock.ts'],
    instead: 'Clock.after, Clock.every, Clock.soon',
  },
  {
    pattern: /\bMath\.random\(|\brandomUUID\b|^import [^;]*\brandomBytes\b|\bgetRandomValues\b/,
    allowed: ['src/core/random.ts'],
    instead: 'a Random, or secureBytes for keys',
  },
  { pattern: /\bprocess\.env\b/, allowed: ['src/config/env.ts'], instead: 'config/env' },
  {
    pattern: /\bmkdir(?:Sync)?\(/,
    allowed: ['src/core/folder.ts'],
    instead: "core's makeFolder: with `recursive` Node never comes back from a place below /proc",
  },
  { pattern: /\bparseFloat\(/, allowed: [], instead: 'parseScaled' },
  { pattern: /\bfetch\(/, allowed: [], instead: 'undici request (decision A4)' },
  {
    pattern: /\bconsole\.(?:log|info|warn|error)\(/,
    allowed: [],
    instead: 'a Log, or process.stdout in cli',
  },
  { pattern: /catch\s*(?:\([^)]*\))?\s*\{\s*\}/, allowed: [], instead: 'handling or rethrowing' },
  { pattern: /\bexport\s+\*/, allowed: [], instead: 'explicit named exports (rule R3)' },
  { pattern: /\bTODO\b|\bFIXME\b|\bXXX\b/, allowed: [], instead: 'doing it, or an issue' },
];

/** Hard limits (house 8.7). */
export const FILE_LINES_MAX = 400;

/** The few exceptions, by rule. This list may only shrink: the test holds the count. */
export const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  fileLines: [],
  cycles: [],
  undocumented: [],
  bannedCalls: [],
};
