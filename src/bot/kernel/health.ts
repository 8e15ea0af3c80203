/**
 * @module
 * The health vector H1 to H10 (dead-mans-switch.md) as a pure function of metrics. H1 to H9 green lets the dead man's switch
 * be renewed; one red item does not. What is not known is red, unless the run says that it does not apply. H10 is red while
 * something is halted until a person resumes it: the switch is renewed all the same, since it guards what is not halted.
 */

/** A queue, how much waits in it and how much may. */
export interface QueueDepth {
  /** Name of the queue. */
  readonly name: string;
  /** Entries that wait. */
  readonly size: number;
  /** Capacity of the queue, entries. */
  readonly sizeMax: number;
}

/** Metrics the health is evaluated from. `undefined`: not known, which is red; `'none'`: does not apply to this run. */
export interface HealthInputs {
  /** H1: age of the oldest write without a proven outcome; 0 when there is none. */
  readonly unresolvedWriteMs: number;
  /** H2: time since the last frame or pong of the private stream, and how long it has been backfilling. */
  readonly privateStreamAgeMs: number | undefined | 'none';
  /** How long history was being fetched, ms; 0: it is not. */
  readonly backfillingMs: number;
  /** H3: time since the kernel last looked after its limits. */
  readonly riskTickAgeMs: number;
  /** H4: strategies that failed and still own orders. */
  readonly ownersWithoutPulse: readonly string[];
  /** H5: why the journal cannot take a record; empty when it can. */
  readonly journalProblem: string | undefined;
  /** H6: last jump of the clock offset to the exchange. */
  readonly clockJumpMs: number | undefined | 'none';
  /** H7: markets whose position differs from the published one for too long. */
  readonly mismatchedMarkets: readonly string[];
  /** H8: event-loop delay, 99th percentile of the last 5 s. */
  readonly loopDelayP99Ms: number | undefined | 'none';
  /** H8: what waits, and the fraction of a queue's capacity above which the bot cannot keep up (denials.md M14). */
  readonly queues: readonly QueueDepth[];
  /** Fraction of a queue's capacity, 0 to 1, from which it is unhealthy. */
  readonly maxQueueUtilization: number;
  /** H9: time until the grant of the API wallets ends, and the timeout of the switch. */
  readonly grantLeftMs: number | undefined | 'none';
  readonly switchTimeoutMs: number;
  /** H10: what is halted until a person resumes it, in words. */
  readonly halts: readonly string[];
  /** See {@link Health.overload}. */
  readonly overload?: string | undefined;
  /** See {@link Health.recording}. */
  readonly recording?: string | undefined;
}

/** The metrics that come from outside the kernel. */
export type OutsideInputs = Pick<
  HealthInputs,
  | 'privateStreamAgeMs'
  | 'backfillingMs'
  | 'journalProblem'
  | 'clockJumpMs'
  | 'loopDelayP99Ms'
  | 'queues'
  | 'grantLeftMs'
  | 'overload'
  | 'recording'
  | 'switchTimeoutMs'
>;

/** Of a run without an exchange that could outlive it. */
export const NOTHING_OUTSIDE: OutsideInputs = {
  privateStreamAgeMs: 'none',
  backfillingMs: 0,
  journalProblem: undefined,
  clockJumpMs: 'none',
  loopDelayP99Ms: 'none',
  queues: [],
  grantLeftMs: 'none',
  switchTimeoutMs: 0,
};

/** One item of the vector; `reason` is empty while it is green. */
export interface HealthItem {
  /** Its name in dead-mans-switch.md. */
  readonly id: 'H1' | 'H2' | 'H3' | 'H4' | 'H5' | 'H6' | 'H7' | 'H8' | 'H9' | 'H10';
  /** True if nothing is wrong. */
  readonly isHealthy: boolean;
  /** The reason, in words. */
  readonly reason: string;
}

/** The vector. */
export interface Health {
  /** True if nothing is wrong. */
  readonly isHealthy: boolean;
  readonly items: readonly HealthItem[];
  /** In words, that market data comes faster than it is read; absent: it does not. No item is red for it. */
  readonly overload?: string;
  /** In words, why not all that happens is recorded; absent: it is, or nothing should be. No item is red for it. */
  readonly recording?: string;
}

