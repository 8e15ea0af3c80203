/**
 * @module
 * What strategies hold when the exchange begins a new ledger is kept in the journal: with the change, and again when it is
 * settled with the account. A run that ends in between finds it at its next start. The streams know no strategies, so this
 * stands between them and the journal.
 */
import type { AccountState, CarriedHoldings } from '../../../domain/index.ts';
import type { EffectJournal } from '../../../wire/stream/index.ts';
import type { Journal } from '../../journal/index.ts';

/** The holdings of one run in its journal. */
export class CarriedHoldingsKeeper {
  readonly #journal: Journal;
  readonly #account: Pick<AccountState, 'holdings' | 'carried'>;
  /** What is kept. */
  #kept: CarriedHoldings | undefined;

  constructor(journal: Journal, account: Pick<AccountState, 'holdings' | 'carried'>) {
    this.#journal = journal;
    this.#account = account;
    this.#kept = account.carried;
  }

  /** The journal as the streams use it. */
  effects(): EffectJournal {
    const journal = this.#journal;
    return {
      cursors: () => journal.cursors(),
      effects: () => journal.effects(),
      recordEffects: (effects) => journal.recordEffects(effects),
      resetEpoch: (epoch) => journal.resetEpoch(epoch, this.#account.holdings()),
    };
  }

  /** The account was synced or has a new fill: what was settled, or filled of orders of the ledger before, is kept. */
  keep(): void {
    const { carried } = this.#account;
    if (carried === undefined || carried === this.#kept) return;
    const epoch = this.#journal.cursors()?.epoch;
    if (epoch === undefined) return;
    this.#kept = carried;
    // A journal that refuses ends the run on its own.
    this.#journal.recordEffects({ epoch, fills: [], ledger: [], carried }).catch(() => undefined);
  }
}
