/**
 * @module
 * Which ledger runs and which are gone. An epoch is an opaque text (ambiguity A12): that one came after the other is only
 * known from having left the other. Replicas that are behind show an old one for a while, which is never gone back to. A
 * component that has never seen it takes it for the next one: the answer to a write, which only the one that runs can give, ends that.
 */

/** What an epoch that was heard of is. */
export type EpochKind = 'same' | 'past' | 'first' | 'next';

/** What a start knows of ledgers. */
export interface FoundEpochs {
  /** Of the list of open orders, which may leave it out. */
  readonly listed: string | undefined;
  /** Of the account's ledger in the journal. */
  readonly books: string | undefined;
  /** Of the writes that a previous run left open. */
  readonly left: readonly string[];
}

/** The ledgers of one environment. */
export class Epochs {
  #current = '';
  readonly #past = new Set<string>();

  /** Empty: not known. */
  get current(): string {
    return this.#current;
  }

  /**
   * At a start. What was left open in another ledger than that of the accounts, or than one heard of since, is of one that
   * is gone, and so are accounts of another one than was heard of; a replica may show it in the list too. A list of another
   * ledger than the one heard of since is no proof either: that one would be heard of as well. False for both: the list
   * says nothing then.
   */
  begin({ listed, books, left }: FoundEpochs): boolean {
    const isHeard = this.#current !== '';
    const known = isHeard ? this.#current : books;
    for (const epoch of [...left, books])
      if (known !== undefined && epoch !== undefined && epoch !== known) this.#past.add(epoch);
    const isDoubtful =
      listed !== undefined && (this.#past.has(listed) || (isHeard && listed !== this.#current));
    this.#current = (isDoubtful ? undefined : listed) ?? known ?? '';
    return !isDoubtful;
  }

  /**
   * Takes one that was heard of: it is the current one from now on, unless it is past. `signedIn`: it was heard of by the
   * answer to a write that was signed in that one, and has run since: is that the current one still, it was a past one.
   */
  take(epoch: string, signedIn?: string): EpochKind {
    if (epoch === this.#current) return 'same';
    if (signedIn === this.#current) this.#past.delete(epoch);
    if (this.#past.has(epoch)) return 'past';
    const isFirst = this.#current === '';
    if (!isFirst) this.#past.add(this.#current);
    this.#current = epoch;
    return isFirst ? 'first' : 'next';
  }
}
