/** @module Questions about a run, and their answers. */
import type { Explanation } from './explanation.ts';
import { explainGap } from './gaps.ts';
import { explainDenial, explainFill, explainOrder, explainWrite } from './orders.ts';
import type { Question } from './question.ts';
import { type ExplainedRun, Sources } from './sources.ts';

/** Answers a question about a run from its journal and its log, which may be in use. @throws BotError `EXPLAIN_...`, `JOURNAL_CORRUPT`. */
export function explain(run: ExplainedRun, question: Question): Explanation {
  return explaining(run, (answer) => answer(question));
}

/**
 * Hands `ask` what answers questions about a run, and closes its files behind it: many questions open the journal once.
 * Files that the journal begins meanwhile are not looked at. @throws BotError `EXPLAIN_...`, `JOURNAL_CORRUPT`.
 */
export function explaining<T>(run: ExplainedRun, ask: (answer: (question: Question) => Explanation) => T): T {
  const sources = new Sources(run);
  try {
    return ask((question) => answerTo(sources, question));
  } finally {
    sources.close();
  }
}

function answerTo(sources: Sources, question: Question): Explanation {
  switch (question.what) {
    case 'order':
      return explainOrder(sources, question.id);
    case 'fill':
      return explainFill(sources, question.id);
    case 'denial':
      return explainDenial(sources, question.id);
    case 'write':
      return explainWrite(sources, question.id);
    case 'gap':
      return explainGap(sources, question);
  }
}
