/**
 * @module
 * The formulas of Guéant, Lehalle and Fernandez-Tapia: the closed form against the figures that the tutorial of
 * hftbacktest prints, the exact limit against the paper's system of linear equations run far back in time, and both
 * against the vectors where they lie beside the project.
 */
import { must } from '../../../src/core/index.ts';
import {
  type GlftInput,
  glftDepthsOf,
  glftExactDepthsOf,
  glftTermsOf,
} from '../../../strategies/glft/quotes.ts';
import { hasShared, readSharedJson } from '../../../test/support/shared.ts';
import { type PaperRow, rowOf } from './row.ts';

const PAPER = 'Guéant-Lehalle-Fernandez-Tapia 2013';
const BAND = 1e-6;
/** The paper's own example. */
const EXAMPLE: GlftInput = { sigma: 0.3, intensity: 0.9, decay: 0.3, gamma: 0.01 };
const INVENTORY_MAX = 60;
/** nkaz001/hftbacktest, "GLFT Market Making Model and Grid Trading", cell outputs: prices in ticks, time in 100 ms. */
const TUTORIAL = {
  input: { sigma: 10.69, intensity: 2.986162360812285, decay: 0.04235741115084049, gamma: 0.05 },
  halfSpread: 20.47208533844371,
  skew: 9.76326865029227,
};

/** All rows. */
export function glftRows(): PaperRow[] {
  return [...tutorialRows(), ...limitRows(), ...vectorRows()];
}

function tutorialRows(): PaperRow[] {
  const { halfSpread, skew } = glftTermsOf(TUTORIAL.input);
  const of = (row: string) => ({ paper: PAPER, row: `tutorial of hftbacktest: ${row}`, band: BAND });
  return [
    rowOf({ ...of('half spread, ticks'), figure: halfSpread, expected: TUTORIAL.halfSpread }),
    rowOf({ ...of('skew, ticks'), figure: skew, expected: TUTORIAL.skew }),
  ];
}

function limitRows(): PaperRow[] {
  const exact = glftExactDepthsOf(EXAMPLE, INVENTORY_MAX);
  const byTime = depthsByTime(EXAMPLE, INVENTORY_MAX);
  return [-10, -1, 0, 1, 10].map((inventory) =>
    rowOf({
      paper: PAPER,
      row: `exact limit against the equations (3.5) run backwards, inventory ${inventory}: bid depth`,
      figure: must(exact(inventory), 'depths').bid,
      expected: byTime(inventory),
      band: BAND,
    }),
  );
}

/** Bid depths from v' = M v, solved backwards from the end with small steps until nothing changes. */
function depthsByTime({ sigma, intensity, decay, gamma }: GlftInput, inventoryMax: number) {
  const alpha = (decay * gamma * sigma ** 2) / 2;
  const eta = intensity * (1 + gamma / decay) ** -(1 + decay / gamma);
  const size = 2 * inventoryMax + 1;
  const step = 0.25 / (alpha * inventoryMax ** 2 + 2 * eta);
  let state = new Float64Array(size).fill(1);
  for (let at = 0; at < 40_000; at++) {
    const next = new Float64Array(size);
    for (let q = 0; q < size; q++) {
      const beside = (state[q - 1] ?? 0) + (state[q + 1] ?? 0);
      const here = state[q] ?? 0;
      next[q] = here + step * (eta * beside - alpha * (q - inventoryMax) ** 2 * here);
    }
    const middle = next[inventoryMax] ?? 1;
    state = next.map((value) => value / middle);
  }
  const c1 = Math.log(1 + gamma / decay) / gamma;
  return (inventory: number) =>
    Math.log((state[inventory + inventoryMax] ?? 0) / (state[inventory + inventoryMax + 1] ?? 0)) / decay +
    c1;
}

interface Vectors {
  readonly glft: readonly {
    readonly sigma: number;
    readonly A: number;
    readonly k: number;
    readonly gamma: number;
    readonly rows: readonly {
      readonly inventory: number;
      readonly bidDepthApprox: number;
      readonly askDepthApprox: number;
      readonly bidDepthExactLimit: number;
      readonly askDepthExactLimit: number;
    }[];
  }[];
}

function vectorRows(): PaperRow[] {
  if (!hasShared('vectors', 'strategy-formulas.json')) return [];
  return readSharedJson<Vectors>('vectors', 'strategy-formulas.json').glft.flatMap((one) => {
    const input = { sigma: one.sigma, intensity: one.A, decay: one.k, gamma: one.gamma };
    const exact = glftExactDepthsOf(input, INVENTORY_MAX);
    return one.rows.flatMap((row) => {
      const { inventory } = row;
      const depths = glftDepthsOf(input, inventory);
      const limit = must(exact(inventory), 'depths');
      const of = (what: string) => ({
        paper: PAPER,
        row: `vectors, inventory ${inventory}: ${what}`,
        band: BAND,
      });
      return [
        rowOf({ ...of('bid depth, closed form'), figure: depths.bid, expected: row.bidDepthApprox }),
        rowOf({ ...of('ask depth, closed form'), figure: depths.ask, expected: row.askDepthApprox }),
        rowOf({ ...of('bid depth, exact limit'), figure: limit.bid, expected: row.bidDepthExactLimit }),
        rowOf({ ...of('ask depth, exact limit'), figure: limit.ask, expected: row.askDepthExactLimit }),
      ];
    });
  });
}
