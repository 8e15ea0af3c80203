/**
 * @module
 * Header names and their values. The prefix comes from the environment; rate limits are in the form of the IETF draft,
 * `"ip";r=950;t=30` and `"ip";q=1000;w=60` (own choice: the interface document shows names only).
 */
import { RETRY_AFTER_MS_MAX } from './limits.ts';

/** The names of headers in lower case. */
export interface HeaderNames {
  /** Commit position of a write. */
  readonly seq: string;
  /** The position a read must have reached. */
  readonly minSeq: string;
  readonly rateLimit: 'ratelimit';
  readonly rateLimitPolicy: 'ratelimit-policy';
  readonly accountRateLimit: 'x-ratelimit-account';
  readonly retryAfter: 'retry-after';
}

/** The prefix of the interface document. */
export const HEADER_PREFIX_DEFAULT = 'x-svc-';

/** The names of headers with the prefix of an environment (obligation O2). */
export function headerNames(prefix: string = HEADER_PREFIX_DEFAULT): HeaderNames {
  const lower = prefix.toLowerCase();
  return {
    seq: `${lower}seq`,
    minSeq: `${lower}min-seq`,
    rateLimit: 'ratelimit',
    rateLimitPolicy: 'ratelimit-policy',
    accountRateLimit: 'x-ratelimit-account',
    retryAfter: 'retry-after',
  };
}

/** What is left of a budget, and in how many seconds its window ends. */
export interface RateLimit {
  /** Name of the bucket. */
  readonly bucket: string;
  /** Weight that remains in the window. */
  readonly remaining: number;
  /** Time until the window ends, s. */
  readonly resetSeconds: number;
}

/** The size of a budget and the length of its window. */
export interface RateLimitPolicy {
  /** Name of the bucket. */
  readonly bucket: string;
  /** Weight per window. */
  readonly quota: number;
  /** Length of the window, s. */
  readonly windowSeconds: number;
}

/** The value of `ratelimit` and `x-ratelimit-account`. */
export function formatRateLimit({ bucket, remaining, resetSeconds }: RateLimit): string {
  return `"${bucket}";r=${remaining};t=${resetSeconds}`;
}

/** The value of `ratelimit-policy`. */
export function formatRateLimitPolicy({ bucket, quota, windowSeconds }: RateLimitPolicy): string {
  return `"${bucket}";q=${quota};w=${windowSeconds}`;
}

/** The value of `ratelimit` or `x-ratelimit-account`; `undefined` when it is absent or of another form. */
export function parseRateLimit(text: string | undefined): RateLimit | undefined {
  const item = parseItem(text);
  const remaining = item?.params.get('r');
  const resetSeconds = item?.params.get('t');
  if (item === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  return { bucket: item.name, remaining, resetSeconds };
}

/** The value of `ratelimit-policy`; `undefined` when it is absent or of another form. */
export function parseRateLimitPolicy(text: string | undefined): RateLimitPolicy | undefined {
  const item = parseItem(text);
  const quota = item?.params.get('q');
  const windowSeconds = item?.params.get('w');
  if (item === undefined || quota === undefined || windowSeconds === undefined) return undefined;
  return { bucket: item.name, quota, windowSeconds };
}

/**
 * `retry-after` as milliseconds from `nowMs`, at most {@link RETRY_AFTER_MS_MAX}: seconds or an HTTP date (obligation
 * O117). `undefined` when it is absent or neither: the window's end is then the time to wait.
 */
export function parseRetryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^[0-9]{1,12}(?:\.[0-9]{1,6})?$/.test(value)) {
    return Math.min(RETRY_AFTER_MS_MAX, Math.ceil(Number(value) * 1000));
  }
  if (!/^[A-Z][a-z]{2},/.test(value)) return undefined;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.min(RETRY_AFTER_MS_MAX, Math.max(0, atMs - nowMs));
}

/** A commit position from a header; `undefined` when it is absent or no integer of 64 bits. */
export function parseSeqHeader(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^(?:0|[1-9][0-9]{0,19})$/.test(text.trim())) return undefined;
  const seq = BigInt(text.trim());
  return seq < 1n << 64n ? seq : undefined;
}

/** One structured item: a name, in quotes or bare, and integer parameters. */
function parseItem(
  text: string | undefined,
): { readonly name: string; readonly params: ReadonlyMap<string, number> } | undefined {
  // Of several items the first one is the one that binds.
  const [head = '', ...rest] = (text?.split(',')[0] ?? '').split(';').map((part) => part.trim());
  const name = /^(?:"([^"]+)"|([A-Za-z][\w.-]*))$/.exec(head);
  if (name === null) return undefined;
  const params = new Map<string, number>();
  for (const part of rest) {
    const [, key, value] = /^([a-z]+)=([0-9]{1,12})$/.exec(part) ?? [];
    if (key !== undefined) params.set(key, Number(value));
  }
  return { name: name[1] ?? name[2] ?? '', params };
}
