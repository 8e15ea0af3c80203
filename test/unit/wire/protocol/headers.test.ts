import { describe, expect, test } from 'vitest';
import {
  formatRateLimit,
  formatRateLimitPolicy,
  headerNames,
  parseRateLimit,
  parseRateLimitPolicy,
  parseRetryAfterMs,
  parseSeqHeader,
} from '../../../../src/wire/protocol/index.ts';

test('header names carry the prefix of the environment (obligation O2)', () => {
  expect(headerNames()).toMatchObject({ seq: 'x-svc-seq', minSeq: 'x-svc-min-seq' });
  expect(headerNames('X-Acme-')).toMatchObject({ seq: 'x-acme-seq', minSeq: 'x-acme-min-seq' });
});

describe('rate limits', () => {
  test('what is formatted is parsed again', () => {
    const limit = { bucket: 'ip', remaining: 950, resetSeconds: 30 };
    const policy = { bucket: 'account', quota: 1000, windowSeconds: 60 };
    expect(formatRateLimit(limit)).toBe('"ip";r=950;t=30');
    expect(parseRateLimit(formatRateLimit(limit))).toEqual(limit);
    expect(parseRateLimitPolicy(formatRateLimitPolicy(policy))).toEqual(policy);
  });

  test('spaces, a bare name and other parameters are tolerated', () => {
    expect(parseRateLimit('default; t=30; pk=:abc:; r=9, "b";r=1;t=1')).toEqual({
      bucket: 'default',
      remaining: 9,
      resetSeconds: 30,
    });
  });

  test.each([undefined, '', '100', '"ip"', '"ip";r=5', '"ip";r=x;t=1', ';r=1;t=1'])(
    '%j is not understood and tells nothing',
    (text) => {
      expect(parseRateLimit(text)).toBeUndefined();
    },
  );
});

describe('parseRetryAfterMs (obligation O117)', () => {
  const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  test.each([
    ['3', 3000],
    ['0', 0],
    ['1.5', 1500],
    [' 2 ', 2000],
    ['999999999', 60_000],
    ['Fri, 02 Jan 2026 03:04:10 GMT', 5000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['Fri, 02 Jan 2099 03:00:00 GMT', 60_000],
  ])('%j is %d ms', (text, ms) => {
    expect(parseRetryAfterMs(text, nowMs)).toBe(ms);
  });

  test.each([undefined, '', '-5', 'soon', 'NaN', '1e9', 'Xxx, garbage'])('%j tells nothing', (text) => {
    expect(parseRetryAfterMs(text, nowMs)).toBeUndefined();
  });
});

describe('parseSeqHeader', () => {
  test('positions beyond 2^53 keep their digits (obligation O7)', () => {
    expect(parseSeqHeader('18446744073709551615')).toBe(2n ** 64n - 1n);
  });

  test.each([undefined, '', '-1', '1.0', '18446744073709551616', 'abc'])('%j is no position', (text) => {
    expect(parseSeqHeader(text)).toBeUndefined();
  });
});
