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

/** What a run showed of its steps: `m` a message, `r` a record. */
export type Steps = string;

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
function hasDeath(schedule: Schedule): boolean {
  return schedule.some(({ kind }) => kind === 'crash' || kind === 'powerLoss');
}

/**
 * The schedules with one deviation more than `schedule`, whose run had these steps: each of them behind its last one, so
 * that every set of deviations comes once.
 */
export function* longerThan(schedule: Schedule, steps: Steps): Generator<Schedule> {
  const mayDie = !hasDeath(schedule);
  for (let at = (schedule.at(-1)?.at ?? -1) + 1; at < steps.length; at++) {
    if (mayDie) for (const kind of ['crash', 'powerLoss'] as const) yield [...schedule, { at, kind }];
    if (steps[at] !== 'm') continue;
    yield [...schedule, { at, kind: 'drop' }];
    yield [...schedule, { at, kind: 'double' }];
    for (let behind = at + 1; behind < steps.length; behind++)
      if (steps[behind] === 'm') yield [...schedule, { at, kind: 'late', behind }];
  }
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
