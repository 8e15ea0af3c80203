/**
 * @module
 * Every path of the interface document with what is known of it. Ids and weights are own choices (x-assumed); paths and
 * methods are the document's (openapi.yaml).
 */
import type { StructName } from './structs.ts';

/** One path and method. */
export interface Endpoint {
  /** Name of the endpoint. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** With `{name}` in place of path parameters. */
  readonly path: string;
  /** What a request costs of a budget (own choice; budgets are the operator's, obligation O114). */
  readonly weight: number;
  /** Names of the query parameters that it takes; others are refused. */
  readonly query: readonly string[];
  /** The structs a main wallet signs for it; empty for reads. */
  readonly structs: readonly StructName[];
}

const read = <Id extends string>(id: Id, path: string, weight = 1, ...query: readonly string[]) =>
  ({ id, method: 'GET', path, weight, query, structs: [] }) as const;
const write = <Id extends string>(id: Id, path: string, ...structs: readonly StructName[]) =>
  ({ id, method: 'POST', path, weight: 1, query: ['ack'], structs }) as const;
const OF_ACCOUNT = ['address', 'subaccount', 'vault'];
const OF_PAGE = ['after', 'epoch', 'upper', 'limit'];

/** All endpoints. */
export const ENDPOINTS = [
  read('time', '/v1/time'),
  read('exchange', '/v1/exchange'),
  read('ws', '/v1/ws', 5),

  read('account', '/v1/account', 2, ...OF_ACCOUNT),
  read('positions', '/v1/account/positions', 2, ...OF_ACCOUNT),
  read('openOrders', '/v1/account/orders', 2, ...OF_ACCOUNT),
  read('orderHistory', '/v1/account/orders/history', 5, ...OF_ACCOUNT, 'limit'),
  read('orderByClientId', '/v1/orders/client/{clientOrderId}', 1, ...OF_ACCOUNT),
  read('order', '/v1/orders/{orderId}'),
  read('fills', '/v1/account/fills', 5, ...OF_ACCOUNT, ...OF_PAGE),
  read('ledger', '/v1/account/ledger', 5, ...OF_ACCOUNT, ...OF_PAGE),
  read('fundingPayments', '/v1/account/funding', 5, ...OF_ACCOUNT, 'limit'),
  read('withdrawals', '/v1/account/withdrawals', 2, ...OF_ACCOUNT),
  read('subaccounts', '/v1/account/subaccounts', 2, 'address'),
  read('agents', '/v1/account/agents', 2, ...OF_ACCOUNT),
  read('agentAccounts', '/v1/agents/{address}', 2),
  read('nonce', '/v1/account/nonce', 1, ...OF_ACCOUNT, 'signer'),
  read('portfolio', '/v1/account/portfolio', 5, ...OF_ACCOUNT, 'limit'),
  read('receipt', '/v1/requests/{requestId}', 1, 'scope', 'nonce', 'commandHash'),
  read('events', '/v1/events', 5, ...OF_ACCOUNT, 'symbol', ...OF_PAGE),

  write('createSubaccount', '/v1/account/subaccounts', 'CreateSubaccount'),
  write('setLeverage', '/v1/account/leverage', 'SetLeverage'),
  write('approveAgent', '/v1/account/agents/approve', 'ApproveAgent'),
  write('revokeAgent', '/v1/account/agents/revoke', 'RevokeAgent'),

  read('markets', '/v1/markets', 2),
  read('market', '/v1/markets/{symbol}'),
  read('prices', '/v1/prices', 2),
  read('book', '/v1/markets/{symbol}/book', 2, 'depth'),
  read('trades', '/v1/markets/{symbol}/trades', 2, 'limit'),
  read('candles', '/v1/markets/{symbol}/candles', 5, 'interval', 'startTime', 'endTime', 'limit'),
  read('fundingHistory', '/v1/markets/{symbol}/funding', 5, 'limit'),
  read('fees', '/v1/fees'),
  read('dexes', '/v1/dexes', 2),
  read('dex', '/v1/dexes/{id}'),
  read('builderSummary', '/v1/builders/{address}/summary', 2),

  read('accountVaults', '/v1/account/vaults', 2, ...OF_ACCOUNT),
  read('vaults', '/v1/vaults', 2),
  read('vault', '/v1/vaults/{id}'),
  read('vaultNav', '/v1/vaults/{id}/nav', 5, 'limit'),
  read('vaultDepositors', '/v1/vaults/{id}/depositors', 5, 'limit'),
  write('createVault', '/v1/vaults', 'CreateVault'),
  write('depositVault', '/v1/vaults/{id}/deposit', 'DepositVault'),
  write('redeemVault', '/v1/vaults/{id}/redeem', 'RedeemVault'),
  write('claimVault', '/v1/vaults/{id}/claim', 'ClaimVault'),
  write('configureVault', '/v1/vaults/{id}/config', 'ConfigureVault'),

  write('placeOrders', '/v1/orders', 'BatchPlace', 'PlaceOrder', 'PlaceConditional'),
  write('cancelOrders', '/v1/orders/cancel', 'BatchCancel', 'CancelOrder', 'CancelConditional', 'CancelTwap'),
  write('cancelAll', '/v1/orders/cancel-all', 'CancelAll'),
  write('replaceOrders', '/v1/orders/replace', 'BatchReplace'),
  write('scheduleCancel', '/v1/orders/schedule-cancel', 'ScheduleCancel'),
  write('placeTwap', '/v1/orders/twap', 'PlaceTwap'),
  write('placeTpsl', '/v1/positions/tpsl', 'PlaceTpslPair'),
] as const satisfies readonly Endpoint[];

/** The name of an endpoint. */
export type EndpointId = (typeof ENDPOINTS)[number]['id'];

const BY_ID: ReadonlyMap<string, Endpoint> = new Map(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint]));

/** The endpoint of this name. */
export function endpointOf(id: EndpointId): Endpoint {
  return BY_ID.get(id) as Endpoint;
}

/** Endpoints cut at their slashes; literal segments come before parameters (`/v1/orders/cancel`, `/v1/orders/{orderId}`). */
const ROUTES = ENDPOINTS.map((endpoint: Endpoint) => ({ endpoint, segments: endpoint.path.split('/') })).sort(
  (a, b) => countParams(a.segments) - countParams(b.segments),
);

function countParams(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith('{')).length;
}

/** An endpoint with the decoded parameters of a path. */
export interface EndpointMatch {
  readonly endpoint: Endpoint;
  /** Path parameters by name, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The endpoint that serves `method` and `path` (without query), for servers. `undefined` when there is none or when a
 * segment is not URL-encoded text.
 */
export function matchEndpoint(method: string, path: string): EndpointMatch | undefined {
  const segments = path.split('/');
  for (const route of ROUTES) {
    if (route.endpoint.method !== method || route.segments.length !== segments.length) continue;
    const params = paramsOf(route.segments, segments);
    if (params !== undefined) return { endpoint: route.endpoint, params };
  }
  return undefined;
}

function paramsOf(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith('{')) {
      if (expected !== segment) return undefined;
      continue;
    }
    const value = decodeSegment(segment);
    if (value === undefined || value === '') return undefined;
    params[expected.slice(1, -1)] = value;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
