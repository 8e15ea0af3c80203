/**
 * The house rules as data. Change a row together with docs/architecture.md, and say why there.
 */

/** A room: a folder of `src` with one purpose and one front door, its `index.ts`. */
export interface Room {
  /** Imports go to lower floors only. */
  readonly floor: number;
  readonly mayImport: readonly string[];
  /** No `async`, no `await`, no promise (rule R8). */
  readonly isSynchronous?: true;
}

/** Room → its floor and the rooms of lower floors that it may import (values and types). */
export const ROOMS: Readonly<Record<string, Room>> = {
  core: { floor: 0, mayImport: [] },
  'core/environment': { floor: 0, isSynchronous: true, mayImport: [] },
  'core/telemetry': { floor: 1, isSynchronous: true, mayImport: ['core'] },
  'core/yaml': { floor: 1, isSynchronous: true, mayImport: ['core'] },
  domain: { floor: 1, isSynchronous: true, mayImport: ['core'] },
  'wire/crypto': { floor: 1, mayImport: ['core'] },
  'bot/journal': { floor: 2, mayImport: ['core', 'domain'] },
  'bot/risk': { floor: 2, isSynchronous: true, mayImport: ['core', 'domain'] },
  'bot/strategy': { floor: 2, isSynchronous: true, mayImport: ['core', 'domain'] },
  config: { floor: 2, isSynchronous: true, mayImport: ['core', 'core/yaml', 'domain', 'wire/crypto'] },
  'exchange/engine': { floor: 2, isSynchronous: true, mayImport: ['core', 'domain'] },
  report: { floor: 2, isSynchronous: true, mayImport: ['core', 'domain'] },
  'report/collect': { floor: 2, isSynchronous: true, mayImport: ['core', 'domain'] },
  'tape/format': { floor: 2, isSynchronous: true, mayImport: ['core', 'domain'] },
  'wire/protocol': { floor: 2, isSynchronous: true, mayImport: ['core', 'domain', 'wire/crypto'] },
  'bot/execution': { floor: 3, mayImport: ['core', 'domain', 'wire/protocol'] },
  'bot/kernel': {
    floor: 3,
    isSynchronous: true,
    mayImport: ['bot/risk', 'bot/strategy', 'core', 'domain'],
  },
  'exchange/state': {
    floor: 3,
    isSynchronous: true,
    mayImport: ['core', 'domain', 'exchange/engine', 'wire/protocol'],
  },
  'research/venue': { floor: 3, isSynchronous: true, mayImport: ['core', 'domain', 'exchange/engine'] },
  'tape/importers': { floor: 3, mayImport: ['core', 'domain', 'tape/format'] },
  'tape/recorder': { floor: 3, mayImport: ['core', 'domain', 'tape/format'] },
  'tape/tools': { floor: 3, mayImport: ['core', 'tape/format'] },
  'wire/gateway': { floor: 3, mayImport: ['core', 'domain', 'wire/crypto', 'wire/protocol'] },
  'wire/stream': { floor: 3, mayImport: ['core', 'domain', 'wire/protocol'] },
  'bot/dashboard': { floor: 4, mayImport: ['bot/kernel', 'bot/risk', 'core', 'domain', 'report'] },
  'bot/explain': {
    floor: 4,
    isSynchronous: true,
    mayImport: ['bot/journal', 'bot/risk', 'core'],
  },
  'bot/setup': {
    floor: 4,
    mayImport: [
      'bot/kernel',
      'bot/risk',
      'bot/strategy',
      'config',
      'core',
      'domain',
      'wire/crypto',
      'wire/protocol',
    ],
  },
  client: {
    floor: 4,
    mayImport: [
      'bot/execution',
      'bot/journal',
      'core',
      'domain',
      'wire/crypto',
      'wire/gateway',
      'wire/protocol',
      'wire/stream',
    ],
  },
  conformance: {
    floor: 4,
    mayImport: ['core', 'core/yaml', 'domain', 'wire/crypto', 'wire/gateway', 'wire/protocol'],
  },
  'exchange/api': {
    floor: 4,
    mayImport: ['core', 'domain', 'exchange/engine', 'exchange/state', 'wire/crypto', 'wire/protocol'],
  },
  'exchange/flow': { floor: 4, mayImport: ['core', 'domain', 'exchange/engine', 'exchange/state'] },
  'bot/alerts': { floor: 6, mayImport: ['bot/operator', 'core'] },
  'bot/operator': {
    floor: 5,
    mayImport: ['bot/dashboard', 'bot/kernel', 'bot/risk', 'core', 'core/yaml', 'domain'],
  },
  'bot/replay': {
    floor: 5,
    mayImport: [
      'bot/execution',
      'bot/kernel',
      'bot/risk',
      'bot/setup',
      'bot/strategy',
      'config',
      'core',
      'domain',
    ],
  },
  'exchange/control': {
    floor: 5,
    mayImport: ['core', 'domain', 'exchange/api', 'exchange/engine', 'exchange/state', 'wire/crypto'],
  },
  'exchange/kernel': {
    floor: 6,
    mayImport: [
      'core',
      'exchange/api',
      'exchange/control',
      'exchange/engine',
      'exchange/flow',
      'exchange/state',
      'wire/crypto',
      'wire/protocol',
    ],
  },
  'bot/live': {
    floor: 7,
    mayImport: [
      'bot/alerts',
      'bot/execution',
      'bot/explain',
      'bot/journal',
      'bot/kernel',
      'bot/operator',
      'bot/replay',
      'bot/risk',
      'bot/setup',
      'config',
      'core',
      'core/environment',
      'core/telemetry',
      'domain',
      'report',
      'report/collect',
      'tape/recorder',
      'wire/crypto',
      'wire/gateway',
      'wire/protocol',
      'wire/stream',
    ],
  },
  'bot/guardian': {
    floor: 8,
    mayImport: [
      'bot/alerts',
      'bot/execution',
      'bot/live',
      'bot/operator',
      'core',
      'core/telemetry',
      'domain',
      'wire/crypto',
      'wire/protocol',
    ],
  },
  'exchange/snapshot': {
    floor: 7,
    isSynchronous: true,
    mayImport: [
      'core',
      'exchange/control',
      'exchange/flow',
      'exchange/kernel',
      'exchange/state',
      'wire/crypto',
      'wire/protocol',
    ],
  },
  'research/backtest': {
    floor: 6,
    mayImport: [
      'bot/execution',
      'bot/kernel',
      'bot/replay',
      'bot/risk',
      'bot/setup',
      'config',
      'core',
      'domain',
      'report/collect',
      'research/venue',
      'tape/format',
      'tape/recorder',
    ],
  },
  'research/bars': {
    floor: 7,
    mayImport: [
      'bot/setup',
      'bot/strategy',
      'config',
      'core',
      'domain',
      'research/backtest',
      'tape/format',
      'tape/importers',
    ],
  },
  'research/calibration': {
    floor: 7,
    mayImport: ['bot/replay', 'bot/setup', 'core', 'domain', 'research/backtest', 'research/venue'],
  },
  'research/examine': {
    floor: 7,
    mayImport: [
      'bot/execution',
      'bot/kernel',
      'bot/risk',
      'bot/setup',
      'bot/strategy',
      'config',
      'core',
      'domain',
    ],
  },
  'research/paper': {
    floor: 8,
    mayImport: [
      'bot/execution',
      'bot/kernel',
      'bot/live',
      'bot/replay',
      'bot/risk',
      'bot/setup',
      'config',
      'core',
      'core/telemetry',
      'domain',
      'report/collect',
      'research/backtest',
      'research/venue',
      'tape/recorder',
      'wire/crypto',
      'wire/gateway',
      'wire/stream',
    ],
  },
  'exchange/scenario': {
    floor: 8,
    mayImport: [
      'core',
      'core/yaml',
      'domain',
      'exchange/control',
      'exchange/engine',
      'exchange/flow',
      'exchange/kernel',
      'exchange/state',
      'wire/crypto',
    ],
  },
  'exchange/server': {
    floor: 8,
    mayImport: [
      'core',
      'exchange/api',
      'exchange/control',
      'exchange/kernel',
      'exchange/snapshot',
      'exchange/state',
      'wire/crypto',
      'wire/protocol',
    ],
  },
  'research/sql': {
    floor: 5,
    mayImport: ['bot/explain', 'bot/journal', 'core', 'domain', 'report', 'tape/tools'],
  },
  'research/sweep': {
    floor: 8,
    mayImport: [
      'bot/setup',
      'bot/strategy',
      'config',
      'core',
      'domain',
      'report',
      'research/backtest',
      'research/bars',
      'tape/format',
    ],
  },
  testing: {
    floor: 8,
    mayImport: ['bot/strategy', 'config', 'core', 'domain', 'research/backtest', 'research/examine'],
  },
  exchange: {
    floor: 9,
    mayImport: [
      'core',
      'exchange/api',
      'exchange/control',
      'exchange/flow',
      'exchange/kernel',
      'exchange/scenario',
      'exchange/server',
      'exchange/state',
    ],
  },
  'exchange/host': {
    floor: 9,
    mayImport: [
      'core',
      'domain',
      'exchange/control',
      'exchange/flow',
      'exchange/kernel',
      'exchange/scenario',
      'exchange/server',
      'exchange/state',
      'tape/format',
      'wire/crypto',
    ],
  },
  'cli/compose': {
    floor: 10,
    mayImport: [
      'bot/journal',
      'bot/live',
      'bot/replay',
      'bot/setup',
      'config',
      'core',
      'domain',
      'exchange/control',
      'exchange/engine',
      'exchange/host',
      'exchange/kernel',
      'exchange/server',
      'exchange/state',
      'wire/crypto',
      'wire/gateway',
    ],
  },
  cli: {
    floor: 11,
    mayImport: [
      'bot/alerts',
      'bot/explain',
      'bot/guardian',
      'bot/live',
      'bot/operator',
      'bot/replay',
      'bot/setup',
      'cli/compose',
      'client',
      'config',
      'conformance',
      'core',
      'core/environment',
      'core/telemetry',
      'domain',
      'exchange/host',
      'report',
      'research/backtest',
      'research/bars',
      'research/calibration',
      'research/examine',
      'research/paper',
      'research/sql',
      'research/sweep',
      'tape/format',
      'tape/importers',
      'tape/tools',
    ],
  },
};

