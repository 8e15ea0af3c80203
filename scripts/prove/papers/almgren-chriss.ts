/**
 * @module
 * The plan of Almgren and Chriss on the example of section 4 of their paper: against the solution of the first-order
 * conditions, found by elimination, and against the vectors where they lie beside the project.
 */
import { type AlmgrenChrissPlan, almgrenChrissPlanOf } from '../../../src/bot/strategy/index.ts';
import { hasShared, readSharedJson } from '../../../test/support/shared.ts';
import { type PaperRow, rowOf } from './row.ts';

const PAPER = 'Almgren-Chriss 2000';
/** Of a figure of one; larger figures by as much in relation. */
const BAND = 1e-6;
/** A million shares at 50 in five days: table 1 of the paper. */
const EXAMPLE = {
  total: 1_000_000,
  time: 5,
  stretches: 5,
  sigma: 0.95,
  epsilon: 0.0625,
  gamma: 2.5e-7,
  eta: 2.5e-6,
};
/** Risk aversions of figure 2 of the paper. */
const LAMBDAS = [0, 1e-6, 2e-6];

/** All rows. */
export function almgrenChrissRows(): PaperRow[] {
  return [...eliminationRows(), ...vectorRows()];
}

function eliminationRows(): PaperRow[] {
  return LAMBDAS.flatMap((lambda) => {
    const plan = almgrenChrissPlanOf({ ...EXAMPLE, lambda });
    const best = holdingsByElimination(lambda);
    return plan.holdings
      .slice(1, -1)
      .map((figure, at) =>
        row(`lambda ${lambda}: holdings after ${at + 1}, by elimination`, figure, best[at] ?? 0),
      );
  });
}

/** x_1 to x_(N-1) that make E + λ V smallest: each derivative is zero. */
function holdingsByElimination(lambda: number): readonly number[] {
  const { total, time, stretches, sigma, gamma, eta } = EXAMPLE;
  const tau = time / stretches;
  const etaTilde = eta - (gamma * tau) / 2;
  const diagonal = 2 + (lambda * sigma ** 2 * tau ** 2) / etaTilde;
  const count = stretches - 1;
  const rows = Array.from({ length: count }, (_, at) => ({ pivot: diagonal, right: at === 0 ? total : 0 }));
  for (let at = 1; at < count; at++) {
    const [before, here] = [rows[at - 1], rows[at]];
    if (before === undefined || here === undefined) continue;
    here.pivot -= 1 / before.pivot;
    here.right += before.right / before.pivot;
  }
  let next = 0;
  return rows
    .toReversed()
    .map(({ pivot, right }) => {
      next = (right + next) / pivot;
      return next;
    })
    .toReversed();
}

interface Vectors {
  readonly almgrenChriss: {
    readonly input: Readonly<Record<'X' | 'T' | 'N' | 'sigma' | 'epsilon' | 'gamma' | 'eta', number>>;
    readonly cases: readonly (Pick<
      AlmgrenChrissPlan,
      'kappa' | 'holdings' | 'trades' | 'expectedCost' | 'variance' | 'objective'
    > & { readonly lambda: number; readonly halfLifeDays: number | null })[];
  };
}

function vectorRows(): PaperRow[] {
  if (!hasShared('vectors', 'strategy-formulas.json')) return [];
  const { input, cases } = readSharedJson<Vectors>('vectors', 'strategy-formulas.json').almgrenChriss;
  const { X: total, T: time, N: stretches, ...rest } = input;
  return cases.flatMap((one) => {
    const plan = almgrenChrissPlanOf({ ...rest, total, time, stretches, lambda: one.lambda });
    const of = (what: string) => `vectors, lambda ${one.lambda}: ${what}`;
    return [
      row(of('kappa'), plan.kappa, one.kappa),
      row(of('1/kappa, 0: none'), plan.halfLife ?? 0, one.halfLifeDays ?? 0),
      ...one.holdings.map((expected, at) => row(of(`holdings ${at}`), plan.holdings[at] ?? 0, expected)),
      ...one.trades.map((expected, at) => row(of(`trade ${at + 1}`), plan.trades[at] ?? 0, expected)),
      row(of('expected cost'), plan.expectedCost, one.expectedCost),
      row(of('variance'), plan.variance, one.variance),
      row(of('objective'), plan.objective, one.objective),
    ];
  });
}

function row(what: string, figure: number, expected: number): PaperRow {
  return rowOf({ paper: PAPER, row: what, figure, expected, band: BAND * Math.max(1, Math.abs(expected)) });
}
