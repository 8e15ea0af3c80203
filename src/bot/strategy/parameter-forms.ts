/**
 * @module
 * The parameters of a strategy as forms: the kind of each, and values at the edges of what it may be. For examinations,
 * which try them. What this does not do: check values.
 */
import { z } from 'zod';
import { Decimal, isRecord, parseDurationMs } from '../../core/index.ts';
import { madeAs } from './parameter-schema.ts';

/** One parameter. */
export interface ParameterForm {
  readonly name: string;
  /** As {@link param} names it, `choice`, or `other` for what is made in another way. */
  readonly kind: string;
  /** Values at its edges, as configurations give them; empty: it has none. */
  readonly edges: readonly unknown[];
  /** True if a configuration must give it. */
  readonly isRequired: boolean;
}

/** The smallest step beyond a bound that is excluded. */
const ABOVE = '0.00000001';

/** Each parameter of a schema. */
export function parameterForms(schema: z.ZodObject): readonly ParameterForm[] {
  return Object.entries(schema.shape).map(([name, one]) => {
    const { isRequired, inner } = unwrapped(one);
    const { kind, options } = madeAs(inner) ?? {
      kind: inner instanceof z.ZodEnum ? 'choice' : 'other',
      options: {},
    };
    const edges =
      inner instanceof z.ZodEnum ? inner.options : edgesOf(kind, isRecord(options) ? options : {});
    return { name, kind, edges, isRequired };
  });
}

/** The schema within those that give defaults. */
function unwrapped(schema: z.core.$ZodType): {
  readonly isRequired: boolean;
  readonly inner: z.core.$ZodType;
} {
  const { def } = schema._zod;
  const isWrapped = def.type === 'prefault' || def.type === 'default' || def.type === 'optional';
  if (!isWrapped || !('innerType' in def)) return { isRequired: true, inner: schema };
  return { isRequired: false, inner: unwrapped(def.innerType as z.core.$ZodType).inner };
}

function edgesOf(kind: string, { min, above, max }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const given = (...values: readonly unknown[]) => values.filter((value) => value !== undefined);
  switch (kind) {
    case 'flag':
      return [true, false];
    case 'integer':
      return given(min, max);
    case 'ppm':
      return given(min ?? 0, max ?? 100_000);
    case 'decimal':
      return given(
        min,
        above === undefined ? undefined : new Decimal(String(above)).plus(ABOVE).toFixed(),
        max,
      );
    case 'durationMs':
      return given(
        min ?? '0ms',
        above === undefined ? undefined : `${parseDurationMs(String(above)) + 1}ms`,
        max,
      );
    default:
      return [];
  }
}
