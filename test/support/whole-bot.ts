/**
 * @module
 * A whole bot on virtual time with an oracle beside it that looks at nothing but the log and the venue of the exchange
 * (test/simulation/oracles/README.md), and the disturbances that a plan can hold.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProven } from '../../src/bot/live/index.ts';
import type {
  InProcessRun,
  InProcessRunOptions,
  InProcessWorld,
} from '../../src/cli/compose/in-process-run.ts';
import { runInProcess } from '../../src/cli/compose/index.ts';
import { type ConfigSource, parseConfig } from '../../src/config/index.ts';
import type { Address } from '../../src/domain/index.ts';
import { ticks } from '../../src/domain/index.ts';
import type { RequestFault } from '../../src/exchange/index.ts';

/** What the oracle found: what must never happen, and what happened. */
export interface Observed {
  /** Breaks of invariants in words; empty when all hold. */
  readonly breaks: readonly string[];
  /** Ids of all fills of the account in the order of the log, since the last change of epoch. */
  readonly fillIds: readonly string[];
  /** Block times at which the switch was set to a time ahead. */
  readonly armedAtMs: readonly number[];
  /** How often the venue fired the switch. */
  readonly fired: number;
  /** Block times of accepted orders. */
  readonly placedAtMs: readonly number[];
  /** Executed and rejected writes of API wallets. */
  readonly writes: number;
  /** API wallets of the bot in the order of their approval: trading first, the safety wallet last. */
  readonly agents: readonly Address[];
  /** Open orders and signed position in lots of the first market, when the run was over. */
  atEnd(): { readonly openOrders: number; readonly lots: number };
}

/** A run with what the oracle saw. */
export interface ObservedRun extends InProcessRun {
  readonly observed: Observed;
  readonly world: InProcessWorld;
}

/** Which run it is; the configuration is the demo's unless another is named. */
export interface WholeBotOptions extends Omit<InProcessRunOptions, 'source' | 'prepare'> {
  readonly config?: string;
  /** Changes its text. */
  readonly edit?: (yaml: string) => string;
  readonly prepare?: (world: InProcessWorld, observed: Observed) => void;
}

/** The longest the switch may be set ahead: its timeout, and a block by which the clocks may differ. */
const SWITCH_MS_MAX = 20_000 + 200;

/** Runs the demo's configuration, or another of `configs`, under the oracle. */
export async function runWholeBot(options: WholeBotOptions): Promise<ObservedRun> {
  const { config = 'demo', edit = (yaml) => yaml, prepare, ...rest } = options;
  const file = join(import.meta.dirname, '..', '..', 'configs', `${config}.yaml`);
  let seen: { observed: Observed; world: InProcessWorld } | undefined;
  const source = parseConfig(edit(readFileSync(file, 'utf8')), file);
  const run = await runInProcess({
    ...rest,
    source,
    prepare: (world) => {
      seen = { observed: observe(world, leverageIn(source, world)), world };
      prepare?.(world, seen.observed);
    },
  });
  if (seen === undefined) throw new Error('expected the world to be shown');
  return { ...run, ...seen };
}

/** What is wrong with the end of a run and with its way there; empty: everything is proven (invariants I1 to I13). */
export function problemsOf({ report, observed, fills }: ObservedRun): readonly string[] {
  const problems = [...observed.breaks, ...report.differences];
  if (!isProven(report)) {
    const { openOrders, unresolved, reconciled, ledgerResidual } = report;
    problems.push(`not proven: ${JSON.stringify({ openOrders, unresolved, reconciled, ledgerResidual })}`);
  }
  if (report.stopReason !== 'time limit') problems.push(`stopped by ${report.stopReason}`);
  const { openOrders } = observed.atEnd();
  if (openOrders > 0) problems.push(`${openOrders} orders rest at the venue`);
  const own = fills.map(({ id }) => String(id)).sort();
  if (own.join() !== [...observed.fillIds].sort().join())
    problems.push(`${own.length} fills here, ${observed.fillIds.length} in the log, not the same ones (I1)`);
  return problems;
}

/** Virtual time of the start of a run, in Unix ms. */
export function startOf({ clock }: InProcessWorld): number {
  return clock.nowMs() - clock.monotonicMs();
}

/** Initial margin in ppm by number of the market, of those whose leverage is configured. */
function leverageIn({ config }: ConfigSource, { exchange }: InProcessWorld): ReadonlyMap<number, number> {
  const numbers = new Map(
    exchange.settings.markets.map(({ market }) => [market.symbol, market.signingMarketId]),
  );
  return new Map(
    config.markets.flatMap(({ symbol, leverage }) => {
      const number = numbers.get(symbol);
      return leverage === undefined || number === undefined
        ? []
        : [[number, Math.floor(1_000_000 / leverage)] as const];
    }),
  );
}

