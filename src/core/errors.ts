/**
 * @module
 * The one tree of errors. A thrown error is a bug, a bad input or a broken pipe; an expected outcome (denial,
 * rejection, lagged stream) is a value and never an error.
 */

/** What an error says about the operation it belongs to: certainly not done, perhaps done, certainly done. */
export type Effect = 'none' | 'unknown' | 'applied';

/** Facts of an error by name; values are printed as they are, so no secret may ever be put in here. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What an error is made of: see {@link BotError}. */
export interface ErrorParts {
  /** Stable code, AREA_THING_FAULT. */
  readonly code: string;
  /** What happened and what was expected. */
  readonly message: string;
  /** What to do. */
  readonly remedy: string;
  /** Values for programs; absent: none. */
  readonly details?: ErrorDetails;
  /** Whether the operation may have happened; absent: it did not. */
  readonly effect?: Effect;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** The root of all errors of ballast: a stable `code`, one sentence, facts, and what to do about it. */
export class BotError extends Error {
  override readonly name: string = 'BotError';
  /** Stable, UPPER_SNAKE, area first; listed in docs/reference/errors.md. */
  readonly code: string;
  /** What the reader can do about it. */
  readonly remedy: string;
  /** Facts that were known when it happened. */
  readonly details: ErrorDetails;
  /** True if the operation may have happened all the same. */
  readonly effect: Effect;

  constructor(parts: ErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = parts.code;
    this.remedy = parts.remedy;
    this.details = parts.details ?? {};
    this.effect = parts.effect ?? 'none';
  }

  /** The whole error as lines of text: sentence, facts, remedy. */
  describe(): string {
    const facts = Object.entries(this.details).map(([key, value]) => `  ${key}: ${shown(value)}`);
    return [`${this.code}: ${this.message}`, ...facts, `  remedy: ${this.remedy}`].join('\n');
  }
}

/** The same error with further facts, which stand before its own. */
export function withDetails(error: BotError, details: ErrorDetails): BotError {
  const Same = error.constructor as new (parts: ErrorParts) => BotError;
  const { code, message, remedy, effect, cause } = error;
  return new Same({ code, message, remedy, effect, cause, details: { ...details, ...error.details } });
}

/** A bug of ours: something that must hold did not. The run stops. */
export class AssertionError extends BotError {
  override readonly name = 'AssertionError';
}

/** A configuration, a parameter, a key file or an argument is wrong; names the location and the remedy. */
export class ConfigError extends BotError {
  override readonly name = 'ConfigError';
}

/** The wire broke the interface: an unreadable frame or answer. */
export class ProtocolError extends BotError {
  override readonly name = 'ProtocolError';
}

/** The gateway answered with an error. `details` holds `status`, `requestId` and `body` (obligation O74). */
export class GatewayError extends BotError {
  override readonly name: string = 'GatewayError';
}

/**
 * Why a part of something cannot be read. It never leaves its reader: the function that reads the full text or file
 * catches it and throws an error with the location, the code and the remedy.
 */
export class ReadFault extends Error {
  override readonly name = 'ReadFault';
}

/** The pipe broke: no answer, or half of one. */
export class TransportError extends BotError {
  override readonly name = 'TransportError';
}

/**
 * Any value as a text for people. An object of JSON can have keys that no text can be made of: its `toString` is whatever
 * was sent.
 */
export function shown(value: unknown): string {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
  try {
    return String(value);
  } catch {
    return typeof value === 'object' ? 'an object' : 'a function';
  }
}

/** Why a package that a user installs could not be loaded, as the end of a sentence. */
export function whyNotLoaded(thrown: unknown): string {
  const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND';
  const [, name] = isMissing ? (/^Cannot find package '([^']+)'/.exec(thrown.message) ?? []) : [];
  return name === undefined
    ? `it does not load: ${messageOf(thrown)}`
    : `found no ${name} in ${process.cwd()}`;
}

/** What is said of something thrown that says nothing, or throws when it is asked. */
const SAYS_NOTHING = 'an error that cannot be read';

/** The text of anything thrown, for logs. Code of others throws what it likes: a getter that throws is answered for. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof BotError) return `${thrown.code}: ${thrown.message}`;
    return thrown instanceof Error ? String(thrown.message) : shown(thrown);
  } catch {
    return SAYS_NOTHING;
  }
}

/** True of what the operating system has answered: no space, no right, no such file. */
export function isOfSystem(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown;
}

/** The stack of anything thrown, as {@link messageOf}; `undefined`: it has none that can be read. */
export function stackOf(thrown: unknown): string | undefined {
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : undefined;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}
