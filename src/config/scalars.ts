/**
 * @module
 * The scalars of a configuration. YAML hands every scalar over as the text the user wrote (string-only schema), so no
 * address becomes a number and no decimal loses a digit; these schemas turn text into values. Their `title` is what an
 * error says was expected; `type`, where it is given, is for editors, which see YAML's own types.
 */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import {
  Decimal,
  DURATION_TEXT,
  durationFrom as durationKind,
  isDecimalText,
  looksLikeKey,
  parseDurationMs,
} from '../core/index.ts';
import type { Address, MarketSymbol } from '../domain/index.ts';
import { hasValidChecksum } from '../wire/crypto/index.ts';

const DECIMAL = 'a decimal like 1000 or 0.25';
const VAULT_ID = 'the id of a vault as digits';
const ADDRESS = 'an address: 0x and 40 hexadecimal digits';
const CHECKSUM =
  'an address whose capital letters fit its digits (EIP-55), or of one case: copy it again from the wallet';
const FEE = 'basis points from -1000 to 1000 with at most two decimals, like 2 or 0.25';
const LATENCY = 'a duration of at most 1h like 700us, 5ms or 1s, in-data, or a file of measured values';
const LATENCY_US_MAX = 3_600_000_000;
const CODE_HASH = 'any, or a SHA-256 of 64 hexadecimal digits as `ballast config check` prints it';
const NAME = 'a name of lower-case letters, digits and dashes, starting with a letter, at most 40';
const SYMBOL = 'a market symbol like BTC-USD';
const HOST_NAME = 'a host name or IPv4 address in lower case, without a port';
const HEADER_PREFIX = 'a header prefix like x-svc-';

/** A length of time within bounds, both texts like `250ms`, `5s`, `2m`, `1h`; a duration in milliseconds. */
export function durationFrom(min?: string, max?: string) {
  const { expected, read } = durationKind(min, max);
  return z
    .string()
    .regex(DURATION_TEXT, { error: expected, abort: true })
    .refine((text) => read(text) !== undefined, { error: expected })
    .transform(parseDurationMs)
    .meta({ title: expected });
}

/** `true` or `false`. */
export const flag = z
  .enum(['true', 'false'], { error: 'true or false' })
  .transform((text) => text === 'true')
  .meta({ title: 'true or false', type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] });

/** One of some words. */
export function choice<const Words extends readonly [string, string, ...string[]]>(...words: Words) {
  const title = `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
  return z.enum(words, { error: title }).meta({ title });
}

/** An integer within bounds, both included. */
export function integer(min: number, max: number) {
  const title = `an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?(?:0|[1-9][0-9]{0,15})$/, { error: title })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: title })
    .meta({ title, type: ['integer', 'string'], minimum: min, maximum: max });
}

/** A plain decimal that is not negative, kept exact. */
export const decimal = z
  .string()
  .refine((text) => isDecimalText(text) && !text.startsWith('-'), { error: DECIMAL })
  .transform((text) => new Decimal(text))
  .meta({ title: DECIMAL, type: ['number', 'string'], pattern: '^[0-9]+(\\.[0-9]+)?$', minimum: 0 });

/** A decimal from 0 to `max`. */
export function decimalUpTo(max: string) {
  return decimalFrom('0', max);
}

/** A decimal from `min` to `max`. */
export function decimalFrom(min: string, max: string) {
  const title = `a decimal from ${min} to ${max}`;
  return decimal
    .refine((value) => value.gte(min) && value.lte(max), { error: title })
    .meta({ title, minimum: Number(min), maximum: Number(max) });
}

/** A limit in the collateral token: an amount, or a percentage of the capital. */
export type CapitalLimit =
  | { readonly kind: 'amount'; readonly amount: Decimal }
  | { readonly kind: 'percent'; readonly percent: Decimal };

/** A {@link CapitalLimit}, its percentage from 0 to `maxPercent`. A bare number of 1 or less could be a fraction: an error. */
export function capitalLimit(maxPercent: number) {
  const title = `a percentage of the capital like 10%, at most ${maxPercent}%, or an amount like 5000`;
  return z
    .string()
    .superRefine((text, context) => {
      const fault = capitalLimitFault(text, { maxPercent, title });
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    })
    .transform((text): CapitalLimit => {
      const value = new Decimal(text.replace('%', ''));
      return text.endsWith('%') ? { kind: 'percent', percent: value } : { kind: 'amount', amount: value };
    })
    .meta({ title, type: ['string', 'number'], pattern: '^[0-9]+(\\.[0-9]+)?%?$', exclusiveMinimum: 1 });
}

function capitalLimitFault(
  text: string,
  { maxPercent, title }: { readonly maxPercent: number; readonly title: string },
): string | undefined {
  const isPercent = text.endsWith('%');
  const number = isPercent ? text.slice(0, -1) : text;
  if (!isDecimalText(number) || number.startsWith('-')) return title;
  const value = new Decimal(number);
  if (isPercent) return value.gt(maxPercent) ? title : undefined;
  if (value.gt(1)) return undefined;
  return `${title}: write ${value.times(100).toFixed()}% or an amount`;
}

