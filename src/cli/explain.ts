/** @module `ballast explain`: why an order, a fill, a denial, a write or a gap was as it was, and what keeps a run from quoting now. */
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { explained } from './terminal/explained.ts';
import { type Given, jsonOption, textOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { runToRead } from './terminal/run-actions.ts';

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
  const found = await runToRead(args.run ?? words[count]);
  const question = [what, ...words.slice(0, count), ...words.slice(count + 1)];
  const { document, text } = await explained(found, question);
  if (args.json === true) writeDocument(document);
  else writeLine(text);
  return EXIT.ok;
}
