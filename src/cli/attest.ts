/** @module `ballast attest`: what a run earned, line by line, signed; and the check of such a document. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import { BotError, labeledText, messageOf, whyUnreadable } from '../core/index.ts';
import { columns } from './terminal/columns.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { type Given, jsonOption, textOption, urlOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { runToRead } from './terminal/run-actions.ts';

const OPTIONS = {
  out: textOption('File for the document'),
  url: urlOption('url', 'Of verify: the gateway to read; else the one of the document'),
  proxy: urlOption('proxy', 'Of verify: outgoing proxy, as http://host:port'),
  'ca-file': textOption('Of verify: file with certificates to believe, as caFile'),
  json: jsonOption,
} as const;

/** Adds `attest` to the command line. */
export function attestCommand(cli: Argv): Argv {
  return cli.command(
    'attest <run> [file]',
    'Attest what a run earned, or verify an attestation',
    (one) =>
      one
        .positional('run', {
          type: 'string',
          demandOption: true,
          describe: 'Name, id or latest; or the word verify',
        })
        .positional('file', { type: 'string', describe: 'Of verify: the document' })
        .options(OPTIONS),
    (args) => run(() => (args.run === 'verify' ? verify(args.file, args) : attest(args.run, args))),
  );
}

async function attest(name: string, { out, json }: Given<typeof OPTIONS>): Promise<number> {
  const { attestationText, attestRun } = await import('../bot/live/index.ts');
  const attestation = await attestRun(await runToRead(name));
  const text = attestationText(attestation);
  if (out !== undefined) writeWhole(out, text);
  if (json || out === undefined) writeDocument(attestation);
  const { statement, signer } = attestation;
  if (!json) {
    const rows = statement.lines.map(({ line, amount, entries }) => [
      line,
      amount,
      `${entries.length} entries`,
    ]);
    const owners = statement.owners.map(({ owner, change }) => [owner, change, '']);
    writeLine(
      columns([
        ['LINE', 'QUANTUMS', ''],
        ...rows,
        ['equity change', statement.equityChange, ''],
        ['residual', statement.residual, ''],
        ...owners,
      ]),
    );
    writeLine(`signed by ${signer}`);
  }
  return EXIT.ok;
}

async function verify(
  file: string | undefined,
  { url, proxy, 'ca-file': caFile, json }: Given<typeof OPTIONS>,
): Promise<number> {
  const { verifyAttestation } = await import('../bot/live/index.ts');
  const { document, ...found } = await verifyAttestation(readWhole(file), { url, proxy, caFile });
  const { differences, unseen } = found;
  if (json) writeDocument({ schema: 1, runId: document.runId, isTrue: differences.length === 0, ...found });
  else {
    writeLine(
      differences.length === 0
        ? `run ${document.runId}: every line agrees with ${found.url}`
        : differences.map((text) => labeledText('', text, 0)).join('\n'),
    );
    for (const text of unseen) writeLine(labeledText('', `not to be seen: ${text}`, 0));
  }
  return differences.length === 0 ? EXIT.ok : EXIT.failure;
}

function readWhole(file: string | undefined): string {
  try {
    return readFileSync(file ?? '', 'utf8');
  } catch (cause) {
    throw unusable(`expected a file to verify, but ${whyUnreadable(file ?? '', cause)}`, cause);
  }
}

function writeWhole(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (cause) {
    throw unusable(`expected to write ${file}, but ${messageOf(cause)}`, cause);
  }
}

function unusable(message: string, cause: unknown): BotError {
  return new BotError({
    code: 'ATTEST_FILE_UNUSABLE',
    message,
    remedy: 'Name a file that `ballast attest` has written, or can write.',
    cause,
  });
}
