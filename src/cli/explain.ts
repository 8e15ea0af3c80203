/** @module `ballast explain`: why an order, a fill, a denial, a write or a gap was as it was, and what keeps a run from quoting now. */
import type { Argv } from 'yargs';
import type { ListedRun, ReadDocuments } from '../bot/operator/index.ts';
import { labeledText } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { runToRead } from './terminal/operate.ts';
import { type Given, jsonOption, textOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

const OPTIONS = {
  run: textOption('Name of a bot, id of a run, or latest'),
  json: jsonOption,
} as const;

/** How many words each question has behind its name: one more is the run. */
const WORDS: Readonly<Record<string, number>> = { order: 1, fill: 1, denial: 1, write: 1, gap: 3, now: 0 };

/** Adds `explain` to the command line. */
export function explainCommand(cli: Argv): Argv {
  return cli.command(
    'explain <what> [words..]',
    'Explain an order, a fill, a denial, a write, a gap, or now',
    (one) =>
      one
        .positional('what', {
          type: 'string',
          demandOption: true,
          describe: 'order, fill, denial, write, gap or now',
        })
        .positional('words', {
          type: 'string',
          array: true,
          describe: 'The id; of a gap its market, bid or ask, and a time',
        })
        .options(OPTIONS)
        .example('$0 explain fill 1234-0-1', 'how the fill came to be')
        .example('$0 explain gap BTC-USD bid 2026-11-27T03:00:00Z', 'why there was no bid'),
    (args) => run(() => explainWords(args.what, (args.words ?? []).map(String), args)),
  );
}

async function explainWords(
  what: string,
  words: readonly string[],
  args: Given<typeof OPTIONS>,
): Promise<number> {
  const count = WORDS[what] ?? words.length;
  const asked = words.slice(0, count);
  const found = await runToRead(args.run ?? words[count]);
  if (what === 'now') return await explainNow(found, args.json === true);
  const { describeExplanation, explain, explainedRun, questionOf } = await import('../bot/explain/index.ts');
  const question = questionOf([what, ...asked, ...words.slice(count + 1)]);
  const explanation = explain(explainedRun(found.runId, found.folder), question);
  if (args.json) writeDocument({ name: found.name, ...explanation });
  else writeLine(describeExplanation(explanation));
  return EXIT.ok;
}

/** What keeps a run that goes on from quoting; of one that ended: how it did. */
async function explainNow(found: ListedRun, isJson: boolean): Promise<number> {
  const { doorOf } = await import('../bot/operator/index.ts');
  if (found.ended !== undefined) {
    const { atMs, reason, isProven } = found.ended;
    const answer = `The run ended at ${new Date(atMs).toISOString()}: ${reason}. Its end is ${isProven ? '' : 'not '}proven.`;
    if (isJson)
      writeDocument({ schema: 1, runId: found.runId, name: found.name, answer, ended: found.ended });
    else writeLine(labeledText('', answer, 0));
    return EXIT.ok;
  }
  const status = await doorOf(found).read('status');
  const { state, reasons, halts, trading, markets, unresolved, inFlight } = status;
  const gaps = markets.flatMap(({ symbol, noQuoteReasons }) =>
    noQuoteReasons.map((reason) => ({ symbol, ...reason })),
  );
  if (isJson)
    writeDocument({
      ...{
        schema: 1,
        runId: found.runId,
        name: found.name,
        state,
        reasons,
        halts,
        trading,
        gaps,
        unresolved,
      },
      inFlight,
    });
  else writeLine(nowWords(status, gaps).join('\n'));
  return EXIT.ok;
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
