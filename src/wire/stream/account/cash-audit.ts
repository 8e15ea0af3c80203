/**
 * @module
 * Compares the cash that the exchange publishes with the sum of the ledger. An entry may come a little after the balance it
 * made, so a difference is one only when it lasts. What the ledger never explained, such as cash from before the
 * history begins, is known once and no difference any more.
 */

/** The cash of one account, in quantums of collateral. */
export class CashAudit {
  #sum = 0n;
  #published: bigint | undefined;
  #accepted = 0n;
  #differsSinceMs: number | undefined;

  /** The sum of all entries. */
  get sum(): bigint {
    return this.#sum;
  }

  /** What the ledger does not explain, and is known for it; 0n where there is no such cash. */
  get accepted(): bigint {
    return this.#accepted;
  }

  /** Since when the published cash and the ledger differ, monotonic milliseconds; `undefined`: they agree. */
  get differsSinceMs(): number | undefined {
    return this.#differsSinceMs;
  }

  /** Another ledger begins. */
  clear(): void {
    this.#sum = 0n;
    this.#published = undefined;
    this.#accepted = 0n;
    this.#differsSinceMs = undefined;
  }

  /** The connection went: what was published means nothing until it is published again. */
  interrupt(): void {
    this.#published = undefined;
    this.#differsSinceMs = undefined;
  }

  /** An entry was applied. */
  add(amount: bigint): void {
    this.#sum += amount;
    if (this.differenceOf(this.#published ?? 0n, this.#sum) === 0n) this.#differsSinceMs = undefined;
  }

  /** The exchange published the cash. */
  publish(collateral: bigint, nowMs: number): void {
    this.#published = collateral;
    if (this.differenceOf(collateral, this.#sum) === 0n) this.#differsSinceMs = undefined;
    else this.#differsSinceMs ??= nowMs;
  }

  /** What cash is beyond a sum of the ledger and what was accepted. */
  differenceOf(collateral: bigint, sum: bigint): bigint {
    return collateral - sum - this.#accepted;
  }

  /** The exchange's own history does not explain this difference. */
  accept(difference: bigint): void {
    this.#accepted += difference;
    this.#differsSinceMs = undefined;
  }
}
