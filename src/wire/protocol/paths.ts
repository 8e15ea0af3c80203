/**
 * @module
 * Paths of requests, URL-encoded: the way from an endpoint and its parameters to text. The way back is in endpoints.
 */
import { ProtocolError } from '../../core/index.ts';
import { type EndpointId, endpointOf } from './endpoints.ts';

/** What fills the parameters of a path, and its query; `undefined` values of the query are left out. */
export interface PathParams {
  /** Path parameters by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** Query parameters by name; `undefined` ones are left out. */
  readonly query?: Readonly<Record<string, string | number | bigint | undefined>>;
}

/**
 * The path of an endpoint with everything URL-encoded (obligation O12), to be appended to a base URL without a trailing
 * slash.
 * @throws ProtocolError when a path parameter is missing or empty.
 * @example pathOf('book', { path: { symbol: 'BTC-USD' }, query: { depth: 20 } }) // '/v1/markets/BTC-USD/book?depth=20'
 */
export function pathOf(id: EndpointId, params: PathParams = {}): string {
  const path = endpointOf(id).path.replace(/\{([a-zA-Z]+)\}/g, (_hole, name: string) => {
    const value = params.path?.[name];
    if (value === undefined || value === '') throw missingParam(id, name);
    return encodeURIComponent(value);
  });
  const query = formatQuery(params.query ?? {});
  return query === '' ? path : `${path}?${query}`;
}

/** Query text without the question mark; `undefined` values are left out. */
function formatQuery(query: NonNullable<PathParams['query']>): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

function missingParam(id: EndpointId, name: string): ProtocolError {
  return new ProtocolError({
    code: 'PROTOCOL_PATH_PARAMETER_MISSING',
    message: `expected the path parameter ${name} of ${id}, got nothing`,
    remedy: 'Give every parameter in braces in the path.',
  });
}
