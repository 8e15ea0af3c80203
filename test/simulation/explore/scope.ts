/**
 * @module
 * The small scope: a market that stands still, a bot that writes twice, three fills and one ledger entry, at times that
 * depend on nothing that the bot does. What trades against it takes what is there.
 */
import type { SimulationPlan } from '../types.ts';
import type { OpenWorld } from '../world.ts';

const SYMBOL = 'BTC-USD';
const INDEX = 100_000;
/** A fault that never strikes: a world without one may raise no alarm. */
const NEVER_PER_MINUTE = 1e-9;
const AMOUNT = '250';

/** How long steps are counted for: behind the last event by what its frames and a block take. */
export const SCOPE_MS = 2_000;

/** The plan of the world. */
export const SCOPE_PLAN: SimulationPlan = {
  seed: 1,
  faultsForMs: SCOPE_MS,
  healedForMs: 0,
  faults: { F73: NEVER_PER_MINUTE },
  ambiguities: {},
  signatures: 'keyed',
  config: 'scope',
  isStill: true,
  latency: { requestMs: 2, answerMs: 2, frameMs: 2, journalMs: 1 },
  settings: { blockMs: 500, replicaLagMs: 1 },
};

type Action = (world: OpenWorld) => void;

function take(side: 'buy' | 'sell', size: string): Action {
  // Up to a price that reaches the bot's orders alone.
  const price = side === 'sell' ? INDEX * 0.999 : INDEX * 1.001;
  return ({ exchange }) =>
    void exchange.control.order({ symbol: SYMBOL, side, price: price.toFixed(1), size, timeInForce: 'ioc' });
}

/** Somebody comes far from the mid: the book has moved, and the bot may believe in it. */
function stir({ exchange }: OpenWorld): void {
  exchange.control.order({ symbol: SYMBOL, side: 'buy', price: (INDEX * 0.994).toFixed(1), size: '0.5' });
}

/** What happens in it, and when. */
const EVENTS: readonly (readonly [atMs: number, Action])[] = [
  [50, stir],
  [400, take('sell', '0.003')],
  [900, take('buy', '0.004')],
  [
    1_050,
    ({ exchange, account }) =>
      void exchange.control.fund({
        account: account.address,
        amount: AMOUNT,
        subaccount: account.subaccount,
      }),
  ],
  [1_250, take('sell', '0.002')],
];

/** Others rest far from the mid, so that there is one. */
export function furnish({ exchange: { control } }: OpenWorld): void {
  control.order({ symbol: SYMBOL, side: 'buy', price: (INDEX * 0.995).toFixed(1), size: '1' });
  control.order({ symbol: SYMBOL, side: 'sell', price: (INDEX * 1.005).toFixed(1), size: '1' });
}

/** Lets the events happen from now on. */
export function begin(world: OpenWorld): void {
  for (const [atMs, action] of EVENTS) world.clock.after(atMs, () => action(world));
}
