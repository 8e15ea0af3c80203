/**
 * @module
 * `ballast init <folder>`: a project with a strategy, its test, a configuration, a study, and the scripts to run them. It
 * depends on the ballast that made it: on its version, or on the file or the folder that it came from.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Argv } from 'yargs';
import {
  ConfigError,
  INSTALLATION,
  isOfSystem,
  isRecord,
  makeFolder,
  PRIVATE_FOLDER,
  parseJson,
} from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { type Given, position } from './terminal/options.ts';
import { writeLine } from './terminal/output.ts';
import { IS_CLONE, pathFrom, TEMPLATES, templateText, writeStrategy } from './terminal/templates.ts';
import { unwritable } from './terminal/writing.ts';

const OPTIONS = {
  template: {
    choices: TEMPLATES,
    default: 'maker' as const,
    describe: 'Start with this strategy',
  },
} as const;

/** What editors start a debugger by. */
const LAUNCH = join('.vscode', 'launch.json');

/** Adds `init` to the command line. */
export function initCommand(cli: Argv): Argv {
  return cli.command(
    'init <folder>',
    'Make a project with a strategy, its test and a study',
    (one) => one.positional('folder', position('Folder of the project; must be empty')).options(OPTIONS),
    (args) => run(() => init(args.folder, args)),
  );
}

async function init(given: string, { template }: Given<typeof OPTIONS>): Promise<number> {
  const project = resolve(given);
  const there = existsSync(project) ? readdirSync(project) : [];
  if (there.length > 0)
    throw new ConfigError({
      code: 'CONFIG_PROJECT_EXISTS',
      message: `expected ${project} to be empty, got ${there.slice(0, 5).join(', ')}`,
      remedy: 'Name a new folder; `ballast new strategy` adds a strategy to a project.',
    });
  const files = await written(project, template).catch((thrown: unknown) => {
    // It was empty: half a project would keep the next try from its folder.
    if (existsSync(project))
      for (const name of readdirSync(project)) rmSync(join(project, name), { recursive: true });
    throw isOfSystem(thrown) ? unwritable(project, thrown) : thrown;
  });
  for (const file of files) writeLine(join(given, file));
  writeLine(`Next: cd ${given} && npm install && npm test && npm run backtest`);
  return EXIT.ok;
}

/** Writes a project; its files. */
async function written(
  project: string,
  template: Given<typeof OPTIONS>['template'],
): Promise<readonly string[]> {
  makeFolder(project);
  makeFolder(join(project, 'keys'), PRIVATE_FOLDER);
  makeFolder(join(project, dirname(LAUNCH)));
  const name = basename(project);
  const files: readonly (readonly [string, string])[] = [
    ['package.json', `${JSON.stringify(manifestOf(project, template), undefined, 2)}\n`],
    ['tsconfig.json', tsconfigText()],
    ['README.md', templateText('project', 'README.md').replace('my-project', name)],
    ['.gitignore', templateText('project', 'gitignore')],
    ['.npmrc', templateText('project', 'npmrc')],
    [LAUNCH, templateText('project', 'launch.json').replaceAll('my-strategy', template)],
  ];
  for (const [file, text] of files) writeFileSync(join(project, file), text);
  const strategy = await writeStrategy(project, { name: template, template, willBeInstalled: true });
  return [...files.map(([path]) => path), ...strategy];
}

function manifestOf(project: string, name: string): object {
  const { version, devDependencies } = ownManifest();
  const [config, study] = [`configs/${name}.yaml`, `studies/${name}.yaml`];
  const page = `--html results/${name}.html`;
  const sweep = `ballast sweep ${study} --out results/${name}-sweep`;
  return {
    name: packageName(basename(project)),
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      start: `ballast run ${config}`,
      test: `node ${IS_CLONE ? '--conditions=ballast-source ' : ''}--test "strategies/**/*.test.ts"`,
      examine: `ballast examine ${config}`,
      check: `tsc && ballast config check ${config} && ballast config check ${study}`,
      backtest: `ballast backtest ${study} ${page}`,
      ...(name === 'bars'
        ? {
            bars: `ballast bars ${study} ${page}`,
            sweep: `ballast bars ${study} --sweep --out results/${name}-sweep`,
          }
        : { sweep }),
      paper: `ballast paper ${config}`,
      schema: `ballast config schema ${config} --out configs/${name}.schema.json`,
    },
    dependencies: { ballast: sourceOf(project) ?? version },
    devDependencies: {
      '@types/node': devDependencies['@types/node'],
      typescript: devDependencies['typescript'],
    },
    // Its install script would only look for a binary, which the package holds.
    allowScripts: { secp256k1: false },
  };
}

interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function ownManifest(): Manifest {
  return JSON.parse(readFileSync(join(INSTALLATION, 'package.json'), 'utf8')) as Manifest;
}

/** The file or folder that this ballast came from, as a project depends on it; `undefined`: a registry. */
function sourceOf(project: string): string | undefined {
  const place = IS_CLONE ? INSTALLATION : packedFile();
  return place && `file:${pathFrom(project, place)}`;
}

/** The file that npm notes in the folder of packages, or another installer leaves in the `package.json` that asked for it. */
function packedFile(): string | undefined {
  const packages = dirname(INSTALLATION);
  const noted = textAt(join(packages, '.package-lock.json'), [
    'packages',
    'node_modules/ballast',
    'resolved',
  ]);
  if (noted !== undefined) return fileOf(dirname(packages), noted);
  for (let folder = packages; dirname(folder) !== folder; folder = dirname(folder)) {
    const asked = textAt(join(folder, 'package.json'), ['dependencies', 'ballast']);
    if (asked !== undefined) return fileOf(folder, asked);
  }
  return undefined;
}

function fileOf(folder: string, specifier: string): string | undefined {
  return specifier.startsWith('file:') ? resolve(folder, specifier.slice('file:'.length)) : undefined;
}

/** The text at a place of a JSON file; `undefined`: there is none. */
function textAt(file: string, keys: readonly string[]): string | undefined {
  const document = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined;
  const found = keys.reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), document);
  return typeof found === 'string' ? found : undefined;
}

/** A name that npm takes. */
function packageName(folder: string): string {
  const name = folder.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '-');
  return name.replace(/^[._-]+/, '') || 'bot';
}

function tsconfigText(): string {
  const text = templateText('project', 'tsconfig.json');
  return IS_CLONE ? text.replace('"noEmit"', '"customConditions": ["ballast-source"],\n    "noEmit"') : text;
}