const UNRESOLVED_MS_MAX = 5_000;
const STREAM_AGE_MS_MAX = 10_000;
const RISK_TICK_MS_MAX = 1_000;
const CLOCK_JUMP_MS_MAX = 500;
const LOOP_DELAY_MS_MAX = 500;
const GRANT_MARGIN_MS = 60_000;

/** Evaluates the metrics. */
export function evaluateHealth(inputs: HealthInputs): Health {
  const { backfillingMs, unresolvedWriteMs, riskTickAgeMs, ownersWithoutPulse, journalProblem } = inputs;
  const grantMsMin = inputs.switchTimeoutMs + GRANT_MARGIN_MS;
  const items: readonly HealthItem[] = [
    item('H1', unresolvedWriteMs <= UNRESOLVED_MS_MAX, `a write is unresolved for ${unresolvedWriteMs} ms`),
    atMost('H2', inputs.privateStreamAgeMs, {
      limit: STREAM_AGE_MS_MAX,
      what: 'private stream silent for',
    }) ?? item('H2', backfillingMs <= STREAM_AGE_MS_MAX, `backfilling for ${backfillingMs} ms`),
    item('H3', riskTickAgeMs <= RISK_TICK_MS_MAX, `limits were last looked at ${riskTickAgeMs} ms ago`),
    item('H4', ownersWithoutPulse.length === 0, `failed with orders out: ${ownersWithoutPulse.join(', ')}`),
    item('H5', journalProblem === undefined, `journal: ${journalProblem ?? ''}`),
    atMost('H6', absolute(inputs.clockJumpMs), {
      limit: CLOCK_JUMP_MS_MAX - 1,
      what: 'clock offset jumped by',
    }) ?? item('H6', true, ''),
    item(
      'H7',
      inputs.mismatchedMarkets.length === 0,
      `positions differ from the exchange's: ${inputs.mismatchedMarkets.join(', ')}`,
    ),
    atMost('H8', inputs.loopDelayP99Ms, { limit: LOOP_DELAY_MS_MAX - 1, what: 'event loop delayed by' }) ??
      fullQueue(inputs),
    inputs.grantLeftMs === 'none'
      ? item('H9', true, '')
      : item(
          'H9',
          inputs.grantLeftMs !== undefined && inputs.grantLeftMs > grantMsMin,
          `grant ends in ${inputs.grantLeftMs ?? 'unknown'} ms, ${grantMsMin} ms are needed`,
        ),
    item('H10', inputs.halts.length === 0, `halted until a person resumes it: ${inputs.halts.join('; ')}`),
  ];
  const isHealthy = items.every((one) => one.isHealthy);
  const { overload, recording } = inputs;
  return {
    ...{ isHealthy, items },
    ...(overload === undefined ? {} : { overload }),
    ...(recording === undefined ? {} : { recording }),
  };
}

/** True if the dead man's switch is not renewed while this item is red. */
function holdsSwitch({ id }: Pick<HealthItem, 'id'>): boolean {
  return id !== 'H10';
}

/** Why the switch may not be renewed, one sentence each. */
export function redReasons(health: Health): readonly string[] {
  return health.items
    .filter((one) => !one.isHealthy && holdsSwitch(one))
    .map((one) => `${one.id}: ${one.reason}`);
}

function fullQueue({ queues, maxQueueUtilization }: HealthInputs): HealthItem {
  const full = queues.find(({ size, sizeMax }) => size > sizeMax * maxQueueUtilization);
  const { name, size, sizeMax } = full ?? { name: '', size: 0, sizeMax: 0 };
  return item('H8', full === undefined, `${size} wait in the ${name}, which holds ${sizeMax}`);
}

function item(id: HealthItem['id'], isHealthy: boolean, reason: string): HealthItem {
  return { id, isHealthy, reason: isHealthy ? '' : reason };
}

/** A red item for a metric that is unknown or too large; `undefined` when there is nothing against it. */
function atMost(
  id: HealthItem['id'],
  figure: number | undefined | 'none',
  bound: { readonly limit: number; readonly what: string },
): HealthItem | undefined {
  if (figure === 'none') return undefined;
  if (figure !== undefined && figure <= bound.limit) return undefined;
  return item(
    id,
    false,
    figure === undefined ? `${bound.what}: not known` : `${bound.what} ${Math.round(figure)} ms`,
  );
}

function absolute(figure: number | undefined | 'none'): number | undefined | 'none' {
  return typeof figure === 'number' ? Math.abs(figure) : figure;
}
