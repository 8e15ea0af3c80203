/**
 * @module
 * Feeds the doors: what was found before, and fresh inputs by a seed. Every input that went wrong once stands in
 * `corpus/<target>.jsonl`, one JSON string a line, and is fed again with every run.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, seededRandom } from '../../src/core/index.ts';
import { Mutator } from './mutate.ts';
import { type Outcome, pollution, type Target, wrong } from './target.ts';
import { bars } from './targets-bars.ts';
import { clientFrameTarget, requestTarget } from './targets-exchange.ts';
import { intents } from './targets-intents.ts';
import { configuration, decimals, journalTarget } from './targets-text.ts';
import { bodies, frames } from './targets-wire.ts';

/** An input that went wrong. */
export interface WrongInput {
  readonly target: string;
  readonly why: string;
  readonly text: string;
}

/** What came of a run. */
export interface FuzzCount {
  inputs: number;
  refused: number;
  accepted: number;
  wrong: WrongInput[];
  slowestMs: number;
  /** The target that took longest for one input. */
  slowest: string;
}

/** All doors, fresh. */
export async function fuzzTargets(): Promise<readonly Target[]> {
  const exchange = [await requestTarget(), await clientFrameTarget()];
  return [frames, bodies, ...exchange, configuration, intents, decimals, bars, journalTarget()];
}

/** A count of nothing yet. */
export function emptyCount(): FuzzCount {
  return { inputs: 0, refused: 0, accepted: 0, wrong: [], slowestMs: 0, slowest: '' };
}

/** Feeds `count` fresh inputs of `seed`. */
export async function feedFresh(
  target: Target,
  order: { readonly seed: number; readonly count: number },
  into: FuzzCount,
): Promise<void> {
  const mutator = new Mutator(seededRandom(order.seed).fork(target.name), target.samples(), target.tokens);
  for (let at = 0; at < order.count; at++) await feedOne(target, mutator.next(), into);
}

/** Feeds what is kept of a target. */
export async function feedCorpus(target: Target, into: FuzzCount): Promise<void> {
  for (const text of corpusOf(target.name)) await feedOne(target, text, into);
}

async function feedOne(target: Target, text: string, into: FuzzCount): Promise<void> {
  const fromMs = performance.now();
  const outcome = await outcomeOf(target, text);
  const tookMs = performance.now() - fromMs;
  if (tookMs > into.slowestMs) {
    into.slowestMs = tookMs;
    into.slowest = target.name;
  }
  into.inputs++;
  if (outcome.kind === 'wrong') into.wrong.push({ target: target.name, why: outcome.why, text });
  else into[outcome.kind]++;
}

async function outcomeOf(target: Target, text: string): Promise<Outcome> {
  let outcome: Outcome;
  try {
    outcome = await target.feed(text);
  } catch (thrown) {
    outcome = wrong(`thrown: ${messageOf(thrown)}`);
  }
  const polluted = pollution();
  return polluted === undefined ? outcome : wrong(polluted);
}

/** The kept inputs of a target. */
export function corpusOf(name: string): readonly string[] {
  const path = corpusPath(name);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as string);
}

/** Keeps inputs that went wrong; those that are kept already are not written twice. */
export function keep(inputs: readonly WrongInput[]): void {
  for (const name of new Set(inputs.map(({ target }) => target))) {
    const known = new Set(corpusOf(name));
    const fresh = inputs.filter(({ target, text }) => target === name && !known.has(text)).slice(0, KEPT_MAX);
    const lines = fresh.map(({ text }) => `${JSON.stringify(text)}\n`).join('');
    if (lines !== '') appendFileSync(corpusPath(name), lines);
  }
}

/** Of one run and target; more of them rarely say more. */
const KEPT_MAX = 5;

function corpusPath(name: string): string {
  return join(import.meta.dirname, 'corpus', `${name.replaceAll(' ', '-')}.jsonl`);
}
