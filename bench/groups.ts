/** @module What is measured together: each group runs in a process of its own. */
import type { GroupResult } from './goal.ts';
import type { Effort } from './measure.ts';

/** Goals that share cases, and how they are measured. Loaded when their turn comes. */
export interface Group {
  readonly name: string;
  /** Plain ids; `G1` stands for `G1.wasm` and `G1.noble` too. What has a group of its own is named whole. */
  readonly goals: readonly string[];
  measure(effort: Effort): Promise<GroupResult>;
  /** Options of Node for its process, as bin/ballast.mjs gives them to the commands it is about. */
  readonly nodeOptions?: readonly string[];
  /**
   * Among how many processes, one after the other, its rounds are shared out; one if it is absent. Where what the compiler
   * and the memory happen to come to weighs as much as the goal leaves, a single process says little.
   */
  readonly processes?: number;
  /** It takes longer than all others: left out where `--only` does not name it. */
  readonly isLong?: boolean;
}

/** As bin/ballast.mjs starts a command over a tape: a small young generation, whole from the beginning (decision 0019). */
export const YOUNG_AT_ONCE = ['--max-semi-space-size=16', '--min-semi-space-size=16'];

/** All groups, in the order in which they run. */
export const GROUPS: readonly Group[] = [
  {
    name: 'signing',
    goals: ['G1', 'G21'],
    measure: async (effort) => (await import('./goals/signing.ts')).signing(effort),
  },
  {
    name: 'digest',
    goals: ['G2'],
    measure: async (effort) => (await import('./goals/signing.ts')).digest(effort),
  },
  {
    name: 'exchange-action',
    goals: ['G3'],
    measure: async (effort) => (await import('./goals/exchange-action.ts')).exchangeAction(effort),
  },
  {
    name: 'book-frame',
    goals: ['G4'],
    measure: async (effort) => (await import('./goals/book-frame.ts')).frameToBook(effort),
  },
  {
    name: 'tick-to-order',
    goals: ['G5'],
    measure: async (effort) => (await import('./goals/tick-to-order/tick-to-order.ts')).tickToOrder(effort),
  },
  {
    name: 'tick-costs',
    goals: ['G6', 'G7'],
    measure: async (effort) => (await import('./goals/tick-to-order/tick-costs.ts')).tickCosts(effort),
  },
  {
    name: 'many-markets',
    goals: ['LOAD'],
    measure: async (effort) => (await import('./goals/many-markets/many-markets.ts')).manyMarkets(effort),
  },
  {
    name: 'load-hold',
    goals: ['LOAD.hold'],
    isLong: true,
    measure: async (effort) => (await import('./goals/many-markets/load-hold.ts')).loadHold(effort),
  },
  {
    name: 'recorded-markets',
    goals: ['LOAD.record'],
    measure: async (effort) => (await import('./goals/many-markets/recorded.ts')).recordedMarkets(effort),
  },
  {
    name: 'scale',
    goals: ['SCALE'],
    measure: async (effort) => (await import('./goals/many-markets/scale.ts')).scale(effort),
  },
  {
    name: 'stream-layer',
    goals: ['G16'],
    measure: async (effort) => (await import('./goals/many-markets/stream-layer.ts')).streamLayer(effort),
  },
  {
    name: 'post',
    goals: ['G8'],
    measure: async (effort) => (await import('./goals/post.ts')).post(effort),
  },
  {
    name: 'matching',
    goals: ['G12'],
    measure: async (effort) => (await import('./goals/matching.ts')).matching(effort),
  },
  {
    name: 'level-book',
    goals: ['G13'],
    measure: async (effort) => (await import('./goals/level-book.ts')).levelBook(effort),
  },
  {
    name: 'replay-file',
    goals: ['G9'],
    nodeOptions: YOUNG_AT_ONCE,
    processes: 5,
    measure: async (effort) => (await import('./goals/backtest/replay-file.ts')).replayFile(effort),
  },
  {
    name: 'backtest',
    goals: ['G10'],
    nodeOptions: YOUNG_AT_ONCE,
    processes: 5,
    measure: async (effort) => (await import('./goals/backtest/backtest-memory.ts')).backtestInMemory(effort),
  },
  {
    name: 'recorded-hours',
    goals: ['G10.hours'],
    measure: async (effort) => (await import('./goals/backtest/recorded-hours.ts')).recordedHours(effort),
  },
  {
    name: 'bars',
    goals: ['G11'],
    measure: async (effort) => (await import('./goals/backtest/bars.ts')).bars(effort),
  },
  {
    name: 'flat-memory',
    goals: ['G17'],
    nodeOptions: YOUNG_AT_ONCE,
    measure: async () => (await import('./goals/backtest/flat-memory.ts')).flatMemory(),
  },
  {
    name: 'sweep-scale',
    goals: ['SWEEP'],
    measure: async () => (await import('./goals/sweep-scale.ts')).sweepScale(),
  },
  {
    name: 'embedded-exchange',
    goals: ['G14'],
    measure: async (effort) => (await import('./goals/embedded-exchange.ts')).embeddedExchange(effort),
  },
  {
    name: 'exchange-over-http',
    goals: ['G15'],
    measure: async (effort) => (await import('./goals/exchange-over-http.ts')).exchangeOverHttp(effort),
  },
  {
    name: 'soak',
    goals: ['G18'],
    measure: async (effort) => (await import('./goals/soak/soak.ts')).soak(effort),
  },
  {
    name: 'cold-start',
    goals: ['G19'],
    measure: async (effort) => (await import('./goals/cold-start/cold-start.ts')).coldStart(effort),
  },
  {
    name: 'heartbeat',
    goals: ['G20'],
    measure: async (effort) => (await import('./goals/heartbeat.ts')).heartbeat(effort),
  },
  {
    name: 'door',
    goals: ['DOOR'],
    measure: async (effort) => (await import('./goals/door.ts')).door(effort),
  },
];
