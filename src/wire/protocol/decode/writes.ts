/**
 * @module
 * Receipts, as far as they name orders, and error bodies. What an answer proves of a write is execution's to say (obligation
 * O58). A status that is not known is malformed.
 */
import {
  eachOf,
  FieldError,
  fieldOf,
  INTEGER,
  isRecord,
  OBJECT,
  objectOf,
  optionalOf,
  TEXT,
} from '../../../core/index.ts';
import type { OrderId } from '../../../domain/index.ts';
import { type Exact, exactly } from '../schema/schema.ts';
import { ITEM, OUTCOME, RECEIPT } from '../schema/write.ts';
import type { Decoded } from './decoded.ts';
import { amountScale, decoded } from './fields.ts';

/** The orders that a receipt names: those that were placed, and those that were to be canceled. */
export interface ReceiptOrders {
  readonly status: Exact<typeof RECEIPT>['status'];
  /** None while the outcome is not known. */
  readonly orderIds: readonly OrderId[];
}

const exactReceipt = exactly(RECEIPT);
const exactItem = exactly(ITEM);

/** The body of a 200 of GET /v1/requests/{requestId}. */
export function decodeReceipt(text: string): Decoded<ReceiptOrders> {
  return decoded(text, (value) => {
    const fields = objectOf(value);
    const scale = amountScale(0);
    // Without these two it is no receipt, whatever else it says.
    exactReceipt.requestId(fields, scale);
    const status = exactReceipt.status(fields, scale);
    const hasItems = fields['items'] !== undefined && fields['items'] !== null;
    if (status === 'pending' || !hasItems) return { status, orderIds: [] };
    const named = eachOf(fields, 'items', (item) => {
      const state = exactItem.state(item, scale);
      const orderId = exactItem.orderId(item, scale);
      // Without its number an order that may rest could never be canceled.
      if (state === 'accepted' && orderId === undefined)
        throw new FieldError('orderId', 'the number of an accepted order', undefined);
      return orderId === undefined ? [] : [orderId];
    });
    return { status, orderIds: named.flat() };
  });
}

/** The status of an answer to a write or of its receipt; `undefined`: none that is known. */
export function readStatus(value: unknown): Exact<typeof OUTCOME>['status'] | undefined {
  return OUTCOME.fields.status.read(value);
}

/** An error the gateway answered with. Decisions use `code` and `details`, never `message` (obligation O72). */
export interface ErrorBody {
  /** Code of the error. */
  readonly code: string;
  /** Number of the error code; `undefined`: not reported. */
  readonly num: number | undefined;
  /** The exchange's text. */
  readonly message: string;
  /** Further values of the error. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The body of an answer that is no success; not `ok` when it has no well-formed `error.code` (obligation O73). */
export function decodeErrorBody(text: string): Decoded<ErrorBody> {
  return decoded(text, (value) => {
    const error = fieldOf(objectOf(value), 'error', OBJECT);
    const { num, message, details } = error;
    return {
      code: fieldOf(error, 'code', TEXT),
      num: typeof num === 'number' ? optionalOf(error, 'num', INTEGER, undefined) : undefined,
      message: typeof message === 'string' ? message : '',
      details: isRecord(details) ? details : {},
    };
  });
}
