/**
 * @module
 * `ballast keys new` and `ballast keys approve`. The main wallet's key is read once, from a terminal without echo or from
 * an open file descriptor, and is kept nowhere; never from an argument or the environment.
 */
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { configPosition, type Given, jsonOption, position, textOption, whole } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { askSecret } from './terminal/secret-prompt.ts';

const NEW = {
  'password-file': textOption('Encrypt the key (keystore v3) with the password in this file'),
  json: jsonOption,
} as const;

const APPROVE = {
  wallet: textOption('Approve only this wallet'),
  days: {
    ...textOption('Let the grant expire after this many days'),
    default: '90',
    coerce: whole('days', 3650),
  },
  'key-fd': {
    ...textOption('Read the main wallet key from this open file descriptor'),
    coerce: whole('key-fd', 1024),
  },
  json: jsonOption,
} as const;

/** Adds `keys` to the command line. */
export function keysCommand(cli: Argv): Argv {
  return cli.command('keys', 'Make and approve API wallet keys', (group) =>
    group
      .command(
        'new <file>',
        'Make an API wallet key in a file of mode 600',
        (one) => one.positional('file', position('Path of the key file; must not exist')).options(NEW),
        (args) => run(() => keysNew(args.file, args)),
      )
      .command(
        'approve <config>',
        'Approve API wallets; asks for the main wallet key once',
        (one) => one.positional('config', configPosition).options(APPROVE),
        (args) => run(() => keysApprove(args.config, args)),
      )
      .demandCommand(1, 'keys: expected a command, got none'),
  );
}

/** Makes a key file of mode 600; prints its address. @throws ConfigError when the file exists. */
async function keysNew(file: string, args: Given<typeof NEW>): Promise<number> {
  const { makeKeyFile } = await import('../bot/live/index.ts');
  const made = await makeKeyFile({ file, passwordFile: args['password-file'] });
  if (args.json) writeDocument(made);
  else
    writeLine(
      `${made.address} in ${made.file} (${made.kind}, mode 600)\nApprove it with: ballast keys approve <config>`,
    );
  return EXIT.ok;
}

/** Approves the wallets of a configuration at its gateway; prints each grant. */
async function keysApprove(config: string, args: Given<typeof APPROVE>): Promise<number> {
  const { approveWallets } = await import('../bot/live/index.ts');
  const grants = await approveWallets({
    config,
    wallet: args.wallet,
    days: args.days,
    askMainKey: () => askSecret('main wallet private key (not stored): ', args['key-fd']),
  });
  if (args.json) writeDocument({ schema: 1, grants });
  else
    for (const grant of grants)
      writeLine(
        `${grant.name} ${grant.address}: approved until ${grant.validUntil}, receipt ${grant.requestId}, seq ${grant.seq}`,
      );
  return EXIT.ok;
}
