/**
 * @module
 * `ballast config check`: the configuration, its strategies and their parameters, every finding with its place.
 * Connects to nothing and reads no key.
 */
import { describeOperatorStructs, operatorStructs, prepareToTrade } from '../../bot/setup/index.ts';
import { loadConfig } from '../../config/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';

/** Checks a file; throws the ConfigError that names every finding. */
export async function configCheck(options: {
  readonly config: string;
  readonly isJson: boolean;
}): Promise<number> {
  const source = loadConfig(options.config);
  const strategies = await prepareToTrade(source);
  const { config } = source;
  const signed = operatorStructs(source);
  if (options.isJson) {
    writeDocument({
      schema: 1,
      file: config.file,
      environment: config.environment.name,
      markets: config.markets.map((market) => market.symbol),
      structs: { replaced: signed.replaced, unused: signed.unused },
      strategies: strategies.map(({ name, definition, file, sha256 }) => ({
        name,
        strategy: definition.name,
        file,
        sha256,
      })),
    });
    return EXIT.ok;
  }
  writeLine(`${config.file}: good`);
  writeLine(
    `environment ${config.environment.name}, markets ${config.markets.map((market) => market.symbol).join(', ')}`,
  );
  if (config.environment.openapiFile !== undefined) writeLine(`structs ${describeOperatorStructs(signed)}`);
  for (const { name, definition, symbols, sha256 } of strategies)
    writeLine(`strategy ${name}: ${definition.name} on ${symbols.join(', ')}\n  sha256: ${sha256}`);
  return EXIT.ok;
}
