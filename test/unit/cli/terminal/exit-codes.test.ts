import { describe, expect, test } from 'vitest';
import { EXIT, EXIT_MEANINGS, exitCodeOf } from '../../../../src/cli/terminal/exit-codes.ts';
import {
  AssertionError,
  BotError,
  ConfigError,
  GatewayError,
  ProtocolError,
  TransportError,
} from '../../../../src/core/index.ts';

const parts = (code: string) => ({ code, message: 'expected this, got that', remedy: 'do something' });

describe('exitCodeOf', () => {
  test('takes anything that is none of our errors for a bug', () => {
    expect(exitCodeOf(new TypeError('x is not a function'))).toBe(EXIT.internal);
    expect(exitCodeOf('thrown text')).toBe(EXIT.internal);
  });

  test.each([
    [ConfigError, EXIT.config],
    [TransportError, EXIT.unreachable],
    [GatewayError, EXIT.unreachable],
    [ProtocolError, EXIT.badData],
    [AssertionError, EXIT.internal],
    [BotError, EXIT.failure],
  ])('goes by the class of an error whose code it does not know', (Kind, exit) => {
    expect(exitCodeOf(new Kind(parts('SOMETHING_NEW')))).toBe(exit);
  });

  test('goes by the code before the class', () => {
    expect(exitCodeOf(new ConfigError(parts('CRYPTO_KEYSTORE_PASSWORD_WRONG')))).toBe(EXIT.refused);
    expect(exitCodeOf(new ConfigError(parts('JOURNAL_MISMATCH')))).toBe(EXIT.journal);
  });

  test('goes by the longer prefix where a shorter one means something else', () => {
    expect(exitCodeOf(new BotError(parts('JOURNAL_LOCKED')))).toBe(EXIT.locked);
    expect(exitCodeOf(new BotError(parts('JOURNAL_LOCK_UNUSABLE')))).toBe(EXIT.journal);
    expect(exitCodeOf(new BotError(parts('PREFLIGHT_UNREACHABLE')))).toBe(EXIT.unreachable);
    expect(exitCodeOf(new BotError(parts('PREFLIGHT_GRANT_EXPIRED')))).toBe(EXIT.refused);
    expect(exitCodeOf(new BotError(parts('PREFLIGHT_ACCOUNT_MISSING')))).toBe(EXIT.config);
  });
});

describe('exit codes', () => {
  test('are the numbers of sysexits, two after them, and those of signals, each once and with a meaning', () => {
    const numbers = Object.values(EXIT);
    expect(numbers).toEqual([0, 1, 64, 65, 69, 70, 73, 75, 77, 78, 79, 80, 130, 143]);
    expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
  });

  test('let a supervisor start again only where that can help', () => {
    const fixed = Object.entries(EXIT_MEANINGS).filter(([, row]) => row.isFixedByRestart);
    expect(fixed.map(([name]) => name)).toEqual(['failure', 'unreachable', 'internal', 'locked', 'died']);
  });
});