/** Package → rooms that may import it. Built-in modules are listed where a rule names them. */
export const PACKAGE_DOORS: Readonly<Record<string, readonly string[]>> = {
  viem: ['wire/gateway'],
  'secp256k1/bindings': ['wire/crypto'],
  'tiny-secp256k1': ['wire/crypto'],
  'hash-wasm': ['wire/crypto'],
  '@noble/curves': ['wire/crypto'],
  '@noble/hashes': ['wire/crypto'],
  undici: ['bot/alerts', 'bot/operator', 'bot/setup', 'wire/gateway'],
  hono: ['bot/operator'],
  'hono/body-limit': ['bot/operator'],
  '@hono/node-server': ['bot/operator'],
  'prom-client': ['bot/operator'],
  '@hono/node-server/utils/response': ['bot/operator'],
  // Read as text, for browsers.
  preact: ['bot/dashboard'],
  htm: ['bot/dashboard'],
  ws: ['wire/gateway', 'exchange/server'],
  '@modelcontextprotocol/server': ['cli'],
  '@modelcontextprotocol/server/stdio': ['cli'],
  'node:sqlite': ['bot/journal'],
  zod: ['config', 'bot/strategy'],
  'decimal.js': ['core'],
  'apache-arrow': ['tape/format'],
  'csv-parse': ['tape/importers'],
  uplot: ['report'],
  bullmq: ['research/sweep'],
  ioredis: ['research/sweep'],
  '@duckdb/node-api': ['research/sql'],
  'hyparquet-writer': ['tape/tools'],
  yaml: ['core/yaml'],
  pino: ['core/telemetry'],
  yargs: ['cli'],
  // The rooms that keep, read or write files for people.
  'node:fs': [
    'core',
    'bot/dashboard',
    'bot/explain',
    'bot/guardian',
    'bot/journal',
    'bot/live',
    'bot/operator',
    'bot/replay',
    'bot/setup',
    'cli',
    'cli/compose',
    'config',
    'conformance',
    'exchange/host',
    'report',
    'research/sql',
    'research/sweep',
    'tape/format',
    'tape/importers',
    'tape/recorder',
    'tape/tools',
  ],
  'node:fs/promises': ['bot/live', 'tape/importers'],
  'node:inspector': ['bot/live', 'research/examine'],
  // What a module that does not compile says of itself, another process hears: nothing of it may run here.
  'node:child_process': ['bot/guardian', 'bot/setup', 'exchange/host'],
  'node:vm': ['research/examine'],
  'node:worker_threads': ['bot/dashboard', 'bot/journal', 'research/sweep', 'tape/recorder'],
  // The tunnel through an outgoing proxy, for requests and sockets alike.
  'node:http': ['exchange/server', 'wire/gateway'],
  'node:https': ['wire/gateway'],
  'node:tls': ['bot/setup', 'wire/gateway'],
  // A name of the machine that one process holds; and whether the port of a door can be had.
  'node:net': ['bot/journal', 'bot/operator', 'exchange/server', 'wire/gateway'],
};

