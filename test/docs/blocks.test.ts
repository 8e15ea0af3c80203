/**
 * @module
 * Every fenced block of every page is held by something: commands parse as the command line parses them, YAML loads, JSON is
 * JSON, code is typechecked. A block that nothing holds fails here, unless its language is one that only shows.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import yargs, { type Argv } from 'yargs';
import type { StrategyDefinition } from '../../src/bot/strategy/index.ts';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { parseConfig } from '../../src/config/index.ts';
import { parseScenario } from '../../src/exchange/scenario/index.ts';
import { commandsOf, type PageBlock, pageBlocks, wordsOf } from '../support/page-blocks.ts';
import { ROOT } from '../tidy/source.ts';

const BLOCKS = pageBlocks();
const named = (blocks: readonly PageBlock[]) =>
  blocks.map((block) => ({ ...block, name: `${block.page}:${block.line}` }));

/** Why nobody runs what a block of this language shows. */
const ONLY_SHOWN: Readonly<Record<string, string>> = {
  '': 'a diagram or an output; commands in it are checked as those of a shell',
  text: 'an output; getting-started, bars and the simulator hold theirs to what is printed',
  csv: 'a file that test/docs/bars.test.ts reads',
  ini: 'lines of a unit of systemd',
  python: 'runs in test/peers, with Python 3',
};
/** Languages that a test here, or the one that is named, holds. */
const HELD: Readonly<Record<string, string>> = {
  ...{ sh: 'here', yaml: 'here', json: 'here', js: 'test/docs/snippets.test.ts' },
  ts: 'test/docs/projects.test.ts and, of the client, test/docs/client.test.ts',
};

