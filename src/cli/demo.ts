/**
 * @module `ballast demo`: the embedded exchange as its own process and a market maker on it. No keys, no network.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { BotError, INSTALLATION } from '../core/index.ts';
import { configured, run } from './terminal/command-process.ts';
import {
  durationOption,
  htmlOption,
  jsonOption,
  seedOption,
  symbolOption,
  tapeOption,
  textOption,
  verboseOption,
} from './terminal/options.ts';

const OPTIONS = {
  duration: durationOption,
  json: jsonOption,
  seed: seedOption,
  tape: tapeOption,
  symbol: symbolOption,
  config: textOption('Use this configuration instead of configs/demo.yaml'),
  html: htmlOption,
  verbose: verboseOption,
} as const;

/** Adds `demo` to the command line. */
export function demoCommand(cli: Argv): Argv {
  return cli.command(
    'demo',
    'Run a market maker on the embedded exchange; no keys',
    (one) => one.options(OPTIONS),
    (args) =>
      run(async () => {
        const source = await configured(args.config ?? shippedConfig());
        const { finish, openSession, runSessionOnSim } = await import('./terminal/session.ts');
        const session = openSession(source, args);
        const { seed, tape, symbol } = args;
        const report = await runSessionOnSim(session, { mode: 'demo', seed, tape, symbol });
        return finish(session, report, args.json);
      }),
  );
}

/** configs/demo.yaml of this installation. */
function shippedConfig(): string {
  const file = join(INSTALLATION, 'configs', 'demo.yaml');
  if (existsSync(file)) return file;
  throw new BotError({
    code: 'CONFIG_DEMO_MISSING',
    message: 'expected configs/demo.yaml in this installation, got none',
    remedy: 'Install ballast again, or name a configuration with --config.',
  });
}
