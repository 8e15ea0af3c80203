/**
 * @module
 * `ballast keys`: key files of API wallets, and their grants. The main wallet's key is read once, from a terminal without
 * echo or from an open file descriptor, and is kept nowhere; never from an argument or the environment. With `--offline` it
 * is not on this machine at all.
 */
import type { Argv } from 'yargs';
import type { GrantAction, MadeGrant } from '../bot/live/index.ts';
import { labeledText } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { configPosition, type Given, jsonOption, position, textOption, whole } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { askSecret } from './terminal/secret-prompt.ts';

const keyFdOption = (what: string) => ({
  ...textOption(`Read ${what} from this open file descriptor`),
  coerce: whole('key-fd', 1024),
});

const NEW = {
  'password-file': textOption('Encrypt the key (keystore v3) with the password in this file'),
  json: jsonOption,
} as const;

const IMPORT = { ...NEW, 'key-fd': keyFdOption('the key') } as const;

const LIST = { json: jsonOption } as const;

const CHANGE = {
  offline: textOption('Write what the main wallet has to sign to this file'),
  signature: {
    ...textOption('Send the file of --offline with this signature of it'),
    implies: 'offline',
  },
  'key-fd': { ...keyFdOption('the main wallet key'), conflicts: 'offline' },
  json: jsonOption,
} as const;

const APPROVE = {
  wallet: textOption('Approve only this wallet'),
  days: {
    ...textOption('Let the grant expire after this many days (0: never)'),
    default: '90',
    coerce: whole('days', 3650),
  },
  ...CHANGE,
} as const;

/** Adds `keys` to the command line. */
export function keysCommand(cli: Argv): Argv {
  return cli.command('keys', 'Make API wallet keys, and approve or revoke them', (group) =>
    group
      .command(
        'new <file>',
        'Make an API wallet key in a file of mode 600',
        (one) => one.positional('file', position('Path of the key file; must not exist')).options(NEW),
        (args) => run(() => keysNew(args.file, args)),
      )
      .command(
        'import <file>',
        'Write a key you have to a file of mode 600; asks for it',
        (one) => one.positional('file', position('Path of the key file; must not exist')).options(IMPORT),
        (args) => run(() => keysImport(args.file, args)),
      )
      .command(
        'list <config>',
        'List the grants of the account',
        (one) => one.positional('config', configPosition).options(LIST),
        (args) => run(() => keysList(args.config, args)),
      )
      .command(
        'approve <config>',
        'Approve API wallets; asks for the main wallet key once',
        (one) => one.positional('config', configPosition).options(APPROVE),
        (args) => run(() => keysChange(args.config, args.wallet, args, { kind: 'approve', days: args.days })),
      )
      .command(
        'revoke <config> <wallet>',
        'Take the grant of an API wallet away; as approve',
        (one) =>
          one
            .positional('config', configPosition)
            .positional('wallet', position('Name in the configuration, or address'))
            .options(CHANGE),
        (args) => run(() => keysChange(args.config, args.wallet, args, { kind: 'revoke' })),
      )
      .demandCommand(1, 'keys: expected a command, got none'),
  );
}

/** Makes a key file of mode 600; prints its address. @throws ConfigError when the file exists. */
async function keysNew(file: string, args: Given<typeof NEW>): Promise<number> {
  const { makeKeyFile } = await import('../bot/live/index.ts');
  return showKeyFile(await makeKeyFile({ file, passwordFile: args['password-file'] }), args);
}

/** As {@link keysNew}, with a key that is asked for. */
async function keysImport(file: string, args: Given<typeof IMPORT>): Promise<number> {
  const { makeKeyFile } = await import('../bot/live/index.ts');
  const askKey = () => askSecret('API wallet private key: ', args['key-fd']);
  return showKeyFile(await makeKeyFile({ file, passwordFile: args['password-file'], askKey }), args);
}

function showKeyFile(
  made: { readonly address: string; readonly file: string; readonly kind: string },
  { json }: { readonly json?: boolean | undefined },
): number {
  if (json) writeDocument(made);
  else
    writeLine(
      `${made.address} in ${made.file} (${made.kind}, mode 600)\nApprove it with: ballast keys approve <config>`,
    );
  return EXIT.ok;
}

/** The grants of the account, a line each. */
async function keysList(config: string, { json }: Given<typeof LIST>): Promise<number> {
  const { listGrants } = await import('../bot/live/index.ts');
  const grants = await listGrants(config);
  if (json) writeDocument({ schema: 1, grants });
  else if (grants.length === 0) writeLine('no API wallet is approved');
  else
    for (const { name, address, validUntil, isExpired } of grants)
      writeLine(`${name} ${address}: ${isExpired ? 'expired at' : 'until'} ${validUntil}`);
  return EXIT.ok;
}

/** Changes grants at the gateway of a configuration; prints each. */
async function keysChange(
  config: string,
  wallet: string | undefined,
  args: Given<typeof CHANGE>,
  action: GrantAction,
): Promise<number> {
  const { offline, signature, json } = args;
  const { changeGrants, sendSignedGrant, writeGrantRequest } = await import('../bot/live/index.ts');
  if (offline === undefined) {
    const ask = () => askSecret('main wallet private key (not stored): ', args['key-fd']);
    return showGrants(await changeGrants({ config, wallet }, action, ask), json);
  }
  if (signature !== undefined) return showGrants(await sendSignedGrant(config, offline, signature), json);
  const request = await writeGrantRequest({ config, wallet }, action, offline);
  if (json) writeDocument(request);
  else for (const line of describeRequest(config, offline, request)) writeLine(line);
  return EXIT.ok;
}

function showGrants(grants: readonly MadeGrant[], isJson: boolean | undefined): number {
  if (isJson) writeDocument({ schema: 1, grants });
  else
    for (const { name, address, validUntil, requestId, seq } of grants) {
      const what = validUntil === 'revoked' ? 'revoked' : `approved until ${validUntil}`;
      writeLine(`${name} ${address}: ${what}, receipt ${requestId}, seq ${seq}`);
    }
  return EXIT.ok;
}

/** What a person has to know before the signature. */
function describeRequest(
  config: string,
  file: string,
  request: Awaited<ReturnType<typeof import('../bot/live/index.ts')['writeGrantRequest']>>,
): readonly string[] {
  const { change, wallet, agent, account, subaccount, validUntilMs, nonce } = request;
  const until = validUntilMs === 0 ? 'without end' : `until ${new Date(validUntilMs).toISOString()}`;
  const words = [
    `${file}: typed data (EIP-712) for the main wallet ${account}`,
    change === 'approve'
      ? `lets ${agent} (${wallet}) trade on subaccount ${subaccount} ${until}: orders, cancels, leverage; no withdrawals, transfers or grants`
      : `takes the grant of ${agent} (${wallet}) on subaccount ${subaccount} away`,
    `nonce ${nonce}: void as soon as the main wallet signs another write`,
    'Sign it as eth_signTypedData_v4 does (hardware wallet, other machine), then:',
  ];
  return [
    ...words.map((text) => labeledText('', text, 0)),
    // In one line, so that it can be copied.
    `  ballast keys ${change} ${config}${change === 'revoke' ? ` ${agent}` : ''} --offline ${file} --signature 0x...`,
  ];
}
