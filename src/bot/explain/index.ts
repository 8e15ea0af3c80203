/** @module Why something of a run was as it was: orders, fills, denials, writes, and sides without an order. */
export { explain } from './explain.ts';
export { describeExplanation } from './explanation.ts';
export { questionOf } from './question.ts';
export { explainedRun, keepJournalCopy, keepRunFacts, readRunFacts } from './run-facts.ts';
