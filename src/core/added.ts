/** @module Short lists that are made for what they hold: most have one entry or two, and capacity for more would be garbage. */

/** A list with one more at its end: another one while it is short, then the list itself. */
export function added<T>(list: readonly T[], one: T): T[] {
  if (list.length === 0) return [one];
  if (list.length === 1) return [list[0] as T, one];
  (list as T[]).push(one);
  return list as T[];
}
