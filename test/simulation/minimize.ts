/**
 * @module
 * Makes a failing case smaller by leaving things out, one by one, for as long as it fails the same way.
 */

/** The bounds of a search. */
export interface MinimizeOptions<Item> {
  readonly items: readonly Item[];
  /** Does the case with these items alone still fail? */
  readonly fails: (items: readonly Item[]) => Promise<boolean>;
  /** Runs at most. */
  readonly runsMax: number;
}

/** A part of the items with which the case fails and from which none can be left out, as far as `runsMax` goes. */
export async function minimize<Item>({
  items,
  fails,
  runsMax,
}: MinimizeOptions<Item>): Promise<readonly Item[]> {
  let kept = items;
  let runs = 0;
  // Large pieces first: most of the items have nothing to do with it.
  for (let size = kept.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      if (runs++ >= runsMax) return kept;
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (await fails(fewer)) kept = fewer;
      else at += size;
    }
  }
  return kept;
}
