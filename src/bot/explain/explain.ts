/** @module One question, one answer. */
import type { Explanation } from './explanation.ts';
import { explainGap } from './gaps.ts';
import { explainDenial, explainFill, explainOrder, explainWrite } from './orders.ts';
import type { Question } from './question.ts';
import { type ExplainedRun, Sources } from './sources.ts';

/**
 * Answers a question about a run from its journal and its log, which may be in use. Who has many opens {@link Sources}: that takes
 * longer than most answers. @throws BotError `EXPLAIN_...`, `JOURNAL_CORRUPT`.
 */
export function explain(run: ExplainedRun | Sources, question: Question): Explanation {
  if (run instanceof Sources) return answerTo(run, question);
  const sources = new Sources(run);
  try {
    return answerTo(sources, question);
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
