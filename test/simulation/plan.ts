/**
 * @module
 * The plan of a seed: what the world is like and what may go wrong in it. Swarm testing: each fault is off in half of the
 * seeds, so that its combinations with others vary; the weights of the others are drawn.
 */
import { must, type Random, seededRandom } from '../../src/core/index.ts';
import { type ExchangeSettings, type PerpetualSpec, perpetual } from '../../src/exchange/index.ts';
import { drawAmbiguities } from './ambiguities.ts';
import type { Fault, FaultId, SimulationPlan } from './types.ts';

/** Share of the seeds without any fault: nothing may raise an alarm there (I28). */
const FAULTLESS_SHARE = 0.04;
/** Share of the seeds with real signatures. */
const REAL_SHARE = 0.01;
const OFF_SHARE = 0.5;
const DRIFT_OF_WEIGHT = 4;
/** Share of the seeds in which hostile strategies live beside the quiet one, and the faults that need them. */
const COMPANY_SHARE = 0.1;
/** Kinds of worlds by what lives in them: files in test/simulation/configs. */
export const WORLDS = ['calm', 'patient', 'company', 'fleet'] as const;
/** Share of the seeds with several strategies in two markets by two wallets. */
const FLEET_SHARE = 0.05;
/** Share of the seeds whose bot takes its time: between two of its steps others have longer. */
const PATIENT_SHARE = 0.7;
const COMPANY_FAULTS: readonly FaultId[] = ['F61', 'F62', 'F63', 'F64', 'F65', 'F66', 'F67'];
/** Strikes a virtual minute, of all faults together. */
const STRIKES_MIN = 1;
const STRIKES_MAX = 4.5;

const FAULTS_MS = [875_000, 1_175_000] as const;
const HEALED_MS = [120_000, 240_000] as const;
/** Share of the seeds without a safety wallet. */
const SHARED_LANE_SHARE = 0.15;
/** Share of the seeds whose faults strike into the very first start. */
const DISTURBED_START_SHARE = 0.25;
/** Share of the seeds that trade a subaccount. */
const SUBACCOUNT_SHARE = 0.2;
/** Share of the seeds whose account receives other tokens, and how often. */
const TOKENS_SHARE = 0.3;
const TOKENS_PER_MINUTE = 0.5;
/** Share of the seeds with a gateway far away. */
const FAR_SHARE = 0.15;
type Span = readonly [fromMs: number, toMs: number];
const NEAR: Record<'way' | 'frame' | 'journal', Span> = { way: [1, 20], frame: [1, 5], journal: [1, 5] };
const FAR: typeof NEAR = { way: [20, 150], frame: [5, 25], journal: [1, 40] };
/** Up to where the stamp of a block tells the age of what is in it well enough for I25. */
const BLOCK_MS = [400, 2_300] as const;
const HEADER_PREFIXES = ['x-svc-', 'x-dex-', 'x-e-', 'x-gateway-2-'] as const;
const BASE_PATHS = ['', '', '/api', '/gateway/eu-1'] as const;
/** Decimals of price and size whose sum the collateral's six can carry. */
const DECIMALS = [
  [1, 4],
  [2, 4],
  [1, 5],
  [2, 3],
  [0, 4],
] as const;
const BTC_INDEX = 100_000;
const ETH_INDEX = 4_000;
const SOL_INDEX = 150;

/** The plan of `seed` under these faults; `world`: the kind of world in place of the one that is drawn. */
export function planOf(
  seed: number,
  faults: readonly Fault[],
  world?: SimulationPlan['config'],
): SimulationPlan {
  const random = seededRandom(`plan ${seed}`);
  const drawn = drawWorld(random.fork('config'));
  const config = world ?? drawn;
  const possible = faults.filter(({ id }) => config === 'company' || !COMPANY_FAULTS.includes(id));
  return {
    seed,
    faultsForMs: random.integer(...FAULTS_MS),
    healedForMs: random.integer(...HEALED_MS),
    faults: drawFaults(random.fork('faults'), possible),
    ambiguities: drawAmbiguities(random.fork('ambiguities')),
    signatures: random.chance(REAL_SHARE) ? 'real' : 'keyed',
    config,
    subaccount: random.fork('subaccount').chance(SUBACCOUNT_SHARE) ? 1 : 0,
    isStartDisturbed: random.fork('start').chance(DISTURBED_START_SHARE),
    isLaneShared: random.fork('wallets').chance(SHARED_LANE_SHARE),
    ...(random.fork('tokens').chance(TOKENS_SHARE) ? { tokensPerMinute: TOKENS_PER_MINUTE } : {}),
    latency: drawLatency(random.fork('latency')),
    settings: drawSettings(random.fork('settings'), config),
  };
}

