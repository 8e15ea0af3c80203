/**
 * @module
 * What scripts and benches are called with, looked at before anything runs: a misspelt name or number would otherwise run
 * nothing, and where nothing is run nothing is found wrong. `--help` lists the options.
 */
import yargs, { type InferredOptionTypes, type Options } from 'yargs';
import { EXIT } from '../src/cli/terminal/exit-codes.ts';
import { errorWords, textOption } from '../src/cli/terminal/options.ts';

/** An option as {@link readOptions} takes it: its text becomes a value, or an error that says what was expected. */
type ScriptOption<Value> = Omit<Options, 'coerce'> & {
  readonly coerce: (text: string | number | undefined) => Value;
};

/** What options become. yargs takes each that has a `coerce` for one that may be left out. */
type ValuesOf<Shape extends Readonly<Record<string, Options>>> = {
  readonly [Name in keyof Shape]: Shape[Name] extends { readonly coerce: (text: never) => infer Value }
    ? Value
    : InferredOptionTypes<Shape>[Name];
};

/**
 * The options of this process. Ends it with exit code 64 and a line that names the option, what was expected and what
 * was found when they cannot be read, and with 0 behind `--help`.
 *
 * @example
 * const { seeds, json } = readOptions({ seeds: whole('Seeds to run', { otherwise: 250, min: 1 }), json: jsonOption });
 */
export function readOptions<const Shape extends Readonly<Record<string, Options>>>(
  shape: Shape,
): ValuesOf<Shape> {
  const named = Object.entries(shape).map(([name, option]) => [name, saying(name, option)]);
  const parsed = yargs(process.argv.slice(2))
    .options(Object.fromEntries(named))
    .strict()
    .demandCommand(0, 0, undefined, 'expected only options; --help lists them')
    .version(false)
    .updateStrings(errorWords)
    .wrap(100)
    .fail((message, error) => {
      process.stderr.write(`${message ?? error?.message}\n`);
      process.exit(EXIT.usage);
    })
    .parseSync();
  return parsed as unknown as ValuesOf<Shape>;
}

/** Its errors begin with its name. */
function saying(name: string, option: Options): Options {
  const { coerce } = option;
  if (coerce === undefined) return option;
  const named = (text: unknown): unknown => {
    try {
      return coerce(text);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(message.startsWith('--') ? message : `--${name}: ${message}`);
    }
  };
  return { ...option, coerce: named };
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** An integer, from 0 on where `min` is not given. */
export function whole(
  describe: string,
  bounds: Bounds & { readonly otherwise: number },
): ScriptOption<number> {
  const { otherwise, ...within } = bounds;
  return { ...textOption(describe), default: otherwise, coerce: (text) => wholeOf(String(text), within) };
}

/** An integer that may be left out. */
export function maybeWhole(describe: string, bounds: Bounds = {}): ScriptOption<number | undefined> {
  return {
    ...textOption(describe),
    coerce: (text) => (text === undefined ? undefined : wholeOf(String(text), bounds)),
  };
}

function wholeOf(text: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`expected an integer from ${min} to ${max}, got ${JSON.stringify(text)}`);
}

/** Some of these names, with commas between them; all of them where it is left out. */
export function someOf<Name extends string>(
  describe: string,
  names: readonly Name[],
): ScriptOption<readonly Name[]> {
  return {
    ...textOption(describe),
    default: 'all',
    coerce: (text) => (text === 'all' ? names : namesIn(String(text), names)),
  };
}

/** Some of these names, with commas between them; `none`: no one. It may be left out. */
export function maybeSomeOf<Name extends string>(
  describe: string,
  names: readonly Name[],
): ScriptOption<readonly Name[] | undefined> {
  return {
    ...textOption(describe),
    coerce: (text) => {
      if (text === undefined) return undefined;
      return text === 'none' ? [] : namesIn(String(text), names);
    },
  };
}

function namesIn<Name extends string>(text: string, names: readonly Name[]): readonly Name[] {
  const isName = (one: string): one is Name => (names as readonly string[]).includes(one);
  const asked = text.split(',').map((one) => one.trim());
  const unknown = asked.find((one) => !isName(one));
  if (unknown === undefined) return asked.filter(isName);
  throw new Error(`expected some of ${names.join(', ')}, got ${JSON.stringify(unknown)}`);
}
