import { describe, expect, test } from 'vitest';
import { parseBaseUrl } from '../../../../src/wire/gateway/index.ts';

describe('a base URL', () => {
  test.each([
    ['http://127.0.0.1:8400', 'http://127.0.0.1:8400', '', 'ws://127.0.0.1:8400/v1/ws'],
    ['https://host/', 'https://host', '', 'wss://host/v1/ws'],
    ['https://host/gate/way//', 'https://host', '/gate/way', 'wss://host/gate/way/v1/ws'],
  ])('%s leads to one environment (O1)', (text, origin, prefix, streamUrl) => {
    expect(parseBaseUrl(text)).toEqual({ origin, prefix, streamUrl });
  });

  test.each([
    'host',
    'ftp://host',
    'https://user:secret@host',
    'https://host?x=1',
    'https://host/#x',
    'https://host/v1',
    'https://host/v1/',
  ])('%s is refused', (text) => {
    expect(() => parseBaseUrl(text)).toThrow(/expected the base URL/);
  });

  test('error: does not print a password', () => {
    expect(() => parseBaseUrl('https://user:hunter2@host')).not.toThrow(/hunter2/);
  });
});
