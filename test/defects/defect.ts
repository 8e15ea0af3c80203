/**
 * @module
 * A wrong exchange: the embedded one with one piece of a source file changed as it is loaded (the machinery of the wrong
 * clients, test/mutants/apply.ts). A defect names the check of the conformance suite that must fail because of it.
 */
import type { RuleId } from '../../src/conformance/rules.ts';
import type { Patch } from '../mutants/mutant.ts';

/** One wrong exchange. */
export interface Defect extends Patch {
  /** Names it, in kebab case. */
  readonly id: string;
  /** The check that must fail, and by that name the rule that is broken. */
  readonly check: RuleId;
  /** What the exchange does wrong, in one sentence. */
  readonly what: string;
}
