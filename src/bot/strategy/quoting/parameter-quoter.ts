/**
 * @module
 * A quoter whose quotes follow parameters that may change while it runs: new ones hold at once. What quotes need of the
 * parameters is worked out once for each set of them.
 */
import type { MarketView, StrategyContext } from '../context.ts';
import type { StrategyHandlers } from '../handlers.ts';
import type { RequoteParameters } from './parameters.ts';
import { type QuoteFunction, Quoter, type QuoterHandlers } from './quoter.ts';

/** The handlers of a {@link ParameterQuoter}. */
export type ParameterQuoterHandlers<Values> = QuoterHandlers &
  Required<Pick<StrategyHandlers<Values>, 'onStart' | 'onParameters'>>;

/**
 * See the module.
 * @example create: (context, values) => new ParameterQuoter(context, values, quotesBy).handlers
 */
export class ParameterQuoter<Values extends RequoteParameters> {
  readonly #quoter: Quoter;
  #values: Values;
  #wantedOf: QuoteFunction;
  /** The handlers, to be spread into those of the strategy. */
  readonly handlers: ParameterQuoterHandlers<Values>;

  constructor(context: StrategyContext, initial: Values, quotesBy: (values: Values) => QuoteFunction) {
    this.#values = initial;
    this.#wantedOf = quotesBy(initial);
    this.#quoter = new Quoter(context, (view, touch) => this.#wantedOf(view, touch));
    this.handlers = {
      ...this.#quoter.handlers,
      onStart: () => this.#quoter.start(this.#values.requoteInterval),
      onParameters: (next) => {
        this.#values = next;
        this.#wantedOf = quotesBy(next);
        this.#quoter.start(next.requoteInterval);
      },
    };
  }

  /** The parameters that hold. */
  get values(): Values {
    return this.#values;
  }

  /** States the quotes of a market now, due or not. */
  quote(view: MarketView): void {
    this.#quoter.quote(view);
  }
}
