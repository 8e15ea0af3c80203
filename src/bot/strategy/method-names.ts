/**
 * @module
 * Names of what a plugin gives: handlers, rules over bars, blueprints. A handler with a misspelt name would never be
 * called, and nothing would say so. What this does not do: look at values, which may be behind getters.
 */
import { ConfigError, nearestName } from '../../core/index.ts';

/** More prototypes than this has no class of people. */
const PROTOTYPES_MAX = 20;

/** What has names, and which of them are known. */
interface Named {
  /** What it is called in an error, such as `strategy maker`. */
  readonly of: string;
  /** What one name stands for, such as `handler`. */
  readonly kind: string;
  readonly known: readonly string[];
}

/**
 * Refuses the first name of `given` that is meant as one of `known` and is none: it begins as they do (`on` and a capital),
 * one letter is wrong in it, or it is a method that only has more words (`takeProfitTicks` for `takeTicks`). Other methods
 * are the plugin's own.
 * @throws ConfigError `STRATEGY_NAME_MISSPELT` with the nearest name.
 */
export function refuseMisspelt(given: unknown, named: Named): void {
  if (typeof given !== 'object' || given === null) return;
  for (const [name, isMethod] of namesOf(given)) {
    if (named.known.includes(name)) continue;
    if (isMeant(name, named.known) || (isMethod && named.known.some((one) => hasWordsOf(name, one))))
      throw misspelt(name, named);
  }
}

/** Refuses each name of `given` that is not known. @throws ConfigError `STRATEGY_NAME_MISSPELT`. */
export function refuseUnknown(given: object, named: Named): void {
  const unknown = Object.keys(given).find((name) => !named.known.includes(name));
  if (unknown !== undefined) throw misspelt(unknown, named);
}

function misspelt(name: string, { of, kind, known }: Named): ConfigError {
  const nearest = nearestName(known, name);
  const meant = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return new ConfigError({
    code: 'STRATEGY_NAME_MISSPELT',
    message: `${of} has a ${kind} ${name.slice(0, 64)}, which ballast never calls; expected one of ${known.join(', ')}${meant}`,
    remedy: `Rename it${nearest === undefined ? '' : ` to ${nearest}`}, or give it a name that no ${kind} could have.`,
  });
}

/** Own and inherited names, apart from those that every object has, and whether each is a method. */
function namesOf(given: object): ReadonlyMap<string, boolean> {
  const names = new Map<string, boolean>();
  let at: object | null = given;
  for (let depth = 0; at !== null && at !== Object.prototype && depth < PROTOTYPES_MAX; depth++) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      names.set(name, names.get(name) ?? typeof value === 'function');
    at = Object.getPrototypeOf(at) as object | null;
  }
  return names;
}

function isMeant(name: string, known: readonly string[]): boolean {
  if (/^on[A-Z_]/.test(name) && known.some((one) => one.startsWith('on'))) return true;
  return known.some((one) => isMisspeltAs(name, one));
}

/** True if `name` has all words of `known`, which has several, in their order, and others between. */
function hasWordsOf(name: string, known: string): boolean {
  const [words, wanted] = [name, known].map((one) =>
    one.split(/(?=[A-Z])/).map((word) => word.toLowerCase()),
  );
  if (words === undefined || wanted === undefined || wanted.length < 2) return false;
  let at = 0;
  for (const word of words) if (word === wanted[at]) at++;
  return at === wanted.length && words[0] === wanted[0] && words.at(-1) === wanted.at(-1);
}

/** A name without what people write in different ways. */
function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** True if a name is another one with a letter missing, too many, wrong or in another place, or with other dashes or capitals. */
export function isMisspeltAs(name: string, other: string): boolean {
  return isOneEditFrom(plainOf(name), plainOf(other));
}

/** The same, or one letter missing, too many, wrong, or in another place than its neighbor. */
function isOneEditFrom(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const rest = (text: string, skipped: number): string => text.slice(at + skipped);
  if (short.length < long.length) return rest(short, 0) === rest(long, 1);
  if (rest(short, 1) === rest(long, 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && rest(short, 2) === rest(long, 2);
}