/** Looks at each entry of the exchange's log. */
function observe(
  { exchange, clock, accountId }: InProcessWorld,
  wanted: ReadonlyMap<number, number>,
): Observed {
  const { venue } = exchange.control;
  const breaks: string[] = [];
  const fillIds: string[] = [];
  const armedAtMs: number[] = [];
  const placedAtMs: number[] = [];
  const usedNonces = new Map<string, bigint>();
  const labels = new Set<string>();
  const leverage = new Map<number, number>();
  const agents: Address[] = [];
  let fired = 0;
  let writes = 0;
  const note = (what: string): void => {
    if (breaks.length < 20) breaks.push(`${clock.monotonicMs()} ms: ${what}`);
  };
  exchange.control.watch(({ events, receipt }, entry, at) => {
    if (entry.kind === 'epoch') fillIds.length = 0;
    for (const event of events) {
      switch (event.kind) {
        case 'Fill':
          for (const side of [event.maker, event.taker])
            if (side.account === accountId) fillIds.push(`${event.seq}-${event.sub}-${event.idx}`);
          break;
        case 'ScheduleCancelSet':
          if (event.account === accountId && event.triggerMs > at.blockAtMs) armedAtMs.push(at.blockAtMs);
          break;
        case 'ScheduleCancelFired':
          if (event.account === accountId) fired++;
          break;
        case 'AgentApproved':
          if (event.account === accountId) agents.push(event.agent);
          break;
        case 'LeverageSet':
          if (event.account === accountId) leverage.set(event.market, event.customImfPpm);
          break;
        case 'OrderAccepted': {
          const { account, market } = event.order;
          if (account !== accountId) break;
          placedAtMs.push(at.blockAtMs);
          if (leverage.get(market) !== wanted.get(market))
            note(`an order in market ${market} with ${leverage.get(market)} ppm of margin set (I10)`);
          break;
        }
        default:
          break;
      }
    }
    if (receipt?.request.operation.account === accountId && receipt.nonceConsumed) {
      const { scope, request } = receipt;
      writes++;
      const before = usedNonces.get(scope);
      if (before !== undefined && request.nonce !== before + 1n)
        note(`nonce ${request.nonce} of ${scope} after ${before} (I7)`);
      usedNonces.set(scope, request.nonce);
      for (const item of receipt.items) {
        const label = item.kind === 'place' ? request.clientOrderIds[item.inputIndex] : undefined;
        if (label === undefined || item.state !== 'accepted') continue;
        if (labels.has(label)) note(`client order id ${label} twice (I5)`);
        labels.add(label);
      }
    }
    // A position of the log that changes nothing of ours need not be looked at again.
    if (entry.kind !== 'block' && receipt === undefined) return;
    if (venue.openOrders(accountId).length === 0) return;
    const leftMs = venue.account(accountId).scheduleCancelAtMs - at.blockAtMs;
    if (leftMs <= 0) note('an order rests and the switch is not armed (I11)');
    else if (leftMs > SWITCH_MS_MAX) note(`the switch is set ${leftMs} ms ahead (I11)`);
  });
  return {
    breaks,
    fillIds,
    armedAtMs,
    placedAtMs,
    agents,
    get fired() {
      return fired;
    },
    get writes() {
      return writes;
    },
    atEnd: () => ({
      openOrders: venue.openOrders(accountId).length,
      lots: venue.positions(accountId).find(({ market }) => market === 0)?.lots ?? 0,
    }),
  };
}

/** One disturbance of a plan. Times in ms of virtual time after the start of the run. */
export interface Disturbance {
  readonly kind: DisturbanceKind;
  readonly atMs: number;
  readonly forMs: number;
  /** How hard it is, above 0 and up to 1: a share of requests, or of a longest delay. */
  readonly strength: number;
}

/** The kinds of disturbances, named after what goes wrong. */
export const DISTURBANCES = [
  'answers lost after commit',
  'requests lost',
  'requests late after loss',
  'answers delayed',
  'requests delivered twice',
  'errors before commit',
  'errors after commit',
  'garbage after commit',
  'reads fail',
  'streams cut',
  'frames dropped, then lagged',
  'lagged',
  'new epoch',
  'replica lag',
  'results pending',
  'budget exhausted',
  'history gaps',
  'market paused',
  'index price jumps',
] as const;

/** See {@link DISTURBANCES}. */
export type DisturbanceKind = (typeof DISTURBANCES)[number];

/** The least replica lag: an exchange made for disturbances has a replica. */
export const DISTURBED_SETTINGS = { replicaLagMs: 1 } as const;

