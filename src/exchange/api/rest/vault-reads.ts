/**
 * @module
 * Reads of vaults, of what an account has in them, and of what an account was worth over time.
 */
import { must } from '../../../core/index.ts';
import {
  PAGE_LIMIT_DEFAULT,
  vaultNumber,
  type WireAccountVaults,
  type WireVaultDepositors,
  type WireVaults,
} from '../../../wire/protocol/index.ts';
import type { Vault } from '../../state/index.ts';
import { depositorJson, navJson, portfolioJson, stakeJson, vaultJson } from '../json/vault-json.ts';
import { type EndpointResult, ok, refuse } from './answer.ts';
import {
  isRefusal,
  PAGE_LIMIT,
  queryOf,
  type ReadContext,
  type ReadHandler,
  type ReadTable,
  selectAccount,
} from './read.ts';

/** Handlers by endpoint. */
export const VAULT_READS: ReadTable = {
  vaults: ({ state }) =>
    ok({
      vaults: Array.from(state.vaults.all(), (vault) => vaultJson(vault, state.venue.account(vault.id))),
    } satisfies WireVaults),
  vault: ofVault(({ state }, vault) => ok(vaultJson(vault, state.venue.account(vault.id)))),
  vaultNav: ofVault((context, vault) => {
    const limit = limitOf(context);
    return isRefusal(limit) ? refuse(limit) : ok(navJson(vault.nav.newest(limit)));
  }),
  vaultDepositors: ofVault(readDepositors),
  accountVaults: readAccountVaults,
  portfolio: readPortfolio,
};

/** A handler that needs the vault of the path. */
function ofVault(handler: (context: ReadContext, vault: Vault) => EndpointResult): ReadHandler {
  return (context) => {
    const id = vaultNumber(context.params['id'] ?? '');
    const vault = id === undefined ? undefined : context.state.vaults.byId(id);
    return vault === undefined
      ? refuse({ code: 'NotFound', message: 'no such vault' })
      : handler(context, vault);
  };
}

function limitOf({ query }: ReadContext) {
  return queryOf(query, 'limit', PAGE_LIMIT, PAGE_LIMIT_DEFAULT);
}

/** The largest come first, so that a short answer shows who matters; of equals the earlier one. */
function readDepositors(context: ReadContext, vault: Vault): EndpointResult {
  const limit = limitOf(context);
  if (isRefusal(limit)) return refuse(limit);
  const { state } = context;
  const book = state.vaultDesk.bookOf(vault);
  const largest = [...vault.stakes].sort(([, a], [, b]) => compare(b.shares, a.shares)).slice(0, limit);
  return ok({
    depositors: largest.map(([account, stake]) =>
      depositorJson(must(state.registry.byId(account), `the account ${account}`), stake, book),
    ),
  } satisfies WireVaultDepositors);
}

function readAccountVaults(context: ReadContext): EndpointResult {
  const account = selectAccount(context);
  if (isRefusal(account)) return refuse(account);
  const { vaults, vaultDesk } = context.state;
  const stakes = Array.from(vaults.all(), (vault) => {
    const stake = vault.stakes.get(account.id);
    return stake === undefined ? [] : [stakeJson(vault, stake, vaultDesk.bookOf(vault))];
  });
  return ok({ vaults: stakes.flat() } satisfies WireAccountVaults);
}

function readPortfolio(context: ReadContext): EndpointResult {
  const account = selectAccount(context);
  if (isRefusal(account)) return refuse(account);
  const limit = limitOf(context);
  if (isRefusal(limit)) return refuse(limit);
  const { state } = context;
  const { equity } = state.venue.account(account.id);
  return ok(portfolioJson(state.portfolios.read(account.id, { limit, atMs: state.blockAtMs, equity })));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
