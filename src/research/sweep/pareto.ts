/**
 * @module Which of several results are better when several things are wanted: fronts of results that no other one
 * beats, and how isolated each is on its front (K. Deb et al., "A fast and elitist multiobjective genetic algorithm:
 * NSGA-II", IEEE Transactions on Evolutionary Computation 6(2), 2002). All objectives are to be made great.
 */

/** What a result is worth, one number an objective; NaN is worse than any number. */
export type Scores = readonly number[];

/** True if `a` is nowhere worse than `b` and somewhere better. */
function dominates(a: Scores, b: Scores): boolean {
  let isBetter = false;
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [worth(a[at]), worth(b[at])];
    if (x < y) return false;
    if (x > y) isBetter = true;
  }
  return isBetter;
}

/** The front of each result: 0 for those that no other one dominates, 1 for those that only such of 0 do, and so on. */
export function frontsOf(all: readonly Scores[]): readonly number[] {
  const fronts = new Array<number>(all.length).fill(-1);
  let left = all.length;
  for (let front = 0; left > 0; front++) {
    const open = all.map((_, at) => at).filter((at) => fronts[at] === -1);
    const best = open.filter((at) => !open.some((other) => dominates(all[other] ?? [], all[at] ?? [])));
    for (const at of best) fronts[at] = front;
    left -= best.length;
  }
  return fronts;
}

/** How far the neighbors of each result on its front are, over all objectives; Infinity at the ends (Deb, III.B). */
export function crowdingOf(all: readonly Scores[], fronts: readonly number[]): readonly number[] {
  const distance = new Array<number>(all.length).fill(0);
  const objectives = all[0]?.length ?? 0;
  for (let front = 0; front <= Math.max(...fronts); front++) {
    const members = all.map((_, at) => at).filter((at) => fronts[at] === front);
    for (let objective = 0; objective < objectives; objective++) {
      const scoreOf = (at: number | undefined): number => worth(all[at ?? -1]?.[objective]);
      const sorted = [...members].sort((a, b) => scoreOf(a) - scoreOf(b) || a - b);
      const range = scoreOf(sorted.at(-1)) - scoreOf(sorted[0]);
      for (const [place, at] of sorted.entries()) {
        const isEnd = place === 0 || place === sorted.length - 1;
        const gap = scoreOf(sorted[place + 1]) - scoreOf(sorted[place - 1]);
        distance[at] = isEnd ? Number.POSITIVE_INFINITY : (distance[at] ?? 0) + (range > 0 ? gap / range : 0);
      }
    }
  }
  return distance;
}

/** A finite number to compare by. */
function worth(score: number | undefined): number {
  return score === undefined || Number.isNaN(score) ? -Number.MAX_VALUE : score;
}
