/**
 * @module
 * Why a business body is no valid write. Bodies are read by `core/fields`, strictly: they are closed objects, and numbers
 * are JSON numbers. A refusal travels as an error inside this folder and leaves it as a value.
 */
import { FieldError, numberFrom } from '../../../core/index.ts';
import type { KnownErrorCode } from '../error-codes.ts';

/** Why a body is no valid write. */
export interface WriteProblem {
  readonly code: KnownErrorCode;
  /** What was expected and found. */
  readonly message: string;
}

/** A body that breaks the interface in another way than `InvalidRequest`. */
export class BodyRefused extends FieldError {
  readonly reason: KnownErrorCode;

  constructor(reason: KnownErrorCode, place: string, expected: string, value: unknown) {
    super(place, expected, value);
    this.reason = reason;
  }
}

/** An instant of a body in Unix ms, 0 for none. */
export const INSTANT = numberFrom(0);
