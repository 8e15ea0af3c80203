/**
 * @module
 * What the faults of the network have in common: drawn amounts, an end in time, and rules that strike a share of the
 * requests or frames and count only what they hit.
 */
import type { Random } from '../../../src/core/index.ts';
import type { FaultId, FrameRule, FrameWay, RequestFault, RequestSight, World } from '../types.ts';

/** A draw between `min` and `max` whose order of magnitude is as likely as another. */
export function logUniform(draw: Random, min: number, max: number): number {
  return min * (max / min) ** draw.next();
}

/** One of `choices`. */
export function pickOne<Choice>(draw: Random, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[draw.integer(0, choices.length - 1)] ?? choices[0];
}

/** Ends `ends` after `forMs`. Gives nothing back: these strikes end on their own. */
export function during(world: World, forMs: number, ...ends: readonly (() => void)[]): undefined {
  world.clock.after(forMs, () => {
    for (const end of ends) end();
  });
}

/** Writes are posted. */
export function isWrite({ method }: RequestSight): boolean {
  return method === 'POST';
}

/** Any request. */
export function isAny(): boolean {
  return true;
}

/** Which requests a strike hits, and what it does to them. */
export interface RequestStrike {
  readonly id: FaultId;
  readonly forMs: number;
  /** Share of the matching requests. */
  readonly chance: number;
  /** Ends after so many; default: no bound. */
  readonly times?: number;
  readonly matches?: (request: RequestSight) => boolean;
  faultOf(request: RequestSight): RequestFault | undefined;
}

/** Strikes requests until its time or its number is over. */
export function strikeRequests(world: World, draw: Random, strike: RequestStrike): undefined {
  const { id, matches = isAny } = strike;
  let timesLeft = strike.times ?? Number.POSITIVE_INFINITY;
  const end = world.network.onRequest((request) => {
    if (timesLeft <= 0 || !matches(request) || !draw.chance(strike.chance)) return undefined;
    const fault = strike.faultOf(request);
    if (fault === undefined) return undefined;
    timesLeft--;
    world.hit(id);
    return fault;
  });
  return during(world, strike.forMs, end);
}

/** Frames that are delivered in place of one; `undefined`: it is left alone. */
export type FrameChange = ReturnType<FrameRule>;

/** Strikes frames of one way until its time is over. */
export function strikeFrames(
  world: World,
  strike: {
    readonly id: FaultId;
    readonly forMs: number;
    readonly way: FrameWay;
    changeOf(text: string): FrameChange;
  },
): undefined {
  const end = world.network.onFrame((text, way) => {
    const change = way === strike.way ? strike.changeOf(text) : undefined;
    if (change !== undefined) world.hit(strike.id);
    return change;
  });
  return during(world, strike.forMs, end);
}

const CHANNEL = /^\{"channel":"(\w+)"/;

/** The channel of a frame to the bot. */
export function channelOf(text: string): string {
  return CHANNEL.exec(text)?.[1] ?? '';
}
