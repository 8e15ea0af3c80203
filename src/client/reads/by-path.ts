/** @module Reads by path, for the shell and for what no function shows. */
import { isHex } from '../../core/index.ts';
import { type EndpointId, matchEndpoint } from '../../wire/protocol/index.ts';
import { WALLET_ADDRESS } from '../calls/values.ts';
import { misused, readError } from '../errors.ts';
import type { Session } from '../session.ts';

/**
 * The body of a read. `path` may hold a query; `query` is added to it.
 * @throws ClientUsageError `CLIENT_PATH_UNKNOWN` unless the interface has a read there, `CLIENT_ADDRESS_INVALID`; ApiError, TransportError
 */
export async function readByPath(
  session: Session,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [plain = '', search = ''] = path.split(/\?(.*)/s);
  const match = matchEndpoint('GET', plain);
  if (match === undefined || match.endpoint.id === 'ws') throw unknownPath(plain);
  const asked = [...new URLSearchParams(search), ...Object.entries(query)];
  const call = {
    endpoint: match.endpoint.id as EndpointId,
    path: match.params,
    query: Object.fromEntries(asked),
  };
  if (Object.keys(call.query).length < asked.length) throw repeatedParameter(asked);
  // The gateway takes any case (exchange.md#signing), so a mistyped address is found here or nowhere.
  for (const [name, value] of Object.entries<unknown>({ ...call.path, ...call.query }))
    if (isHex(value, 20)) WALLET_ADDRESS.read(value, { call: 'get', path: name });
  try {
    return await session.gateway.reader.read(call, (text) => ({ ok: true, value: text }));
  } catch (thrown) {
    throw readError(thrown);
  }
}

function repeatedParameter(asked: readonly (readonly [name: string, value: string])[]) {
  return misused({
    code: 'CLIENT_FORM_INVALID',
    message: `expected each query parameter once, got ${asked.map(([name]) => name).join(', ')}`,
    remedy: 'Give it in the path or beside it, once.',
  });
}

function unknownPath(path: string) {
  return misused({
    code: 'CLIENT_PATH_UNKNOWN',
    message: `expected the path of a read, such as /v1/markets, got ${JSON.stringify(path.slice(0, 120))}`,
    remedy: 'The paths are in src/wire/protocol/openapi.yaml and on the page that `ballast sim` serves at /.',
  });
}
