/**
 * @module
 * Looks before the first signature: do wallets, grants, account and markets of the configuration exist at the gateway,
 * and do they agree? Each refusal names what is wrong and what to do (obligations O22, O53, O121).
 */
import { BotError } from '../../../core/index.ts';
import {
  type AccountSelection,
  type Address,
  accountName,
  grantingAccount,
  isTradable,
  type Market,
  type MarketSymbol,
} from '../../../domain/index.ts';
import { readAgentAccounts, readAgents, readNonce, readVault } from '../../../wire/gateway/index.ts';
import type { AgentGrant } from '../../../wire/protocol/index.ts';
import type { Environment } from './environment.ts';
import type { LoadedWallet } from './wallets.ts';

/** What must be true of a wallet's grant. */
export interface CheckedGrant {
  /** Name of the API wallet in the configuration. */
  readonly wallet: string;
  readonly address: Address;
  /** 0: never expires. */
  readonly validUntilMs: number;
}

/** A run ends when less than its least time is left of a grant (M16): at its start there is so much more. */
const GRANT_MARGIN_MS = 30_000;
/** The least time of a grant where the configuration names none. */
const GRANT_LEFT_MS_MIN = 120_000;

/** The last instant that a date can name (ECMAScript: Time Values and Time Range). */
const LAST_DATE_MS = 8.64e15;

/** The date at which a grant ends; `undefined`: never, as with 0 and with an end that no date can name. */
export function grantEnd(validUntilMs: number): string | undefined {
  const isNamed = validUntilMs !== 0 && validUntilMs <= LAST_DATE_MS;
  return isNamed ? new Date(validUntilMs).toISOString() : undefined;
}

/** The account's number in signed structs. @throws BotError `PREFLIGHT_ACCOUNT_MISSING` when the account does not exist. */
export async function checkAccount(environment: Environment, selection: AccountSelection): Promise<number> {
  if (selection.vault !== undefined) await checkVault(environment, selection, selection.vault);
  const record = await readNonce(environment.gateway.reader, selection);
  if (record !== undefined) return record.signingAccountId;
  throw missing(selection);
}

function missing(selection: AccountSelection): BotError {
  const isVault = selection.vault !== undefined;
  return new BotError({
    code: 'PREFLIGHT_ACCOUNT_MISSING',
    message: `expected ${isVault ? '' : 'the account '}${accountName(selection)} at the gateway, got none`,
    remedy: isVault
      ? 'Check account.vault: GET /v1/vaults lists them.'
      : 'Check account.address and account.subaccount; an account appears with its first deposit.',
  });
}

/** A vault trades from its claim on, for the account that claimed it (obligations O53, O55). @throws BotError `PREFLIGHT_VAULT_...`, `PREFLIGHT_ACCOUNT_MISSING`. */
async function checkVault(
  { gateway }: Environment,
  selection: AccountSelection,
  vault: string,
): Promise<void> {
  const found = await readVault(gateway.reader, vault);
  if (found === undefined) throw missing(selection);
  const { manager } = found;
  if (manager === undefined)
    throw refused('PREFLIGHT_VAULT_UNCLAIMED', {
      message: `expected vault ${vault} to have a manager, got a fresh one that nobody has claimed`,
      remedy:
        'Claim it with the main wallet (POST /v1/vaults/{id}/claim); before that nothing trades for it.',
    });
  const { address, subaccount = selection.subaccount } = manager;
  if (address.toLowerCase() !== selection.address || subaccount !== selection.subaccount)
    throw refused('PREFLIGHT_VAULT_MANAGER', {
      message: `expected ${accountName(selection)}, got one that ${address}/${subaccount} claimed and manages`,
      remedy:
        'Set account.address and account.subaccount to the account that claimed the vault: the grants of its API wallets are there.',
    });
}

/** What a grant is looked for with. */
export interface GrantContext {
  /** The account's number in signed structs: some exchanges name accounts by it alone. */
  readonly signingAccountId: number;
  /** Position of an approval made just now, which a replica may not have seen. */
  readonly approvedAtSeq?: bigint | undefined;
  /** A run ends when less is left (`risk.minGrantTimeLeft`), ms; absent: two minutes. */
  readonly leftMsMin?: number | undefined;
}

