/**
 * @module
 * The command line: names, options, help. Each command's work is imported when it runs, so that help and errors come
 * at once. Every command ends with one of the exit codes of `exit-codes.ts`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import yargs, { type Argv } from 'yargs';
import { backtestCommand } from './backtest-command.ts';
import { barsCommand } from './bars-command.ts';
import { calibrateCommand } from './calibrate-command.ts';
import { checked, run } from './command-process.ts';
import { EXIT } from './exit-codes.ts';
import { importCommand } from './import-command.ts';
import {
  configPosition,
  errorWords,
  flagOption,
  forOption,
  jsonOption,
  listOption,
  position,
  seedOption,
  symbolOption,
  tapeOption,
  textOption,
  verboseOption,
  whole,
} from './options.ts';
import { recordCommand } from './record-command.ts';
import { replayCommand } from './replay-command.ts';
import { reportCommand } from './report-command.ts';
import { pageOption } from './report-options.ts';
import { paperCommand, runCommand } from './run-command.ts';
import { simCommand } from './sim-command.ts';
import { sweepCommand } from './sweep-command.ts';
import { workerCommand } from './sweep-worker-command.ts';
import { tapeCommand } from './tape-command.ts';

function demoCommand(cli: Argv): Argv {
  return cli.command(
    'demo',
    'Start the embedded exchange and a market maker on it; no keys, no network',
    (one) =>
      one.options({
        for: forOption,
        json: jsonOption,
        seed: seedOption,
        tape: tapeOption,
        symbol: symbolOption,
        config: textOption('Another configuration than configs/demo.yaml'),
        html: pageOption,
        verbose: verboseOption,
      }),
    (args) =>
      run(async () =>
        (await import('./commands/demo.ts')).demo({
          forMs: args.for,
          isJson: args.json,
          seed: args.seed,
          tape: args.tape,
          symbol: args.symbol,
          config: args.config,
          html: args.html,
          isVerbose: args.verbose,
        }),
      ),
  );
}

function apiCommand(cli: Argv): Argv {
  return cli.command(
    'api <method> <path>',
    'Read from a gateway: ballast api get /v1/markets',
    (one) =>
      one
        .positional('method', position('get; writes are refused'))
        .positional('path', position('Such as /v1/markets/BTC-USD/book'))
        .options({
          'base-url': {
            ...textOption('Address of the gateway, without /v1'),
            default: 'http://127.0.0.1:8787',
          },
          query: listOption('A parameter as name=value; may be given several times'),
          json: flagOption('Print the answer as one line'),
        }),
    (args) =>
      run(async () =>
        (await import('./commands/api.ts')).api({
          method: args.method,
          path: args.path,
          baseUrl: args['base-url'],
          query: args.query ?? [],
          isJson: args.json,
        }),
      ),
  );
}

function configCommand(cli: Argv): Argv {
  return cli.command('config', 'Look at configurations', (group) =>
    group
      .command(
        'check <config>',
        'Check a configuration and its strategies; connects to nothing',
        (one) => one.positional('config', configPosition).options({ json: jsonOption }),
        (args) =>
          run(async () => {
            const config = await checked(args.config);
            return (await import('./commands/config-check.ts')).configCheck({ config, isJson: args.json });
          }),
      )
      .demandCommand(1, 'config: expected a command, found none'),
  );
}

function doctorCommand(cli: Argv): Argv {
  return cli.command(
    'doctor [config]',
    'Check everything a live run needs; each finding with its fix',
    (one) =>
      one
        .positional('config', { type: 'string', default: './ballast.yaml', describe: 'YAML file' })
        .options({ json: jsonOption }),
    (args) =>
      run(async () =>
        (await import('./commands/doctor.ts')).doctor({ config: args.config, isJson: args.json }),
      ),
  );
}

function keysCommand(cli: Argv): Argv {
  return cli.command('keys', 'Make and approve API wallet keys', (group) =>
    group
      .command(
        'new <file>',
        'Make a new API wallet key in a file of mode 600',
        (one) =>
          one.positional('file', position('Where the key goes; must not exist')).options({
            'password-file': textOption('Encrypt the key (keystore v3) with the password in this file'),
            json: jsonOption,
          }),
        (args) =>
          run(async () =>
            (await import('./commands/keys.ts')).keysNew({
              file: args.file,
              passwordFile: args['password-file'],
              isJson: args.json,
            }),
          ),
      )
      .command(
        'approve <config>',
        'Approve the wallets of a configuration; asks for the main wallet key once and stores nothing',
        (one) =>
          one.positional('config', configPosition).options({
            wallet: textOption('Only this wallet'),
            days: {
              ...textOption('Days until the grant expires'),
              default: '90',
              coerce: whole('days', 3650),
            },
            'key-fd': {
              ...textOption('Read the main wallet key from this open file descriptor'),
              coerce: whole('key-fd', 1024),
            },
            json: jsonOption,
          }),
        (args) =>
          run(async () =>
            (await import('./commands/keys.ts')).keysApprove({
              config: args.config,
              wallet: args.wallet,
              days: args.days,
              keyDescriptor: args['key-fd'],
              isJson: args.json,
            }),
          ),
      )
      .demandCommand(1, 'keys: expected a command, found none'),
  );
}

function conformanceCommand(cli: Argv): Argv {
  return cli.command(
    'conformance',
    'Check a gateway against the interface, rule by rule; by default an embedded exchange',
    (one) =>
      one.options({
        url: textOption('Base URL of the gateway, without /v1'),
        keys: textOption('File of mode 600: {"account": "0x...", "apiWallet": "0x..."}'),
        only: textOption('Ids of checks or sections, such as GW-PAGES'),
        json: jsonOption,
        junit: textOption('Write the report as JUnit XML to this file'),
        production: flagOption('Needed when the environment calls itself production'),
        coverage: flagOption('Tell which names of the OpenAPI document nobody saw'),
        verbose: flagOption('Tell each check as it ends'),
      }),
    (args) =>
      run(async () =>
        (await import('./commands/conformance.ts')).conformance({
          url: args.url,
          keys: args.keys,
          only: args.only,
          isJson: args.json,
          junit: args.junit,
          isCoverage: args.coverage,
          isProduction: args.production,
          isVerbose: args.verbose,
        }),
      ),
  );
}

/** The version in package.json, wherever this file was built to. */
function version(): string {
  const files = ['../../package.json', '../../../package.json'].map((up) =>
    fileURLToPath(new URL(up, import.meta.url)),
  );
  const file = files.find((one) => existsSync(one));
  return file === undefined
    ? 'unknown'
    : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

const base = yargs(process.argv.slice(2))
  .scriptName('ballast')
  .usage('$0 <command>\n\nBots for perpetual futures that prove every order, with the exchange in the box.')
  .version(version())
  .strict()
  .recommendCommands()
  .updateStrings(errorWords)
  .demandCommand(1, 'expected a command, found none')
  .wrap(100)
  .fail((message, error, cli) => {
    // A parse error has a message; what a command throws never gets here.
    process.stderr.write(`ballast: ${message ?? error?.message ?? 'unknown error'}\n\n`);
    cli.showHelp('error');
    process.exit(EXIT.usage);
  });

await [
  demoCommand,
  runCommand,
  paperCommand,
  backtestCommand,
  barsCommand,
  calibrateCommand,
  simCommand,
  sweepCommand,
  workerCommand,
  recordCommand,
  tapeCommand,
  configCommand,
  apiCommand,
  doctorCommand,
  keysCommand,
  conformanceCommand,
  replayCommand,
  importCommand,
  reportCommand,
]
  .reduce((cli, add) => add(cli), base as Argv)
  .parseAsync();
