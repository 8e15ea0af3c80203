/** @module The known name that an unknown one most likely means: a typing error, or another word order. */

/** From this likeness on a name is named; both share this fraction of their pairs of letters. */
const LIKENESS_MIN = 0.4;

/** The name of `known` that is most like `unknown`; `undefined`: none is like it. */
export function nearestName(known: readonly string[], unknown: string): string | undefined {
  const [best] = known
    .map((name) => ({ name, likeness: likenessOf(name, unknown) }))
    .sort((a, b) => b.likeness - a.likeness);
  return best !== undefined && best.likeness >= LIKENESS_MIN ? best.name : undefined;
}

/** The Dice coefficient of the pairs of letters of two words, from 0 to 1. */
function likenessOf(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  const both = left.length + right.length;
  let common = 0;
  for (const pair of left) {
    const at = right.indexOf(pair);
    if (at < 0) continue;
    right.splice(at, 1);
    common++;
  }
  return both === 0 ? 0 : (2 * common) / both;
}

function pairsOf(word: string): string[] {
  const letters = word.toLowerCase();
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2));
}
