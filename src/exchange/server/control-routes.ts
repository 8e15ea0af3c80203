/**
 * @module
 * `/control` over HTTP: the table of actions as paths, outside of the OpenAPI document. It answers this machine only: a
 * peer of another address, an unexpected Host header (a page that had its name resolved to 127.0.0.1) and a page of
 * another origin are refused.
 *
 *   GET  /                 the same as a page for people
 *   GET  /control          what there is
 *   POST /control/<action>   parameters as a JSON object in, JSON object out
 */

import type { IncomingMessage } from 'node:http';
import { BotError, invalidField, isRecord, parseJson } from '../../core/index.ts';
import type { ExchangeAnswer } from '../api/index.ts';
import type { ControlAction } from '../control/index.ts';
import { allControlActions, controlActionOf, runControlAction } from '../control/index.ts';
import type { ControlApi } from './control-api.ts';
import { addressOf, type ExtraRoutes, pathOf } from './http.ts';
import { type PageAddress, renderPage } from './page.ts';

const ROOT = '/control';
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Answers requests below `/control` with what `api` does, and `/` with a page of what there is. */
export function controlRoutes(api: ControlApi, address: () => PageAddress): ExtraRoutes {
  const takes = (request: IncomingMessage): boolean => {
    const path = plainPathOf(request);
    return path === ROOT || path.startsWith(`${ROOT}/`) || isPage(request);
  };
  return {
    takes,
    refusal: (request) => {
      const why = takes(request) ? refusalOf(request) : undefined;
      return why === undefined ? undefined : error(403, 'ControlForbidden', why);
    },
    answer: (request, body) => {
      if (isPage(request)) return Promise.resolve(html(renderPage(api, address())));
      if (pathOf(request).includes('?'))
        return Promise.resolve(
          error(400, 'ControlInvalid', 'expected parameters as a JSON object in the body, not in the query'),
        );
      const name = plainPathOf(request).slice(ROOT.length + 1);
      return name === '' ? Promise.resolve(overview(request)) : perform(api, name, { request, body });
    },
  };
}

function isPage(request: IncomingMessage): boolean {
  return request.method === 'GET' && plainPathOf(request) === '/';
}

function html(body: string): ExchangeAnswer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  };
  return { status: 200, headers, body };
}

function plainPathOf(request: IncomingMessage): string {
  return pathOf(request).split('?', 1)[0] ?? '';
}

/** Why a request is refused: it does not come from a program or a page of this machine; `undefined`: it does. */
function refusalOf(request: IncomingMessage): string | undefined {
  const peer = addressOf(request);
  if (peer !== '::1' && !peer.startsWith('127.')) return 'expected a peer of this machine';
  const { host = '', origin } = request.headers;
  const name = host.replace(/:[0-9]+$/, '').toLowerCase();
  if (!LOOPBACK_NAMES.has(name)) return 'expected the header host as 127.0.0.1 or localhost';
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return 'expected no header origin, or the own one';
  return undefined;
}

function overview({ method }: IncomingMessage): ExchangeAnswer {
  if (method !== 'GET') return error(405, 'ControlMethod', `expected GET at ${ROOT}`, { allow: 'GET' });
  return json(200, { actions: allControlActions().map(describeAction) });
}

function describeAction({ name, description, parameters, gives, isRead }: ControlAction): object {
  return {
    name,
    method: isRead ? 'GET or POST' : 'POST',
    path: `${ROOT}/${name}`,
    description,
    parameters: Object.entries(parameters).map(([key, { type, about: meaning, isRequired, preset }]) => ({
      name: key,
      isRequired,
      expected: type.expected,
      about: meaning,
      ...(preset === undefined ? {} : { default: preset }),
    })),
    gives,
  };
}

async function perform(
  api: ControlApi,
  name: string,
  { request, body }: { readonly request: IncomingMessage; readonly body: string },
): Promise<ExchangeAnswer> {
  const action = controlActionOf(name);
  if (action === undefined)
    return error(
      404,
      'ControlUnknown',
      `no action ${JSON.stringify(name.slice(0, 60))}; GET ${ROOT} lists them`,
    );
  const allowed = action.isRead ? ['GET', 'POST'] : ['POST'];
  if (!allowed.includes(request.method ?? ''))
    return error(405, 'ControlMethod', `expected ${allowed.join(' or ')}, got ${request.method}`, {
      allow: allowed.join(', '),
    });
  try {
    return json(200, await runControlAction(api.exchange.control, name, parametersOf(body)));
  } catch (thrown) {
    if (!(thrown instanceof BotError)) throw thrown;
    const { code, message, remedy, details } = thrown;
    const known = STATUS_OF[code];
    if (known === undefined) throw thrown;
    return json(known.status, { error: { code: known.code, message, remedy, details } });
  }
}

const STATUS_OF: Readonly<Record<string, { readonly status: number; readonly code: string }>> = {
  CONTROL_INVALID: { status: 400, code: 'ControlInvalid' },
  CONTROL_REFUSED: { status: 409, code: 'ControlRefused' },
  SNAPSHOT_UNAVAILABLE: { status: 409, code: 'SnapshotUnavailable' },
  SNAPSHOT_DAMAGED: { status: 400, code: 'SnapshotDamaged' },
  SNAPSHOT_VERSION_UNSUPPORTED: { status: 400, code: 'SnapshotVersion' },
  SNAPSHOT_DIVERGED: { status: 400, code: 'SnapshotDiverged' },
};

function parametersOf(body: string): unknown {
  if (body.trim() === '') return {};
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    throw invalidField('(body)', 'a JSON object', body.slice(0, 60));
  }
  if (!isRecord(value)) throw invalidField('(body)', 'a JSON object', value);
  return value;
}

function error(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ExchangeAnswer {
  return {
    ...json(status, { error: { code, message } }),
    headers: { 'content-type': 'application/json', ...headers },
  };
}

function json(status: number, body: object): ExchangeAnswer {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: `${text}\n`,
  };
}
