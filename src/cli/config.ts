/**
 * @module
 * `ballast config check`: the configuration, its strategies and their parameters, every finding with its location.
 * Connects to nothing and reads no key. With `--lock` it writes the lock of their code. `ballast config schema`: what an
 * editor checks a configuration by, the parameters of its strategies included.
 */
import { writeFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import { configured, run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { configPosition, flagOption, type Given, jsonOption, textOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';
import { schemaTextOf } from './terminal/schema-text.ts';
import { writing } from './terminal/writing.ts';

const CHECK = {
  lock: flagOption('Write the lock: every file that strategies load'),
  json: jsonOption,
} as const;

const SCHEMA = {
  out: textOption('Write it to this file'),
} as const;

/** Adds `config` to the command line. */
export function configCommand(cli: Argv): Argv {
  return cli.command('config', 'Check configurations', (group) =>
    group
      .command(
        'check <config>',
        'Check a configuration and its strategies, offline',
        (one) => one.positional('config', configPosition).options(CHECK),
        (args) => run(() => check(args.config, args)),
      )
      .command(
        'schema [config]',
        'Print the JSON Schema for editors',
        (one) => one.positional('config', { ...configPosition, demandOption: false }).options(SCHEMA),
        (args) => run(() => schema(args.config, args)),
      )
      .demandCommand(1, 'config: expected a command, got none'),
  );
}

/** Checks a file; throws the ConfigError that names every finding. */
async function check(file: string, args: Given<typeof CHECK>): Promise<number> {
  const source = await configured(file);
  const { describeOperatorStructs, lockFileOf, lockStrategies, operatorStructs, prepareStrategies } =
    await import('../bot/setup/index.ts');
  const locked = args.lock ? await lockStrategies(source) : undefined;
  const strategies = locked?.strategies ?? (await prepareStrategies(source));
  const lock = locked && { file: lockFileOf(source.config.file), files: locked.files };
  const { config } = source;
  if (config.sweep !== undefined) {
    const { checkAxes, settingsOf } = await import('../research/sweep/index.ts');
    checkAxes(settingsOf(config), strategies);
  }
  const { liveNeeds } = await import('../config/index.ts');
  const needs = liveNeeds(source).map(({ key }) => key);
  const signed = operatorStructs(source);
  const symbols = config.markets.map((market) => market.symbol);
  if (args.json) {
    writeDocument({
      schema: 1,
      file: config.file,
      environment: config.environment.name,
      markets: symbols,
      missingForLive: needs,
      structs: { replaced: signed.replaced, unused: signed.unused },
      strategies: strategies.map((one) => ({
        name: one.name,
        strategy: one.definition.name,
        file: one.file,
        sha256: one.sha256,
      })),
      ...(lock === undefined ? {} : { lock }),
    });
    return EXIT.ok;
  }
  writeLine(`${config.file}: good`);
  writeLine(`environment ${config.environment.name}, markets ${symbols.join(', ')}`);
  if (needs.length > 0) writeLine(`records and trades on paper; orders need ${needs.join(', ')}`);
  if (config.environment.openapiFile !== undefined) writeLine(`structs ${describeOperatorStructs(signed)}`);
  for (const one of strategies)
    writeLine(
      `strategy ${one.name}: ${one.definition.name} on ${one.symbols.join(', ')}\n  sha256: ${one.sha256}`,
    );
  if (lock !== undefined) writeLine(`lock ${lock.file}: ${lock.files} files`);
  return EXIT.ok;
}

/** Prints the schema of a configuration, or writes it; without one that of any, whose parameters are open. */
async function schema(file: string | undefined, { out }: Given<typeof SCHEMA>): Promise<number> {
  const text = await schemaTextOf(file === undefined ? undefined : await configured(file));
  if (out === undefined) {
    writeLine(text);
    return EXIT.ok;
  }
  writing(out, () => writeFileSync(out, `${text}\n`));
  return EXIT.ok;
}
