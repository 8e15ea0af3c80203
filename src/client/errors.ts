/**
 * @module
 * What a client throws. Decisions belong on `code` and `effect`, never on `message` (obligation O72); status, requestId and
 * body are kept for a diagnosis (obligation O74).
 */
import { type BotError, ConfigError, type Effect, GatewayError } from '../core/index.ts';
import { decodeErrorBody, errorCodeOf } from '../wire/protocol/index.ts';
import { remedyOf } from './remedies.ts';

/** What an error of the gateway is made of. */
export interface ApiErrorParts {
  /** Status of the answer; 0: there was none. */
  readonly status: number;
  /** Body of the response as text. */
  readonly body: string;
  /** Whether the request may have had an effect. */
  readonly effect: Effect;
  /** Error text for people. */
  readonly message: string;
  /** Error code of the gateway; `undefined`: the response had none. */
  readonly code?: string | undefined;
  /** Id of the write; `undefined`: it was a read. */
  readonly requestId?: string | undefined;
  /** What to do; absent: nothing is known. */
  readonly remedy?: string;
  /** Underlying error; absent: none. */
  readonly cause?: unknown;
}

/**
 * The gateway refused. `code` and `num` are the gateway's (docs/reference/gateway-codes.md), `effect` says whether the
 * operation may have happened: of a refused read always `none`.
 */
export class ApiError extends GatewayError {
  override readonly name = 'ApiError';
  /** The gateway's number of the code; `undefined` when it gave none. */
  readonly num: number | undefined;
  /** HTTP status; 0 when no answer decided. */
  readonly status: number;
  /** Of a write: known before it was sent. */
  readonly requestId: string | undefined;
  /** The whole answer as text. */
  readonly body: string;

  constructor(parts: ApiErrorParts) {
    const { status, body, effect, message, requestId, cause } = parts;
    const error = decodeErrorBody(body);
    const said = error.ok ? error.value : undefined;
    const code = parts.code ?? said?.code ?? 'GATEWAY_RESPONSE_UNEXPECTED';
    super({
      code,
      message,
      remedy: parts.remedy ?? remedyOf(code, status),
      details: { status, ...(requestId === undefined ? {} : { requestId }), ...said?.details },
      effect,
      cause,
    });
    this.num = said?.num ?? errorCodeOf(code)?.num;
    this.status = status;
    this.requestId = requestId;
    this.body = body;
  }
}

/** The error of a read, as this client throws it; anything else comes back as it is. */
export function readError(thrown: unknown): unknown {
  if (!(thrown instanceof GatewayError) || thrown instanceof ApiError) return thrown;
  const { status, body, gatewayCode, requestId } = thrown.details;
  return new ApiError({
    status: typeof status === 'number' ? status : 0,
    body: typeof body === 'string' ? body : '',
    code: typeof gatewayCode === 'string' ? gatewayCode : undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    effect: 'none',
    message: thrown.message,
    cause: thrown,
  });
}

/** The client was asked for what it cannot do, before anything was sent. */
export class ClientUsageError extends ConfigError {}

/** A {@link ClientUsageError}. */
export function misused({
  code,
  message,
  remedy,
}: Pick<ErrorParts, 'code' | 'message' | 'remedy'>): ClientUsageError {
  return new ClientUsageError({ code, message, remedy });
}

type ErrorParts = ConstructorParameters<typeof BotError>[0];