/** Both listings of grants name `wallet` for this account and for no other. @throws BotError `PREFLIGHT_GRANT_...`. */
export async function checkGrant(
  environment: Environment,
  selection: AccountSelection,
  wallet: Pick<LoadedWallet, 'name' | 'key'>,
  { signingAccountId, approvedAtSeq, leftMsMin = GRANT_LEFT_MS_MIN }: GrantContext,
): Promise<CheckedGrant> {
  const { reader } = environment.gateway;
  const address = wallet.key.address as Address;
  // For a vault the grant is of the account that claimed it (obligation O53).
  const granting = grantingAccount(selection);
  const granted = (await readAgents(reader, granting, approvedAtSeq)).find(
    (grant) => grant.address === address,
  );
  const accounts = await readAgentAccounts(reader, address, approvedAtSeq);
  const grantingId =
    selection.vault === undefined ? signingAccountId : (await readNonce(reader, granting))?.signingAccountId;
  const own = accounts.find((grant) =>
    grant.account === undefined
      ? grant.accountId === grantingId
      : grant.account === selection.address && grant.subaccount === selection.subaccount,
  );
  const label = `wallet ${wallet.name} (${address})`;
  if (granted === undefined || own === undefined) {
    const elsewhere = accounts.map((grant) => nameOf(grant)).join(', ');
    throw refused('PREFLIGHT_GRANT_MISSING', {
      message: `expected a grant of ${accountName(granting)} for ${label}, got ${elsewhere === '' ? 'none' : `grants of ${elsewhere}`}`,
      remedy: 'Approve it with `ballast keys approve <config>`, or correct account or keyFile.',
    });
  }
  const others = accounts.filter((grant) => grant !== own && !grant.isExpired);
  if (others.length > 0) {
    throw refused('PREFLIGHT_GRANT_SHARED', {
      message: `expected ${label} to serve only this account, got grants of ${others.map((grant) => nameOf(grant)).join(', ')} too`,
      remedy: 'Its nonce counter is one for all accounts: use a separate wallet for each account.',
    });
  }
  const nowMs = environment.gateway.serverClock.serverNowMs();
  const restMsMin = leftMsMin + GRANT_MARGIN_MS;
  if (granted.isExpired || (granted.validUntilMs !== 0 && granted.validUntilMs - nowMs < restMsMin)) {
    throw refused('PREFLIGHT_GRANT_EXPIRED', {
      message: `expected the grant of ${label} to be valid for more than ${restMsMin / 1000} s, it ends at ${grantEnd(granted.validUntilMs) ?? 'no date'}`,
      remedy: 'Approve it again with `ballast keys approve <config>`, or lower risk.minGrantTimeLeft.',
    });
  }
  return { wallet: wallet.name, address, validUntilMs: granted.validUntilMs };
}

/** The markets of the configuration as the gateway has them. @throws BotError `PREFLIGHT_MARKET_...`. */
export function checkMarkets(environment: Environment, symbols: readonly MarketSymbol[]): readonly Market[] {
  return symbols.map((symbol) => {
    const market = environment.markets.get(symbol);
    const refusal = environment.refused.find((one) => one.symbol === symbol);
    if (market === undefined) {
      throw refused('PREFLIGHT_MARKET_UNKNOWN', {
        message: `expected a market ${symbol}, ${refusal === undefined ? `the gateway has ${[...environment.markets.keys()].join(', ')}` : `but ${refusal.why}`}`,
        remedy: 'Correct section markets of the configuration.',
      });
    }
    if (!isTradable(market)) {
      throw refused('PREFLIGHT_MARKET_CLOSED', {
        message: `expected market ${symbol} to be Active, got ${market.status}`,
        remedy: 'Wait for the exchange, or take the market out of the configuration.',
      });
    }
    return market;
  });
}

function nameOf({ account, subaccount, accountId }: AgentGrant): string {
  return account === undefined ? `account ${accountId}` : `${account}/${subaccount}`;
}

function refused(code: string, parts: { readonly message: string; readonly remedy: string }): BotError {
  return new BotError({ code, ...parts });
}
