/**
 * @module
 * Strategies to start from, each with its test, configuration and study: the files of `templates/`, with the name that
 * they get. What this does not do: overwrite anything.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ConfigError, INSTALLATION, isOfSystem, makeFolder } from '../../core/index.ts';
import { schemaTextOf } from './schema-text.ts';
import { unwritable } from './writing.ts';

/** What a strategy may start from. */
export const TEMPLATES = ['maker', 'taker', 'hedge', 'bars'] as const;

/** True in a clone, whose sources run as they are. */
export const IS_CLONE = existsSync(join(INSTALLATION, 'src', 'cli', 'main.ts'));

/** How the files of a template call themselves. */
const PLACEHOLDER = 'my-strategy';
/** Where a study finds the sample tape once the project is installed. */
const INSTALLED_TAPE = '../node_modules/ballast/backtest/tapes/sample';

/** The text of a file of `templates/`. */
export function templateText(...path: readonly string[]): string {
  return readFileSync(join(INSTALLATION, 'templates', ...path), 'utf8');
}

/** A path as files of a project name it: the same on every machine. */
export function pathFrom(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/');
}

/**
 * Writes a strategy with its test, configuration, schema and study into a project; their paths in it.
 * @throws ConfigError `CONFIG_STRATEGY_EXISTS` when one of them is there, before anything is written; BotError
 *   `REPORT_FILE_UNWRITABLE`, with none of them left.
 */
export async function writeStrategy(
  project: string,
  { name, template, willBeInstalled }: { name: string; template: string; willBeInstalled: boolean },
): Promise<readonly string[]> {
  const schema = join('configs', `${name}.schema.json`);
  const config = join('configs', `${name}.yaml`);
  const files = readdirSync(join(INSTALLATION, 'templates', template)).map((file) => {
    const text = templateText(template, file).replaceAll(PLACEHOLDER, name);
    const isCode = file.endsWith('.ts');
    const folder = isCode ? 'strategies' : file === 'study.yaml' ? 'studies' : 'configs';
    const path = join(folder, isCode ? file.replace(PLACEHOLDER, name) : `${name}.yaml`);
    return [path, text] as const;
  });
  const there = [schema, ...files.map(([path]) => path)].filter((path) => existsSync(join(project, path)));
  if (there.length > 0)
    throw new ConfigError({
      code: 'CONFIG_STRATEGY_EXISTS',
      message: `expected no files of a strategy ${name}, got ${there.join(', ')}`,
      remedy: 'Choose another name, or remove these files.',
    });
  const tape =
    willBeInstalled || existsSync(join(project, 'node_modules', 'ballast'))
      ? INSTALLED_TAPE
      : pathFrom(join(project, 'studies'), join(INSTALLATION, 'backtest', 'tapes', 'sample'));
  const made = [...files.map(([path]) => path), schema];
  try {
    for (const [path, text] of files) {
      makeFolder(dirname(join(project, path)));
      writeFileSync(join(project, path), text.replaceAll(INSTALLED_TAPE, tape), { flag: 'wx' });
    }
    const { loadConfig } = await import('../../config/index.ts');
    writeFileSync(join(project, schema), `${await schemaTextOf(loadConfig(join(project, config)))}\n`);
  } catch (thrown) {
    // None of them was there: what is half written must not look like a strategy, nor keep the next try from its name.
    for (const path of made) rmSync(join(project, path), { force: true });
    throw isOfSystem(thrown) ? unwritable(project, thrown) : thrown;
  }
  return made.sort();
}
