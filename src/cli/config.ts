/**
 * @module
 * `ballast config check`: the configuration, its strategies and their parameters, every finding with its location.
 * Connects to nothing and reads no key.
 */
import type { Argv } from 'yargs';
import { configured, run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { configPosition, jsonOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

/** Adds `config` to the command line. */
export function configCommand(cli: Argv): Argv {
  return cli.command('config', 'Check configurations', (group) =>
    group
      .command(
        'check <config>',
        'Check a configuration and its strategies, offline',
        (one) => one.positional('config', configPosition).options({ json: jsonOption }),
        (args) => run(() => check(args.config, args.json === true)),
      )
      .demandCommand(1, 'config: expected a command, got none'),
  );
}

/** Checks a file; throws the ConfigError that names every finding. */
async function check(file: string, isJson: boolean): Promise<number> {
  const source = await configured(file);
  const { describeOperatorStructs, operatorStructs, prepareStrategies } = await import(
    '../bot/setup/index.ts'
  );
  const strategies = await prepareStrategies(source);
  const { config } = source;
  if (config.sweep !== undefined) {
    const { checkAxes, settingsOf } = await import('../research/sweep/index.ts');
    checkAxes(settingsOf(config), strategies);
  }
  const signed = operatorStructs(source);
  const symbols = config.markets.map((market) => market.symbol);
  if (isJson) {
    writeDocument({
      schema: 1,
      file: config.file,
      environment: config.environment.name,
      markets: symbols,
      structs: { replaced: signed.replaced, unused: signed.unused },
      strategies: strategies.map((one) => ({
        name: one.name,
        strategy: one.definition.name,
        file: one.file,
        sha256: one.sha256,
      })),
    });
    return EXIT.ok;
  }
  writeLine(`${config.file}: good`);
  writeLine(`environment ${config.environment.name}, markets ${symbols.join(', ')}`);
  if (config.environment.openapiFile !== undefined) writeLine(`structs ${describeOperatorStructs(signed)}`);
  for (const one of strategies)
    writeLine(
      `strategy ${one.name}: ${one.definition.name} on ${one.symbols.join(', ')}\n  sha256: ${one.sha256}`,
    );
  return EXIT.ok;
}
