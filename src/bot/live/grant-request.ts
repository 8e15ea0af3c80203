/**
 * @module
 * A change of a grant as a file: typed data for the main wallet, and beside it, in the member `ballast`, what a person and
 * the command that sends it have to know.
 */
import { writeFileSync } from 'node:fs';
import {
  ConfigError,
  isRecord,
  messageOf,
  parseJson,
  readRegularFile,
  whyUnreadable,
} from '../../core/index.ts';

/** A change of a grant that waits for the main wallet's signature, as its file has it beside the typed data. */
export interface GrantRequest {
  /** Name of the document. */
  readonly schema: 'ballast-grant-request';
  /** Version of the document. */
  readonly version: 1;
  readonly change: 'approve' | 'revoke';
  /** Name of the API wallet in the configuration; `-`: it has none there. */
  readonly wallet: string;
  /** Address of the API wallet. */
  readonly agent: string;
  /** The main wallet, which signs. */
  readonly account: string;
  readonly subaccount: number;
  /** End of the grant, Unix ms; 0: never, or it is taken away. */
  readonly validUntilMs: number;
  /** Nonce of the write, decimal text. Another write of the main wallet makes the signature void. */
  readonly nonce: string;
  /** The request that the signature makes. */
  readonly requestId: string;
}

/** A request has less than two thousand bytes. */
const REQUEST_BYTES_MAX = 65_536;

/** Writes `request` beside its typed data. @throws ConfigError `CONFIG_GRANT_FILE_INVALID` when that cannot be done. */
export function writeRequest(
  file: string,
  typedData: Readonly<Record<string, unknown>>,
  request: GrantRequest,
): void {
  try {
    writeFileSync(file, `${JSON.stringify({ ...typedData, ballast: request }, null, 2)}\n`);
  } catch (cause) {
    throw invalidFile(file, `to write it, but ${messageOf(cause)}`);
  }
}

/** The request of `file`. @throws ConfigError `CONFIG_GRANT_FILE_INVALID` for a file of another kind. */
export function readRequest(file: string): GrantRequest {
  let found: unknown;
  try {
    found = parseJson(readRegularFile(file, REQUEST_BYTES_MAX));
  } catch (cause) {
    throw invalidFile(file, `a file that ballast wrote, but ${whyUnreadable(file, cause)}`);
  }
  const request = isRecord(found) ? found['ballast'] : undefined;
  if (!isRecord(request) || request['schema'] !== 'ballast-grant-request' || request['version'] !== 1)
    throw invalidFile(
      file,
      'the member ballast of a file that `ballast keys approve --offline` wrote, got none',
    );
  const { change, agent, validUntilMs } = request;
  const isWhole = change === 'approve' || change === 'revoke';
  const isTimed = typeof validUntilMs === 'number' && Number.isSafeInteger(validUntilMs) && validUntilMs >= 0;
  if (!isWhole || !isTimed || typeof agent !== 'string' || !/^0x[0-9a-f]{40}$/.test(agent))
    throw invalidFile(file, 'change, agent and validUntilMs as ballast wrote them, got others');
  // What else stands there is compared with what is planned again: only the same request is sent.
  return request as unknown as GrantRequest;
}

function invalidFile(file: string, what: string): ConfigError {
  return new ConfigError({
    code: 'CONFIG_GRANT_FILE_INVALID',
    message: `${file}: expected ${what}`,
    remedy: 'Write it again with `ballast keys approve <config> --offline <file>` and sign that.',
  });
}