/** Built-in modules without a rule of their own: pure helpers of the platform. */
export const FREE_BUILTINS = [
  'node:crypto',
  'node:diagnostics_channel',
  'node:events',
  'node:module',
  'node:os',
  'node:path',
  'node:perf_hooks',
  'node:process',
  'node:readline',
  'node:stream',
  'node:string_decoder',
  'node:tty',
  'node:url',
  'node:util',
  'node:v8',
  'node:zlib',
  'node:buffer',
  'node:assert',
];

/** A call that is banned, where it is allowed all the same, and what to use instead. */
export interface BannedCall {
  readonly pattern: RegExp;
  readonly allowed: readonly string[];
  readonly instead: string;
}

export const BANNED_CALLS: readonly BannedCall[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    allowed: ['src/core/clock.ts', 'src/bot/dashboard/page/browser.ts'],
    instead: 'a Clock',
  },
  {
    pattern: /\bperformance\.now\(|\bhrtime\b/,
    allowed: ['src/core/clock.ts'],
    instead: 'Clock.monotonicMs',
  },
  {
    // A timer of the machine is over at once after 2^31-1 ms: only the clock knows.
    pattern:
      /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\(|\bAbortSignal\.timeout\(|'(?:node:)?timers(?:\/promises)?'/,
    allowed: ['src/core/clock.ts', 'src/bot/dashboard/page/browser.ts'],
    instead: 'Clock.after, Clock.every, Clock.soon',
  },
  {
    pattern: /\bMath\.random\(|\brandomUUID\b|^import [^;]*\brandomBytes\b|\bgetRandomValues\b/,
    allowed: ['src/core/random.ts'],
    instead: 'a Random, or secureBytes for keys',
  },
  {
    pattern: /\bprocess\.env\b/,
    allowed: ['src/core/environment/environment.ts'],
    instead: 'core/environment',
  },
  {
    pattern: /\bmkdir(?:Sync)?\(/,
    allowed: ['src/core/folder.ts'],
    instead: "core's makeFolder: with `recursive` Node never comes back from a place below /proc",
  },
  { pattern: /\bparseFloat\(/, allowed: [], instead: 'parseScaled' },
  { pattern: /\bfetch\(/, allowed: ['src/bot/dashboard/page/browser.ts'], instead: 'undici request' },
  {
    pattern: /\bconsole\.(?:log|info|warn|error)\(/,
    allowed: [],
    instead: 'a Log, or process.stdout in cli',
  },
  { pattern: /catch\s*(?:\([^)]*\))?\s*\{\s*\}/, allowed: [], instead: 'handling or rethrowing' },
  { pattern: /\bexport\s+\*/, allowed: [], instead: 'explicit named exports (rule R3)' },
  { pattern: /\bTODO\b|\bFIXME\b|\bXXX\b/, allowed: [], instead: 'doing it, or an issue' },
];

/** A file longer than this has a reason in {@link LONG_FILES}. */
export const FILE_LINES_SMELL = 350;
/** No file is longer. */
export const FILE_LINES_MAX = 450;

/** Casts per 1,000 lines of src and strategies. This figure may only fall. */
export const CASTS_PER_1000_LINES_MAX = 7.1;

/** Why a file is one idea although it is long. A file is never cut for the figure. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'src/bot/execution/executor.ts':
    'one object owns lanes, switch and safety lane: their order at start and stop is one story',
  'src/bot/execution/lane.ts':
    'the state machine of one write at a time; cut in two, each half would need the state of the other',
  'src/bot/kernel/bot.ts': 'joins every part of the kernel once; its length is the list of parts',
  'src/bot/kernel/intent-router.ts': 'one way for all intents of a turn, with the refusals beside the rules',
  'src/bot/kernel/kernel.ts': 'what one turn does, in its order',
  'src/config/sections.ts': 'every key of a configuration with its words, in the order of the file',
  'src/bot/live/live-bot.ts': 'joins gateway, streams, lanes and kernel; its length is the list of parts',
  'src/bot/kernel/status.ts':
    'the document of a run at one instant: its types with their documentation, and its makers',
  'src/bot/strategy/algos/bracket.ts':
    'the state machine of an entry and its exits: each step looks at all orders of the bracket',
  'src/wire/stream/account/exchange-audit.ts':
    'the steps of one audit in their order: states, histories, what differs, what is believed after that',
  'src/client/streams/channels.ts': 'one table of channels with the example of each',
  'src/domain/order-store.ts': 'one rule per fact about orders: the table is the file',
  'src/domain/account-state.ts': 'the one writer of the account: each fact has its case',
  'src/domain/order-tracker.ts': 'every way in which an order may be seen, in one place',
  'src/exchange/control/control-target.ts': 'what the actions work on; an action is a row elsewhere',
  'src/exchange/engine/types.ts': 'types of the engine with their documentation, no logic',
  'src/exchange/state/exchange-state.ts': 'the one order in which the exchange changes',
  'src/report/report-document.ts': 'the document of a run, section by section',
  'src/research/examine/stage-venue.ts':
    'a whole venue for scenarios: what becomes of an order on its way, in the book and outside of it is one story',
  'src/research/venue/create-local-venue.ts': 'joins the simulated venue; its length is the list of parts',
  'src/research/venue/level-matcher.ts':
    'hot path of a backtest: kept in one file for the compiler (`npm run bench -- --only G10`)',
  'src/research/venue/local-account.ts': 'margin, fees and funding of one account: they change together',
  'src/wire/stream/account/resync.ts': 'the state machine of a resync',
  'src/wire/stream/stream-connection.ts': 'the state machine of a connection',
};
