/** @module The table of commands as scripts for shells: each command is asked what it would add, and nothing of it runs. */
import type { Argv, Options } from 'yargs';

/** The shells that have a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A command with what may follow it. */
interface CommandRow {
  /** Its words after `ballast`. */
  readonly words: readonly string[];
  readonly about: string;
  /** Each option by its name, without dashes. */
  readonly options: ReadonlyMap<string, Options>;
  /** Values that its positions take. */
  readonly values: readonly string[];
}

type Add = (cli: Argv) => Argv;

/** The rows of commands and of the commands below them. */
function commandRows(adds: readonly Add[]): readonly CommandRow[] {
  return adds.flatMap((add) => rowsBelow([], add));
}

function rowsBelow(above: readonly string[], add: Add): CommandRow[] {
  const rows: CommandRow[] = [];
  hear(add, {
    command: (name, about, builder) => {
      const words = [...above, ...name.split(' ').filter((word) => /^[a-z]/.test(word))];
      const options = new Map<string, Options>();
      const values: string[] = [];
      rows.push({ words, about, options, values });
      if (typeof builder !== 'function') return;
      const build = builder as Add;
      hear(build, {
        command: () => undefined,
        option: (option, told) => void options.set(option, told),
        position: (told) => values.push(...(told.choices ?? []).map(String)),
      });
      rows.push(...rowsBelow(words, build));
    },
    option: () => undefined,
    position: () => undefined,
  });
  return rows;
}

/** What is heard of a command line that is being built. */
interface Listener {
  command(name: string, about: string, builder: unknown): void;
  option(name: string, told: Options): void;
  position(told: Options): void;
}

/** Lets a builder build, and tells what it says; whatever else it calls does nothing. */
function hear(build: Add, listener: Listener): void {
  const heard: Readonly<Record<string, (...given: readonly never[]) => void>> = {
    command: (name: string, about: string, builder: unknown) => listener.command(name, about, builder),
    option: (name: string, told: Options) => listener.option(name, told),
    options: (table: Readonly<Record<string, Options>>) => {
      for (const [name, told] of Object.entries(table)) listener.option(name, told);
    },
    positional: (_name: string, told: Options) => listener.position(told),
  };
  const cli: object = new Proxy(
    {},
    {
      get:
        (_target, name) =>
        (...given: never[]) => {
          heard[String(name)]?.(...given);
          return cli;
        },
    },
  );
  build(cli as Argv);
}

/** The script of a shell. */
export function completionScript(shell: (typeof SHELLS)[number], adds: readonly Add[]): string {
  const rows = commandRows(adds);
  if (shell === 'fish') return fishScript(rows);
  const bash = bashScript(rows);
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

/** What may follow the words of a command: commands below it, values, options. */
function followers(rows: readonly CommandRow[], words: readonly string[]): readonly string[] {
  // A group may have a command of its own beside those below it.
  const own = rows.filter((one) => one.words.join(' ') === words.join(' '));
  const below = rows.filter(
    (one) => one.words.length === words.length + 1 && words.every((word, at) => one.words[at] === word),
  );
  return [
    ...new Set(below.map((one) => one.words.at(-1) ?? '')),
    ...own.flatMap(({ values }) => values),
    ...new Set([...own.flatMap(({ options }) => [...options.keys()]), 'help'].map((name) => `--${name}`)),
  ];
}

function bashScript(rows: readonly CommandRow[]): string {
  const paths = new Map([[], ...rows.map(({ words }) => words)].map((words) => [words.join(' '), words]));
  const cases = Array.from(
    paths,
    ([path, words]) => `    '${path}') words='${followers(rows, words).join(' ')}' ;;`,
  );
  const known = [...paths.keys()]
    .filter((path) => path !== '')
    .map((path) => `'${path}'`)
    .join('|');
  return [
    '# ballast: put this into a file that your shell reads, or: source <(ballast completion bash)',
    '_ballast() {',
    '  local at word path="" words=""',
    `  local current="\${COMP_WORDS[COMP_CWORD]}"`,
    '  for ((at = 1; at < COMP_CWORD; at++)); do',
    `    word="\${COMP_WORDS[at]}"`,
    `    case "\${path:+$path }$word" in`,
    `      ${known}) path="\${path:+$path }$word" ;;`,
    '    esac',
    '  done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _ballast ballast',
  ].join('\n');
}

function fishScript(rows: readonly CommandRow[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = rows.flatMap(({ words, about, options, values }) => {
    const above = words.slice(0, -1);
    const when = above.length === 0 ? '__fish_use_subcommand' : seen(above);
    const own = `complete -c ballast -n ${quoted(when)} -a ${quoted(words.at(-1) ?? '')} -d ${quoted(about)}`;
    const on = `complete -c ballast -n ${quoted(seen(words))}`;
    return [
      own,
      ...(values.length === 0 ? [] : [`${on} -a ${quoted(values.join(' '))}`]),
      ...[...options].map(([name, { describe = '', choices }]) => {
        const takes = choices === undefined ? '' : ` -a ${quoted(choices.map(String).join(' '))}`;
        return `${on} -l ${name} -d ${quoted(String(describe))}${takes}`;
      }),
    ];
  });
  return ['# ballast: ballast completion fish > ~/.config/fish/completions/ballast.fish', ...lines].join(
    '\n',
  );
}

function seen(words: readonly string[]): string {
  return words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
}