const DELAY_MS_MAX = 6_000;
const LAG_MS_MAX = 10_000;
const JUMP_SHARE_MAX = 0.05;

/** Puts the disturbances of a plan on the clock of a world. */
export function disturb(world: InProcessWorld, plan: readonly Disturbance[]): void {
  plan.forEach((disturbance, at) => {
    world.clock.after(disturbance.atMs, () => {
      const undo = begin(world, disturbance, at);
      if (undo !== undefined) world.clock.after(disturbance.forMs, undo);
    });
  });
}

/** Begins a disturbance; gives what ends it, where it does not end on its own. */
function begin(world: InProcessWorld, disturbance: Disturbance, at: number): (() => void) | undefined {
  const { exchange } = world;
  const { control } = exchange;
  const { kind, strength } = disturbance;
  const fault = faultOf(disturbance);
  if (fault !== undefined) {
    hit(world, disturbance, { at, fault, method: kind === 'reads fail' ? 'GET' : 'POST' });
    return undefined;
  }
  const bucket = strength > 0.5 ? 'ip' : 'account';
  switch (kind) {
    case 'streams cut':
      control.disconnect();
      return undefined;
    case 'frames dropped, then lagged':
      control.dropFrames();
      return () => control.lagStreams({ dropped: 3 });
    case 'lagged':
      control.lagStreams({ dropped: 7 });
      return undefined;
    case 'new epoch':
      control.epoch({ epoch: `epoch-${at}`, keepStreams: strength > 0.5 });
      return undefined;
    case 'replica lag':
      control.replicaLag({ lag: Math.ceil(strength * LAG_MS_MAX) });
      return () => control.replicaLag({ lag: DISTURBED_SETTINGS.replicaLagMs });
    case 'results pending':
      control.durabilityLag({ lag: Math.ceil(strength * LAG_MS_MAX) });
      return () => control.durabilityLag({ lag: 0 });
    case 'budget exhausted':
      control.rateLimit({ bucket, quota: 1 });
      return () => control.rateLimit({ bucket, quota: exchange.settings.ipWeightLimit });
    case 'history gaps':
      control.historyGaps({ gaps: [{ first: Math.max(1, exchange.seq - 200), last: exchange.seq }] });
      return () => control.historyGaps({ gaps: [] });
    case 'market paused':
      control.marketStatus({ symbol: 'BTC-USD', status: 'Paused' });
      return () => control.marketStatus({ symbol: 'BTC-USD', status: 'Active' });
    case 'index price jumps': {
      const { indexTicks } = control.venue.marketView(0);
      control.price({
        symbol: 'BTC-USD',
        price: ticks(Math.round(indexTicks * (1 + strength * JUMP_SHARE_MAX))),
      });
      return () => control.price({ symbol: 'BTC-USD', price: ticks(indexTicks) });
    }
    default:
      throw new Error(`expected a disturbance with an effect, got ${kind}`);
  }
}

/** What a disturbance does to single requests; `undefined`: it is of another kind. */
function faultOf({ kind, strength }: Disturbance): RequestFault | undefined {
  const delayMs = Math.ceil(strength * DELAY_MS_MAX);
  switch (kind) {
    case 'answers lost after commit':
      return { kind: 'dropResponse' };
    case 'requests lost':
      return { kind: 'dropRequest' };
    case 'requests late after loss':
      return { kind: 'deliverAfterTimeout', delayMs };
    case 'answers delayed':
      return { kind: 'delayResponse', delayMs };
    case 'requests delivered twice':
      return { kind: 'deliverTwice' };
    case 'errors before commit':
    case 'reads fail':
      return { kind: 'answer', answer: page(503) };
    case 'errors after commit':
      return { kind: 'replaceResponse', answer: page(502) };
    case 'garbage after commit':
      return { kind: 'replaceResponse', answer: page(200) };
    default:
      return undefined;
  }
}

/** Disturbs a share of the requests until the time of the disturbance is over. */
function hit(
  { exchange, clock, random }: InProcessWorld,
  { forMs, strength }: Disturbance,
  { at, fault, method }: { at: number; fault: RequestFault; method: string },
): void {
  const chance = random.fork(`disturbance ${at}`);
  const untilMs = clock.monotonicMs() + forMs;
  exchange.control.disturb({
    fault,
    times: Number.POSITIVE_INFINITY,
    matches: (request) =>
      request.method === method && clock.monotonicMs() < untilMs && chance.chance(strength),
  });
}

/** The page of a proxy. */
function page(status: number) {
  return { status, headers: { 'content-type': 'text/html' }, body: '<html>not the exchange</html>' };
}
