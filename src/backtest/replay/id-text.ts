/**
 * @module
 * Ids of rows as text. The ids of a market's trades rise by ones or so, and to write a large number costs more than
 * everything else about a trade: so the leading digits are kept from one id to the next.
 */
const TAIL = 10_000;

/** See the module. One for each market. */
export class IdText {
  #lead = 0;
  #leadText = '';

  /** The text of an id, a whole number from 0 on: the same as `String(id)`. */
  of(id: number): string {
    if (id < TAIL) return String(id);
    const lead = Math.floor(id / TAIL);
    if (lead !== this.#lead) {
      this.#lead = lead;
      this.#leadText = String(lead);
    }
    // The tail with all of its zeros.
    return this.#leadText + String(id - lead * TAIL + TAIL).slice(1);
  }
}
