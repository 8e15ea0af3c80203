/**
 * @module
 * The one address of an environment. It comes from the operator; no host is known here (obligation O1). Does not look
 * anything up.
 */
import { ConfigError } from '../../core/index.ts';

/** Where requests and the stream of one environment go. */
export interface BaseUrl {
  /** `http://host:port`, for the connection pool. */
  readonly origin: string;
  /** What comes before `/v1`: empty, or a path that starts with a slash and does not end with one. */
  readonly prefix: string;
  /** The address of the stream. */
  readonly streamUrl: string;
}

/**
 * Takes the operator's base URL apart; trailing slashes are dropped.
 * @throws ConfigError when it is no http(s) URL, carries credentials, a query or a fragment, or already ends with `/v1`.
 * @example parseBaseUrl('https://host/gate/').prefix // '/gate'
 */
export function parseBaseUrl(text: string): BaseUrl {
  if (!URL.canParse(text)) throw invalid('an absolute URL', text);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid('http or https', url.protocol);
  if (url.username !== '' || url.password !== '') throw invalid('no user name or password in it', url.host);
  if (url.search !== '' || url.hash !== '') throw invalid('no query and no fragment', url.search + url.hash);
  const prefix = url.pathname.replace(/\/+$/, '');
  if (/\/v1$/.test(prefix)) throw invalid('the address above /v1', prefix);
  const scheme = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return { origin: url.origin, prefix, streamUrl: `${scheme}//${url.host}${prefix}/v1/ws` };
}

function invalid(expected: string, was: string): ConfigError {
  return new ConfigError({
    code: 'GATEWAY_BASE_URL_INVALID',
    message: `expected the base URL to be ${expected}, got ${JSON.stringify(was.slice(0, 200))}`,
    remedy: 'Write it like https://host or https://host/path, without /v1 and without a trailing slash.',
  });
}