/** `plan` without faults other than these. */
export function withFaults(plan: SimulationPlan, ids: readonly FaultId[]): SimulationPlan {
  const kept = Object.entries(plan.faults).filter(([id]) => ids.includes(id as FaultId));
  return { ...plan, faults: Object.fromEntries(kept) };
}

function drawWorld(random: Random): (typeof WORLDS)[number] {
  const draw = random.next();
  if (draw < COMPANY_SHARE) return 'company';
  if (draw < COMPANY_SHARE + FLEET_SHARE) return 'fleet';
  return draw < COMPANY_SHARE + FLEET_SHARE + PATIENT_SHARE ? 'patient' : 'calm';
}

function drawFaults(random: Random, faults: readonly Fault[]): SimulationPlan['faults'] {
  if (random.chance(FAULTLESS_SHARE)) return {};
  const weights: [FaultId, number][] = [];
  // Each fault has a chance of its own: a new one in the catalogue leaves the others as they were.
  for (const { id, perMinute = 1 } of faults) {
    const draw = random.fork(id);
    if (!draw.chance(OFF_SHARE)) weights.push([id, perMinute * DRIFT_OF_WEIGHT ** (2 * draw.next() - 1)]);
  }
  const strikes = STRIKES_MIN + random.next() * (STRIKES_MAX - STRIKES_MIN);
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  return Object.fromEntries(weights.map(([id, weight]) => [id, round((strikes * weight) / sum)]));
}

/** Mostly a gateway and a disk that are near; now and then the other end of the world, and a disk that others use too. */
function drawLatency(random: Random): SimulationPlan['latency'] {
  const { way, frame, journal } = random.chance(FAR_SHARE) ? FAR : NEAR;
  return {
    requestMs: random.integer(...way),
    answerMs: random.integer(...way),
    frameMs: random.integer(...frame),
    journalMs: random.integer(...journal),
  };
}

function drawSettings(random: Random, config: SimulationPlan['config']): Partial<ExchangeSettings> {
  return {
    // The longer of two: short blocks cost most and show little that long ones do not.
    blockMs: Math.max(random.integer(...BLOCK_MS), random.integer(...BLOCK_MS)),
    headerPrefix: oneOf(random, HEADER_PREFIXES),
    basePath: oneOf(random, BASE_PATHS),
    domain: {
      name: oneOf(random, ['dex-os', 'DEX OS Test', 'd']),
      version: oneOf(random, ['1', '2.1']),
      chainId: random.integer(1, 4_000_000_000),
      verifyingContract: `0x${random.integer(0, 0xffff_ffff).toString(16).padStart(40, '0')}`,
    },
    // Long ones pass 2^53, short ones are what somebody would count up.
    epoch: random.chance(0.5) ? '' : String(random.integer(1, 1_000_000)),
    // Reads come from a replica, so that it can fall behind; at least by as much as one millisecond.
    replicaLagMs: random.chance(0.5) ? 1 : random.integer(1, 300),
    // A restart may cut the log (F40).
    keepsLog: true,
    markets: drawMarkets(random, config),
  };
}

function drawMarkets(random: Random, config: SimulationPlan['config']): ExchangeSettings['markets'] {
  const first = random.chance(0.5) ? 0 : random.integer(1, 60_000);
  const markets = [
    marketOf(random, { symbol: 'BTC-USD', signingMarketId: first, index: BTC_INDEX }),
    marketOf(random, { symbol: 'ETH-USD', signingMarketId: first + random.integer(1, 5), index: ETH_INDEX }),
  ];
  // Of the world alone that trades in it: its people and its frames would be in the traces of the others.
  if (config !== 'fleet') return markets;
  const third = { symbol: 'SOL-USD', signingMarketId: first + 9, index: SOL_INDEX };
  return [...markets, marketOf(random.fork('SOL-USD'), third)];
}

function marketOf(
  random: Random,
  spec: Pick<PerpetualSpec, 'symbol' | 'signingMarketId'> & { readonly index: number },
): ExchangeSettings['markets'][number] {
  const [priceDecimals, sizeDecimals] = oneOf(random, DECIMALS);
  return perpetual({ ...spec, priceDecimals, sizeDecimals, indexTicks: spec.index * 10 ** priceDecimals });
}

function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return must(items[random.integer(0, items.length - 1)], 'an item to draw');
}

function round(rate: number): number {
  return Math.round(rate * 1_000) / 1_000;
}
