/**
 * @module
 * Reads the budget headers of every answer. The usual form is taken apart without a regular expression, since this
 * is on the path of each order; any other goes to the protocol's parser.
 */
import { parseRateLimit, parseRateLimitPolicy, parseRetryAfterMs } from '../../protocol/index.ts';
import type { AnswerHeaders } from '../transport.ts';
import type { RateReport } from './request-bucket.ts';

/** Reads reports; remembers the last policy, which hardly ever changes. */
export class RateHeaderReader {
  #policyText: string | undefined;
  #quota: number | undefined;

  /** What the answer says of the budget of its address; `undefined` when it says nothing. */
  ip(headers: AnswerHeaders): RateReport | undefined {
    const policy = headerText(headers['ratelimit-policy']);
    if (policy !== this.#policyText) {
      this.#policyText = policy;
      this.#quota = parseRateLimitPolicy(policy)?.quota;
    }
    return reportOf(headerText(headers['ratelimit']), this.#quota);
  }

  /** What the answer says of the budget of the main wallet. */
  account(headers: AnswerHeaders): RateReport | undefined {
    return reportOf(headerText(headers['x-ratelimit-account']), undefined);
  }
}

/**
 * How long an answer asks to wait, in milliseconds; `undefined` when it does not say or cannot be read. A date is compared
 * with the answer's own clock, else against `serverNowMs`: the wall clock of this machine may be wrong (obligations
 * O11, O117). While neither is known (`undefined`) a date asks for the longest wait there is.
 */
export function retryAfterMsOf(headers: AnswerHeaders, serverNowMs: number | undefined): number | undefined {
  const answeredAtMs = Date.parse(headerText(headers['date']) ?? '');
  return parseRetryAfterMs(
    headerText(headers['retry-after']),
    Number.isNaN(answeredAtMs) ? (serverNowMs ?? Number.NEGATIVE_INFINITY) : answeredAtMs,
  );
}

/** The first value of a header. */
export function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function reportOf(text: string | undefined, limit: number | undefined): RateReport | undefined {
  if (text === undefined) return undefined;
  const remaining = integerBehind(text, ';r=');
  const resetSeconds = integerBehind(text, ';t=');
  if (remaining >= 0 && resetSeconds >= 0 && !text.includes(',')) {
    return { limit, remaining, resetMs: resetSeconds * 1000 };
  }
  const rate = parseRateLimit(text);
  return rate && { limit, remaining: rate.remaining, resetMs: rate.resetSeconds * 1000 };
}

/** The digits after `key` up to the next semicolon or the end; -1 when there are none or anything else is there. */
function integerBehind(text: string, key: string): number {
  const at = text.indexOf(key);
  if (at < 0) return -1;
  let value = 0;
  let i = at + key.length;
  for (; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  const isWhole = i > at + key.length && (i === text.length || text[i] === ';');
  return isWhole && value <= 1e12 ? value : -1;
}
