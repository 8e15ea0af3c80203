/**
 * @module
 * Noise on the parameters of strategies: each number moved to a value within a tenth of its own that its schema takes. A
 * number is moved in steps of its kind: whole ones of an integer and of millionths, 1 ms of a duration (1 s of a long one),
 * the last digit of a decimal. Where that is more than a tenth, a decimal gets the digits that still are whole lots of each
 * market of its strategy: it may be a size. Draws are even over the steps. What this does not do: move what is in lists
 * and groups, choices and flags; it names them.
 */
import type { PreparedStrategy } from '../../bot/setup/index.ts';
import type { ParameterForm } from '../../bot/strategy/index.ts';
import { formatShort, must, parseScaled, type Random } from '../../core/index.ts';
import type { Market } from '../../domain/index.ts';

/** A number that noise can move. */
export interface MovableParameter {
  readonly strategy: string;
  readonly name: string;
  /** The least and the most that noise may make of it, in steps. */
  readonly least: bigint;
  readonly most: bigint;
  /** A number of steps as a configuration gives it. */
  readonly textOf: (steps: bigint) => string;
}

/** What noise can do to some strategies. */
export interface NoiseSpace {
  readonly movable: readonly MovableParameter[];
  /** All others, and why. */
  readonly unmoved: readonly { readonly parameter: string; readonly why: string }[];
}

interface Steps {
  readonly steps: bigint;
  /** A number of steps as a configuration gives it. */
  readonly textOf: (steps: bigint) => string;
}

/** A parameter moves by one part of this many, up or down. */
const PART = 10n;
/** From here on a duration is written in seconds: its text has nine digits at most. */
const LONG_MS = 90_000_000;
/** How often a value is drawn that the schema does not take. */
const DRAWS_MAX = 64;
const WORD_BITS = 32n;
const WORD_MAX = 0xffff_ffff;

/** What can be moved of these strategies, which trade some of `markets`, in the order of their schemas. */
export function noiseSpaceOf(
  strategies: readonly PreparedStrategy[],
  markets: readonly Market[],
): NoiseSpace {
  const movable: MovableParameter[] = [];
  const unmoved: { parameter: string; why: string }[] = [];
  for (const strategy of strategies) {
    const { name, definition, parameters, symbols } = strategy;
    const lotDigits = Math.min(...markets.filter(({ symbol }) => symbols.includes(symbol)).map(lotDigitsOf));
    const checked = definition.check(parameters);
    const values = checked.isValid ? checked.values : {};
    for (const form of definition.forms()) {
      const found = movableOf(strategy, form, stepsOf(form.kind, values[form.name], lotDigits));
      if (typeof found === 'string') unmoved.push({ parameter: `${name}.${form.name}`, why: found });
      else movable.push(found);
    }
  }
  return { movable, unmoved };
}

/** New values by path, of all that can be moved. One whose draws the schema takes none of keeps its value. */
export function drawNoise(
  strategies: readonly PreparedStrategy[],
  movable: readonly MovableParameter[],
  random: Random,
): Readonly<Record<string, string>> {
  const moved: Record<string, string> = {};
  for (const { name: strategyName, definition, parameters } of strategies) {
    // With those that are moved already: a schema may compare two parameters.
    let raw = parameters as Readonly<Record<string, unknown>>;
    for (const one of movable.filter(({ strategy }) => strategy === strategyName)) {
      for (let draw = 0; draw < DRAWS_MAX; draw++) {
        const text = one.textOf(drawSteps(one, random));
        const changed = { ...raw, [one.name]: text };
        if (!definition.check(changed).isValid) continue;
        raw = changed;
        moved[`${strategyName}.${one.name}`] = text;
        break;
      }
    }
  }
  return moved;
}

/** A parameter as what noise can move; a text: why it cannot. */
function movableOf(
  { name: strategy, definition, parameters }: PreparedStrategy,
  { name }: ParameterForm,
  made: Steps | string,
): MovableParameter | string {
  if (typeof made === 'string') return made;
  const { steps, textOf } = made;
  if (steps === 0n) return 'it is 0';
  const reach = reachOf(steps);
  if (reach === 0n) return `a tenth of ${textOf(steps)} is less than one step`;
  const near = [steps - 1n, steps + 1n].map((one) => ({ ...(parameters as object), [name]: textOf(one) }));
  if (!near.some((raw) => definition.check(raw).isValid))
    return `the schema takes no value next to ${textOf(steps)}`;
  return { strategy, name, least: steps - reach, most: steps + reach, textOf };
}

/** A value in steps; a text: why it has none. */
function stepsOf(kind: string, value: unknown, lotDigits: number): Steps | string {
  if (value === undefined) return 'not given';
  switch (kind) {
    case 'integer':
    case 'ppm':
      return { steps: BigInt(Number(value)), textOf: String };
    case 'durationMs': {
      const ms = Number(value);
      const isLong = ms >= LONG_MS && ms % 1_000 === 0;
      return isLong
        ? { steps: BigInt(ms / 1_000), textOf: (steps) => `${steps}s` }
        : { steps: BigInt(ms), textOf: (steps) => `${steps}ms` };
    }
    case 'decimal': {
      const text = String(value);
      const own = decimalSteps(text, text.split('.')[1]?.length ?? 0);
      return reachOf(own.steps) > 0n ? own : decimalSteps(text, lotDigits);
    }
    default:
      return `no number (${kind})`;
  }
}

/** A decimal in steps of this many digits, and of no fewer than it has. */
function decimalSteps(text: string, digits: number): Steps {
  const decimals = Math.max(digits, text.split('.')[1]?.length ?? 0);
  const steps = must(parseScaled(text, decimals), `a decimal, got ${text}`);
  return { steps, textOf: (one) => formatShort(one, decimals) };
}

/** Most digits after the point with which every decimal is whole lots; 0: whole coins. */
function lotDigitsOf({ sizeDecimals, lotStep }: Market): number {
  for (let digits = sizeDecimals; digits > 0; digits--)
    if (10 ** (sizeDecimals - digits) % lotStep === 0) return digits;
  return 0;
}

/** How far a value may move, in steps. */
function reachOf(steps: bigint): bigint {
  return (steps < 0n ? -steps : steps) / PART;
}

function drawSteps({ least, most }: MovableParameter, random: Random): bigint {
  return least + ((BigInt(random.integer(0, WORD_MAX)) * (most - least + 1n)) >> WORD_BITS);
}
