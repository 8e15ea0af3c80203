/** @module The answer to a question about a run, as a document and in words: what `ballast explain` prints. */
import type { ListedRun, ReadDocuments } from '../../bot/operator/index.ts';
import { labeledText } from '../../core/index.ts';

/** An answer. */
export interface Explained {
  /** As `--json` prints it. */
  readonly document: object;
  readonly text: string;
}

/** Answers the words of a question: `now`, or what is looked for and its id. @throws BotError what the room of explanations refuses. */
export async function explained(found: ListedRun, words: readonly string[]): Promise<Explained> {
  if (words[0] === 'now') return await now(found);
  const { describeExplanation, explain, explainedRun, questionOf } = await import(
    '../../bot/explain/index.ts'
  );
  const explanation = explain(explainedRun(found.runId, found.folder), questionOf(words));
  return { document: { name: found.name, ...explanation }, text: describeExplanation(explanation) };
}

/** What keeps a run that goes on from quoting; of one that ended: how it did. */
async function now(found: ListedRun): Promise<Explained> {
  const { doorOf } = await import('../../bot/operator/index.ts');
  if (found.ended !== undefined) {
    const { atMs, reason, isProven } = found.ended;
    const answer = `The run ended at ${new Date(atMs).toISOString()}: ${reason}. Its end is ${isProven ? '' : 'not '}proven.`;
    return {
      document: { schema: 1, runId: found.runId, name: found.name, answer, ended: found.ended },
      text: labeledText('', answer, 0),
    };
  }
  const status = await doorOf(found).read('status');
  const { state, reasons, halts, trading, markets, unresolved, inFlight } = status;
  const gaps = markets.flatMap(({ symbol, noQuoteReasons }) =>
    noQuoteReasons.map((reason) => ({ symbol, ...reason })),
  );
  const { runId, name } = found;
  return {
    document: { schema: 1, runId, name, state, reasons, halts, trading, gaps, unresolved, inFlight },
    text: nowWords(status, gaps).join('\n'),
  };
}

/** Where the texts behind a label begin. */
const TEXT_AT = 12;

type Status = ReadDocuments['status'];
type Gap = Status['markets'][number]['noQuoteReasons'][number] & { readonly symbol: string };

function nowWords({ state, reasons, halts, unresolved }: Status, gaps: readonly Gap[]): readonly string[] {
  const quoted = gaps.length === 0 ? ['Each strategy has an order on both sides of its markets.'] : [];
  return [
    labeledText('', `The run is ${state}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}.`, 0),
    ...halts.map(({ scope, control, reason }) =>
      labeledText('halted', `${scope} by ${control}: ${reason}`, TEXT_AT),
    ),
    ...(unresolved === 0 ? [] : [labeledText('writes', `${unresolved} have no proven outcome yet`, TEXT_AT)]),
    ...quoted,
    ...gaps.map(({ symbol, strategy, side, code, reason, durationMs }) =>
      labeledText(
        'gap',
        `${strategy} ${symbol} ${side}, for ${Math.round(durationMs / 1_000)} s: ${code}, ${reason}`,
        TEXT_AT,
      ),
    ),
  ];
}
