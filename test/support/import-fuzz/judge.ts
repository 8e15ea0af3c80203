/**
 * @module Imports mutilated recordings and judges each: right, refused with a code, or told in the quality of the tape. A
 * tape that says something else without a word is wrong.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssertionError, BotError, messageOf, must, seededRandom } from '../../../src/core/index.ts';
import { type DataQuality, openTape } from '../../../src/tape/format/index.ts';
import { importTape } from '../../../src/tape/importers/index.ts';
import { factsOf } from './facts.ts';
import { SAMPLES, type Sample, type SampleFile, type SampleName } from './sample.ts';
import { type Content, textOf, WAYS } from './ways.ts';

/** What became of a recording. */
export interface Judged {
  readonly verdict: 'right' | 'refused' | 'told' | 'wrong';
  /** Code of the refusal, or what is wrong. */
  readonly why: string;
}

/** How a number of recordings ended. */
export interface FuzzTally {
  right: number;
  refused: number;
  told: number;
  /** Each with the seed that makes it again. */
  readonly wrong: {
    readonly sample: string;
    readonly way: string;
    readonly seed: string;
    readonly why: string;
  }[];
}

/** Files of a recording, by name. */
type Files = ReadonlyMap<string, Content>;

interface Imported {
  readonly facts: readonly string[];
  readonly quality: DataQuality;
}

/** Imports `count` recordings of `name`, each valid one and then mutilated in a way; ways come in turn, the one `from` first. */
export async function fuzzImports(
  name: SampleName,
  seed: number,
  { count, from = 0 }: { readonly count: number; readonly from?: number },
): Promise<FuzzTally> {
  const tally: FuzzTally = { right: 0, refused: 0, told: 0, wrong: [] };
  const ways = Object.keys(WAYS);
  let done = 0;
  for (let at = from; done < count; at++) {
    const way = must(ways[at % ways.length], 'a way');
    const own = `${seed}/${name}/${at}`;
    const judged = await judge(name, way, own);
    if (judged === undefined) continue;
    done++;
    if (judged.verdict === 'wrong') tally.wrong.push({ sample: name, way, seed: own, why: judged.why });
    else tally[judged.verdict]++;
  }
  return tally;
}

/** Judges one recording, which says `factsFound` of its tape; `undefined`: the way does not apply to it. */
export async function judge(
  name: SampleName,
  way: string,
  seed: string,
  factsFound: typeof factsOf = factsOf,
): Promise<Judged | undefined> {
  const random = seededRandom(seed);
  const sample = SAMPLES[name](random.fork('sample'));
  const place = random.integer(0, sample.files.length - 1);
  const files = new Map<string, Content>(sample.files.map((file) => [file.name, textOf(file)]));
  const victim = must(sample.files[place], 'a file of the sample');
  const changed = must(WAYS[way], 'the way')(victim, random.fork('way'));
  if (changed === undefined) return undefined;
  const clean = await imported(sample, files, factsFound);
  if (!('facts' in clean)) return { verdict: 'wrong', why: `the valid recording is refused: ${clean.why}` };
  const difference = differenceOf(sample.facts.toSorted(), clean.facts);
  if (difference !== undefined) return { verdict: 'wrong', why: `the valid recording: ${difference}` };
  files.set(victim.name, isFile(changed) ? textOf(changed) : changed);
  const mutilated = await imported(sample, files, factsFound);
  if (!('facts' in mutilated)) return mutilated;
  return compared({ sample, clean, mutilated, way });
}

function isFile(changed: Content | SampleFile): changed is SampleFile {
  return typeof changed !== 'string' && !(changed instanceof Uint8Array);
}

function compared({
  sample,
  clean,
  mutilated,
  way,
}: {
  readonly sample: Sample;
  readonly clean: Imported;
  readonly mutilated: Imported;
  readonly way: string;
}): Judged {
  if (way === 'a recorder whose clock is behind' && mutilated.quality.clock?.feedClockOffset == null)
    return { verdict: 'wrong', why: 'the clock of the recorder is not told' };
  const difference = differenceOf(sample.facts.toSorted(), mutilated.facts);
  if (difference === undefined) return { verdict: 'right', why: '' };
  const told = toldOf(clean.quality, mutilated.quality);
  return told === '' ? { verdict: 'wrong', why: difference } : { verdict: 'told', why: told };
}

/** What the quality of the mutilated recording says that that of the valid one does not. */
function toldOf(clean: DataQuality, mutilated: DataQuality): string {
  const reasons = Object.entries(mutilated.counts).filter(
    ([reason, count]) => count !== clean.counts[reason],
  );
  const isSilent = mutilated.longestSilenceMs > 5 * clean.longestSilenceMs;
  return [
    ...reasons.map(([reason, count]) => `${reason} ${count}`),
    ...(JSON.stringify(mutilated.coarse) === JSON.stringify(clean.coarse) ? [] : ['coarse steps']),
    ...(isSilent ? [`silence ${mutilated.longestSilenceMs}`] : []),
  ].join(', ');
}

async function imported(
  sample: Sample,
  files: Files,
  factsFound: typeof factsOf,
): Promise<Imported | Judged> {
  const folder = mkdtempSync(join(tmpdir(), 'import-fuzz-'));
  try {
    const [source, out] = [join(folder, 'btc'), join(folder, 'tape')];
    mkdirSync(source);
    for (const [name, content] of files) writeFileSync(join(source, name), content);
    const { format, mapping } = sample;
    const { quality } = await importTape({
      ...{ format, out, paths: [source], locked: 'keep' },
      ...(mapping === undefined ? {} : { mapping }),
    });
    return { facts: factsFound(openTape(out), sample.hasSides), quality };
  } catch (thrown) {
    if (thrown instanceof BotError && !(thrown instanceof AssertionError))
      return { verdict: 'refused', why: thrown.code };
    return { verdict: 'wrong', why: `not a refusal: ${messageOf(thrown)}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first fact that only one of both has. */
function differenceOf(expected: readonly string[], found: readonly string[]): string | undefined {
  for (let at = 0; at < Math.max(expected.length, found.length); at++)
    if (expected[at] !== found[at])
      return `${expected.length} facts expected, ${found.length} found, first "${found[at]}" in place of "${expected[at]}"`;
  return undefined;
}
