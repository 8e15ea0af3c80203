/** @module A URL of the command line is one of its scheme, or is refused by the name of its option, without a password. */
import { expect, test } from 'vitest';
import { urlOption } from '../../../../src/cli/terminal/options.ts';

const gateway = urlOption('url', 'a gateway');
const redis = urlOption('redis', 'a Redis', 'redis');

test('a URL of its scheme is taken, without trailing slashes', () => {
  expect(gateway.coerce('https://host/gate//')).toBe('https://host/gate');
  expect(redis.coerce('redis://host:6379')).toBe('redis://host:6379');
  expect(redis.coerce('rediss://user:password@host:6379')).toBe('rediss://user:password@host:6379');
});

test.each(['here', '', 'http://host', 'redis//host', 'redis://user:secret@host:port'])(
  'error: the Redis "%s" is none',
  (text) => {
    const taken = () => redis.coerce(text);
    expect(taken).toThrow('--redis: expected a URL like redis://host:port, got "');
    expect(taken).not.toThrow('secret');
  },
);
