/**
 * @module
 * A schedule: what of a run is otherwise than in the plain one, step by step. A step is a message that has come to the end
 * where it is taken in, or a record of the journal that is handed over or durable. The plain schedule takes every message
 * in as it comes, once.
 */

/** What is done at a step. Of records a death alone. */
export type Deed =
  /** The message is lost. */
  | { readonly kind: 'drop' }
  /** It is taken in twice. */
  | { readonly kind: 'double' }
  /** It is taken in behind the message of a later step. */
  | { readonly kind: 'late'; readonly behind: number }
  /** The process dies before it; `powerLoss`: what the journal had not acknowledged is gone. */
  | { readonly kind: 'crash' | 'powerLoss' };

/** A deed and the step at which it is done. */
export type Deviation = { readonly at: number } & Deed;

/** Deviations in the order of their steps, at most one a step. */
export type Schedule = readonly Deviation[];

/**
 * What a run showed of its steps, a letter each: `r` a record, `q` a request that came to the exchange, `a` an answer; a
 * frame has the letter of its channel on its socket, far from these.
 */
export type Steps = string;

/** The letter of the `nth` channel, from 0. */
export function letterOf(nth: number): string {
  return String.fromCodePoint(FIRST_LETTER + nth);
}

const FIRST_LETTER = 0x100;
const LETTERS = { drop: 'x', double: 'd', crash: 'k', powerLoss: 'p' } as const;
const DEEDS = { x: 'drop', d: 'double', k: 'crash', p: 'powerLoss' } as const;
const DEVIATION = /^(\d+)(?:([xdkp])|>(\d+))$/;
/** The id of the schedule without a deviation. */
const PLAIN = 'plain';

/** The id of a schedule: `12x.17>20.31k`. */
export function idOf(schedule: Schedule): string {
  if (schedule.length === 0) return PLAIN;
  return schedule
    .map((one) => `${one.at}${one.kind === 'late' ? `>${one.behind}` : LETTERS[one.kind]}`)
    .join('.');
}

/** The schedule of an id; `undefined` for what is none. */
export function scheduleOf(id: string): Schedule | undefined {
  if (id === PLAIN) return [];
  const schedule: Deviation[] = [];
  for (const part of id.split('.')) {
    const [, at, letter, behind] = DEVIATION.exec(part) ?? [];
    if (at === undefined || Number(at) <= (schedule.at(-1)?.at ?? -1)) return undefined;
    if (behind !== undefined) schedule.push({ at: Number(at), kind: 'late', behind: Number(behind) });
    else schedule.push({ at: Number(at), kind: DEEDS[letter as keyof typeof DEEDS] });
  }
  return schedule;
}

/** Dies the process in this schedule? It does once at most. */
export function hasDeath(schedule: Schedule): boolean {
  return schedule.some(({ kind }) => kind === 'crash' || kind === 'powerLoss');
}

/**
 * The schedules with one deviation more than `schedule`, whose run had these steps: each of them behind its last one, so
 * that every set of deviations comes once. `isWanted`: at steps where this is true alone.
 */
export function* longerThan(
  schedule: Schedule,
  steps: Steps,
  isWanted: (at: number) => boolean = () => true,
): Generator<Schedule> {
  const mayDie = !hasDeath(schedule);
  for (let at = (schedule.at(-1)?.at ?? -1) + 1; at < steps.length; at++) {
    if (!isWanted(at)) continue;
    if (mayDie) for (const kind of ['crash', 'powerLoss'] as const) yield [...schedule, { at, kind }];
    if (steps[at] === 'r') continue;
    yield [...schedule, { at, kind: 'drop' }];
    yield [...schedule, { at, kind: 'double' }];
    for (let behind = at + 1; behind < steps.length; behind++)
      if (mayOvertake(steps, behind, at)) yield [...schedule, { at, kind: 'late', behind }];
  }
}

/**
 * Is it another schedule if `later` is taken in before `at`? What the bot takes in and what comes to the exchange leave each
 * other alone, and frames of one channel never change places; what a request misses at the exchange shows in frames.
 */
function mayOvertake(steps: Steps, later: number, at: number): boolean {
  const [one, other] = [steps[at], steps[later]];
  if (other === 'r') return false;
  if (one === 'q') return true;
  return other !== 'q' && (one !== other || one === 'a');
}

/** A deviation in words; `what`: what its step is. */
export function describe(deviation: Deviation, what: (step: number) => string): string {
  const { at } = deviation;
  switch (deviation.kind) {
    case 'drop':
      return `step ${at}: ${what(at)} is lost`;
    case 'double':
      return `step ${at}: ${what(at)} is taken in twice`;
    case 'late':
      return `step ${at}: ${what(at)} is taken in behind step ${deviation.behind}, ${what(deviation.behind)}`;
    case 'crash':
      return `step ${at}: the process dies before ${what(at)}`;
    case 'powerLoss':
      return `step ${at}: the power fails before ${what(at)}`;
  }
}
