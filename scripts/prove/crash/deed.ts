/**
 * @module
 * What a case does to its world: it waits for its moment, strikes, and looks at what only it can know.
 */

/** The deed of one case. */
export interface Deed {
  /** It did what the case is about. */
  readonly isReached: boolean;
  /** How often the bot died, or had to halt. */
  readonly deaths: number;
  readonly violations: readonly string[];
}