/** `limit` as an amount, of `capital`; both in the collateral token. */
export function amountOf(limit: CapitalLimit, capital: Decimal): Decimal {
  return limit.kind === 'amount' ? limit.amount : capital.times(limit.percent).div(100);
}

/** A fee in basis points, exact to whole parts per million, which it becomes; negative: a rebate. */
export const feeBps = z
  .string()
  .regex(/^-?(?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,2})?$/, { error: FEE })
  .transform((text) => new Decimal(text).times(100).toNumber())
  .refine((rate) => rate >= -100_000 && rate <= 100_000, { error: FEE })
  .meta({ title: FEE, type: ['number', 'string'] });

/** How long something is under way: a duration down to microseconds, `in-data`, or the path of a file of values. */
export const latency = z
  .string()
  .transform((text, context) => {
    const read = parseLatency(text);
    if (read !== undefined) return read;
    context.addIssue({ code: 'custom', message: LATENCY });
    return z.NEVER;
  })
  .meta({ title: LATENCY });

/** A latency as it was written; microseconds. */
export type LatencyText =
  | { readonly kind: 'constant'; readonly us: number }
  | { readonly kind: 'in-data' }
  | { readonly kind: 'file'; readonly path: string };

function parseLatency(text: string): LatencyText | undefined {
  if (text === 'in-data') return { kind: 'in-data' };
  const match = /^([0-9]{1,9})(us|ms|s)$/.exec(text);
  // What begins as a number and ends with letters at most is a duration in a wrong form, and no name of a file.
  if (match === null)
    return /^(?:[-+]?[0-9.]+\s*\p{L}*)?$/u.test(text) ? undefined : { kind: 'file', path: text };
  const factor = { us: 1, ms: 1_000, s: 1_000_000 }[match[2] ?? ''] ?? 1;
  const us = Number(match[1]) * factor;
  return us > LATENCY_US_MAX ? undefined : { kind: 'constant', us };
}

/** A wallet address of 20 bytes; lower-case from here on. Of two cases it carries a checksum, which holds. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: ADDRESS, abort: true })
  .refine(hasValidChecksum, { error: CHECKSUM })
  .transform((text) => text.toLowerCase() as Address)
  .meta({ title: ADDRESS, type: ['string', 'integer'] });

/** Id of a vault: its digits, whether they were written as a number or as text. */
export const vaultId = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,19})$/, { error: VAULT_ID })
  .meta({ title: VAULT_ID, type: ['string', 'integer'] });

/** A market symbol as the gateway writes it. */
export const symbol = z
  .string()
  .regex(/^\S{1,64}$/, { error: SYMBOL })
  .refine((text) => !looksLikeKey(text), { error: SYMBOL })
  .transform((text) => text as MarketSymbol)
  .meta({ title: SYMBOL });

/** A name in the configuration: letters, digits, dashes. */
export const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: NAME })
  .meta({ title: NAME });

/** A name of a machine, as it stands in the header host. */
export const hostName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/, { error: HOST_NAME })
  .meta({ title: HOST_NAME });

/** Which code may run: `any`, or the one with this SHA-256, in lower case from here on. */
export const codeHash = z
  .string()
  .regex(/^(?:any|[0-9a-fA-F]{64})$/, { error: CODE_HASH })
  .transform((text) => text.toLowerCase())
  .meta({ title: CODE_HASH });

/** The start of the names of a gateway's own headers. */
export const headerPrefix = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}-$/, { error: HEADER_PREFIX })
  .meta({ title: HEADER_PREFIX });

/** A base URL without a trailing slash. */
export const httpUrl = z
  .string()
  .refine((text) => isUrl(text, ['http:', 'https:']), { error: 'an http or https URL' })
  .transform((text) => text.replace(/\/+$/, ''))
  .meta({ title: 'an http or https URL' });

/** A WebSocket URL. */
export const wsUrl = z
  .string()
  .refine((text) => isUrl(text, ['ws:', 'wss:']), { error: 'a ws or wss URL' })
  .meta({ title: 'a ws or wss URL' });

/** A file or folder; relative ones are meant from the configuration's own folder. */
export const path = z
  .string()
  .min(1, { error: 'a path' })
  .refine((text) => text.includes('/') || !looksLikeKey(text), {
    error: 'the path of a file, not a key itself',
  })
  .meta({ title: 'a path' });

/** `text` as an absolute path, seen from `folder`. */
export function resolvePath(folder: string, text: string): string {
  return isAbsolute(text) ? text : resolve(folder, text);
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  const url = URL.parse(text);
  return url !== null && protocols.includes(url.protocol) && url.search === '' && url.hash === '';
}
