/**
 * @module
 * What strategies hold when the exchange begins a new ledger is kept in the journal: with the change, and again when it is
 * settled with the account. A run that ends in between finds it at its next start. The streams know no strategies, so this
 * stands between them and the journal.
 */
import type { AccountState, Seq } from '../../../domain/index.ts';
import type { EffectJournal } from '../../../wire/stream/index.ts';
import type { Journal } from '../../journal/index.ts';

/** The holdings of one run in its journal. */
export class CarriedHoldingsKeeper {
  readonly #journal: Journal;
  readonly #account: Pick<AccountState, 'holdings' | 'carriedTo'>;
  /** Of what is kept. */
  #keptSeq: Seq | undefined;

  constructor(journal: Journal, account: Pick<AccountState, 'holdings' | 'carriedTo'>) {
    this.#journal = journal;
    this.#account = account;
    this.#keptSeq = journal.carried()?.seq;
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

  /** The account is synced: what was settled just now is kept. */
  keep(): void {
    const seq = this.#account.carriedTo;
    const epoch = this.#journal.cursors()?.epoch;
    if (seq === undefined || seq === this.#keptSeq || epoch === undefined) return;
    this.#keptSeq = seq;
    const carried = { holdings: this.#account.holdings(), seq };
    // A journal that refuses ends the run on its own.
    this.#journal.recordEffects({ epoch, fills: [], ledger: [], carried }).catch(() => undefined);
  }
}