test('each block names a language that is held, or of which it is known why it is not', () => {
  expect(BLOCKS.length).toBeGreaterThan(250);
  const free = BLOCKS.filter(({ language }) => !(language in HELD) && !(language in ONLY_SHOWN));
  expect(named(free).map(({ name, language }) => `${name} ${language}`)).toEqual([]);
  // A fence that does not end, or that stands in a list, would be no block.
  for (const page of new Set(BLOCKS.map((block) => block.page))) {
    const fences = readFileSync(join(ROOT, page), 'utf8').match(/^ *```/gm)?.length ?? 0;
    expect([page, fences]).toEqual([page, 2 * BLOCKS.filter((block) => block.page === page).length]);
  }
});

/** Commands of others, which the pages name for a machine that has them. */
const OF_OTHERS = /^(?:cd|cp|curl|docker|echo|mkdir|ssh|sudo|export|redis-server|python3?|pip)\b/;
const scripts = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }).scripts;

type Add = (cli: Argv) => Argv;
type Build = (cli: Argv) => Argv;

/** A command line whose commands parse their arguments and do nothing. */
function idle(cli: Argv): Argv {
  return new Proxy(cli, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const [command, about, build, handler] = given;
        const isCommand = name === 'command' && typeof build === 'function';
        const changed = isCommand
          ? [
              command,
              about,
              (one: Argv) => (build as Build)(idle(one)),
              handler === undefined ? undefined : () => undefined,
            ]
          : given;
        const made: unknown = value.apply(target, changed);
        return made === target ? idle(target) : made;
      };
    },
  });
}

const commands: readonly Add[] = (
  await Promise.all(
    globSync('src/cli/*.ts', { cwd: ROOT })
      .filter((file) => !file.endsWith('/main.ts'))
      .map(async (file): Promise<object> => await import(pathToFileURL(join(ROOT, file)).href)),
  )
).flatMap((module) =>
  Object.entries(module).flatMap(([name, value]) => (/Command$/.test(name) ? [value as Add] : [])),
);

/** What the command line says against a command of ballast; empty: nothing. */
async function complaintOf(words: readonly string[]): Promise<string> {
  let complaint = '';
  const base = yargs()
    .parserConfiguration({
      ...{ 'parse-numbers': false, 'parse-positional-numbers': false, 'greedy-arrays': false },
    })
    .strict()
    .demandCommand(1)
    .exitProcess(false)
    .fail((message, error) => {
      complaint ||= message ?? error?.message ?? 'unknown';
    });
  const cli = commands.reduce((one, add) => add(one), idle(base));
  await cli.parseAsync([...words], {}, () => undefined).catch(() => undefined);
  return complaint;
}

/** What is wrong with a command of a page; empty: nothing. */
async function problemOf(command: string, isShell: boolean): Promise<string> {
  const words = wordsOf(command.replace(/^(?:npx |[A-Z_]+=\S+ )+/, ''));
  const [program = '', first = '', ...rest] = words;
  if (program === 'ballast') return await complaintOf([first, ...rest]);
  if (program === 'npm' && first === 'run') {
    const [script = '', , proof] = rest;
    if (script === 'prove' && proof !== undefined)
      return existsSync(join(ROOT, 'scripts', 'prove', `${proof}.ts`)) ? '' : `no proof ${proof}`;
    return script in scripts ? '' : `no script ${script}`;
  }
  if (program === 'npm') return /^(?:ci|i|install|start|test)$/.test(first) ? '' : `npm ${first}`;
  if (program === 'node') {
    const file = words.slice(1).find((word) => !word.startsWith('-')) ?? '';
    // What an installed package holds is here too.
    return file.includes('*') || existsSync(join(ROOT, file.replace('node_modules/ballast/', '')))
      ? ''
      : `no file ${file}`;
  }
  return !isShell || OF_OTHERS.test(command) ? '' : `nobody knows ${program}`;
}

describe('the commands of', () => {
  const shells = BLOCKS.filter(({ language }) => language === 'sh' || language === '');
  test.each(named(shells))('$name exist and parse', async ({ language, text }) => {
    for (const command of commandsOf(text))
      expect([command, await problemOf(command, language === 'sh')]).toEqual([command, '']);
  });

  test('a page would fail with a name, an option or a value that does not exist', async () => {
    expect(await problemOf('npx ballast backtest a.yaml --html b.html', true)).toBe('');
    expect(await problemOf('npx ballast backtset a.yaml', true)).toContain('backtset');
    expect(await problemOf('ballast backtest a.yaml --htlm b.html', true)).toContain('htlm');
    expect(await problemOf('ballast init my-bot --template nothing', true)).toContain('nothing');
    expect(await problemOf('ballast backtest', true)).not.toBe('');
    expect(await problemOf('npm run nothing', true)).toBe('no script nothing');
    expect(await problemOf('frobnicate now', true)).toBe('nobody knows frobnicate');
  });
});

/** What is no configuration, by its page. */
const OTHER_YAML: Readonly<Record<string, (text: string, page: string) => unknown>> = {
  'docs/guides/import-recordings.md': (text) => parseImportMapping(text, 'guide.yaml'),
  'docs/reference/scenarios.md': (text) => parseScenario(text, 'guide.yaml'),
};
/** What a fragment needs around it to be a configuration. */
const AROUND: Readonly<Record<string, string>> = {
  environment: 'environment: { name: test, baseUrl: http://127.0.0.1:8787 }',
  markets: 'markets: [{ symbol: BTC-USD }, { symbol: ETH-USD }]',
  strategies: 'strategies: [{ name: ladder, module: ./ladder.ts, markets: [BTC-USD] }]',
  risk: 'risk: { capital: 10000 }',
};

/** A fragment with the sections that it lacks; lines that are indented are of a wallet. */
function wholeOf(fragment: string): string {
  const text = fragment.startsWith(' ') ? `wallets:\n  - name: maker\n${fragment}` : fragment;
  const lacking = Object.entries(AROUND).filter(([section]) => !new RegExp(`^${section}:`, 'm').test(text));
  return [...lacking.map(([, section]) => section), text].join('\n');
}

/** Loads a configuration, and its strategies with their parameters where their modules are in the repository. */
async function loaded(fragment: string, page: string): Promise<void> {
  // Paths of the pages begin in a folder of configurations, or in that of their examples.
  const folder = fragment.includes('./first-strategy.ts') ? 'docs/guides/examples' : 'configs';
  const { config } = parseConfig(wholeOf(fragment), join(ROOT, folder, 'page.yaml'));
  for (const { module, parameters } of config.strategies) {
    if (!existsSync(module)) continue;
    const { default: definition } = (await import(pathToFileURL(module).href)) as {
      readonly default: StrategyDefinition;
    };
    expect(definition.check(parameters), `${page}: ${dirname(module)}`).toMatchObject({ isValid: true });
  }
}

describe('the YAML of', () => {
  test.each(named(BLOCKS.filter(({ language }) => language === 'yaml')))(
    '$name loads',
    async ({ page, text }) => {
      const other = OTHER_YAML[page];
      if (other === undefined) await loaded(text, page);
      else other(text, page);
    },
  );

  test('a page would fail with a key or a parameter that does not exist', async () => {
    await expect(loaded('risk:\n  capitol: 10000\n', 'none')).rejects.toThrow('capital');
    const strategies =
      'strategies:\n  - name: a\n    module: ../strategies/ping-pong/index.ts\n    markets: [BTC-USD]\n';
    await expect(loaded(`${strategies}    parameters: { sise: 1 }\n`, 'none')).rejects.toThrow();
  });
});

test.each(named(BLOCKS.filter(({ language }) => language === 'json')))(
  'the JSON of $name is JSON',
  ({ text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  },
);
