/** @module Checks that need the gateway: environment, account, markets, grants, what is found there, and the switch. */
import { BotError } from '../../../core/index.ts';
import { type Address, accountName } from '../../../domain/index.ts';
import { readNonce } from '../../../wire/gateway/index.ts';
import { scopeOf } from '../../execution/index.ts';
import { instanceOf } from '../bot-name.ts';
import { lockWallets } from '../connect/lanes.ts';
import { checkAccount, checkGrant, checkMarkets, grantEnd } from '../connect/preflight.ts';
import {
  type AccountChecks,
  type CheckedAccount,
  examineCapital,
  examineCollateral,
  examineEarlierRun,
  examineJournal,
  examineLeverage,
  examineNames,
  examineOrders,
  examinePositions,
} from './account-checks.ts';
import { type Check, type CheckFinding, fine, skipped, warned } from './check.ts';
import type { Examination } from './examination.ts';
import { examineLimits, examineSteps } from './market-checks.ts';
import { openGateway } from './open-gateway.ts';
import { examineProxy } from './proxy-check.ts';
import { examineSocket } from './socket-check.ts';
import { examineSwitch } from './switch-check.ts';

/** Wall clock and exchange may be this far apart before it is worth a word: writes use the exchange's time anyway. */
const CLOCK_OFFSET_MS_WARN = 2_000;
/** Weight of requests that a start takes of a window, about. */
const START_WEIGHT = 100;
const GRANT_DAYS_WARN = 7;
const DAY_MS = 86_400_000;

/** They are made in this order. */
export const GATEWAY_CHECKS: readonly Check[] = [
  {
    id: 'proxy',
    looksAt: 'whether the outgoing proxy (`environment.proxy`) opens a tunnel to the gateway',
    refuses: 'it does not',
    remedy: 'Correct environment.proxy, or have the proxy allow CONNECT to the host and port of the gateway.',
    codes: ['PREFLIGHT_PROXY_'],
    ...{ by: 'list', needs: 'machine' },
    look: ({ options: { source } }) => examineProxy(source.config.environment),
  },
  {
    id: 'gateway',
    looksAt: 'whether the gateway answers, and how fast',
    refuses: 'it does not answer',
    remedy: 'Check environment.baseUrl, the network, and whether the gateway is up.',
    codes: ['PREFLIGHT_UNREACHABLE', 'GATEWAY_BASE_URL_'],
    ...{ by: 'start', needs: 'gateway' },
    look: openGateway,
  },
  {
    id: 'domain',
    looksAt: 'chain id, signing domain and the version of the canonical bytes',
    refuses: 'the exchange has another version than ballast knows',
    remedy: 'Use a version of ballast that knows this codec: every signature would be refused.',
    codes: ['PREFLIGHT_CODEC_'],
    ...{ by: 'start', needs: 'gateway' },
    look: (at) => {
      if (at.opened.refusedDomain !== undefined) throw at.opened.refusedDomain;
      const { id, info } = at.environment;
      return fine(`${id}, codec ${info.codecVersion ?? 'not said'}`);
    },
  },
  {
    id: 'clock',
    looksAt: "the exchange's clock beside that of this machine",
    refuses: '',
    remedy: "Set this machine's clock (NTP). Writes carry the exchange's time all the same.",
    codes: [],
    ...{ by: 'list', needs: 'gateway' },
    look: ({ environment }) => {
      const { offsetMs, errorMs } = environment.gateway.serverClock.state();
      const detail = `the exchange is ${Math.round(offsetMs)} ms ahead of this machine, known to ${errorMs.toFixed(1)} ms`;
      if (Math.abs(offsetMs) <= CLOCK_OFFSET_MS_WARN) return fine(detail);
      return warned(detail, "Set this machine's clock (NTP). Writes carry the exchange's time all the same.");
    },
  },
  {
    id: 'websocket',
    looksAt: 'whether a WebSocket connection opens and answers a ping',
    refuses: 'none does within 30 s',
    remedy: 'Check that WebSocket connections to the base URL pass proxies and firewalls.',
    codes: ['PREFLIGHT_SOCKET_'],
    ...{ by: 'list', needs: 'gateway' },
    look: ({ environment, options: { clock } }) => examineSocket(environment, clock),
  },
  {
    id: 'budget',
    looksAt: 'what is left of the request budget of this address',
    refuses: '',
    remedy: 'Fewer bots on this address, or a higher budget: a start waits for the next window.',
    codes: [],
    ...{ by: 'list', needs: 'gateway' },
    look: ({ environment }) => {
      const left = environment.gateway.budget.remaining('ip');
      if (left === undefined) return skipped('the gateway does not say');
      const detail = `${left} of weight are left in this window, a start takes about ${START_WEIGHT}`;
      if (left >= START_WEIGHT) return fine(detail);
      return warned(
        detail,
        'Fewer bots on this address, or a higher budget: a start waits for the next window.',
      );
    },
  },
  {
    id: 'markets',
    looksAt: 'whether each market of the configuration is there and trades',
    refuses: 'one is unknown, cannot be traded exactly, or is not Active',
    remedy: 'Correct section markets, or wait for the exchange.',
    codes: ['PREFLIGHT_MARKET_'],
    ...{ by: 'start', needs: 'gateway' },
    look: (at) => {
      const symbols = at.options.source.config.markets.map(({ symbol }) => symbol);
      const found = checkMarkets(at.environment, symbols);
      return fine(
        found
          .map(({ symbol, status, signingMarketId }) => `${symbol} ${status} (${signingMarketId})`)
          .join(', '),
      );
    },
  },
  {
    id: 'account',
    looksAt: 'whether the account is there, and its number in signed structs',
    refuses: 'it is not; of a vault also that nobody or another account has claimed it',
    remedy:
      'Check account.address, account.subaccount and account.vault; an account appears with its first deposit.',
    codes: ['PREFLIGHT_ACCOUNT_', 'PREFLIGHT_VAULT_'],
    ...{ by: 'start', needs: 'gateway' },
    look: async (at) => {
      const { selection } = at;
      at.opened.signingAccountId = await checkAccount(at.environment, selection);
      return fine(`${accountName(selection)} is account ${at.signingAccountId}`);
    },
  },
  {
    id: 'names',
    looksAt: 'which names of fields that ballast assumes the gateway confirms',
    refuses: '',
    remedy: 'Nothing: every spelling that is listed is read.',
    codes: [],
    ...{ by: 'doctor', needs: 'gateway' },
    look: ofAccount(examineNames),
  },
  {
    id: 'collateral',
    looksAt: 'equity, margin in use and what may be withdrawn',
    refuses: 'the equity is not above 0',
    remedy: 'Deposit collateral, or correct account.address and account.subaccount.',
    codes: ['PREFLIGHT_COLLATERAL_'],
    ...{ by: 'list', needs: 'gateway' },
    look: ofAccount(examineCollateral),
  },
  {
    id: 'capital',
    looksAt: '`risk.capital` beside the equity',
    refuses: 'it is less than the collateral token can express; above the equity it warns',
    remedy: 'Set risk.capital to what the account may lose, at most its equity.',
    codes: ['RISK_LIMIT_INVALID'],
    ...{ by: 'list', needs: 'gateway' },
    look: ofAccount(examineCapital),
  },
  {
    id: 'limits',
    looksAt: 'limits of notional beside the smallest order of each market (least notional, one lot)',
    refuses: 'a limit leaves no room for one order',
    remedy: 'Raise the limit or risk.capital, or take the market out of the configuration.',
    codes: ['PREFLIGHT_LIMIT_'],
    ...{ by: 'list', needs: 'gateway' },
    look: ofAccount(examineLimits),
  },
  {
    id: 'leverage',
    looksAt: '`markets[].leverage` beside what the market allows',
    refuses: 'it is more, or the exchange rejects it',
    remedy: 'Correct markets[].leverage, or leave it out to keep what the account has.',
    codes: ['PREFLIGHT_LEVERAGE_'],
    ...{ by: 'list', needs: 'gateway' },
    look: ofAccount(examineLeverage),
  },
  {
    id: 'steps',
    looksAt: 'whether tick and lot of each market are those that the last run knew',
    refuses: '',
    remedy: 'Look at parameters that are meant in ticks or lots.',
    codes: [],
    ...{ by: 'list', needs: 'gateway' },
    look: ofAccount(examineSteps),
  },
  {
    id: 'grant',
    looksAt: 'the grant of each wallet: that it is for this account alone, and when it ends',
    refuses: 'it is missing, is shared with another account, or ends within `risk.minGrantTimeLeft` and 30 s',
    remedy: 'Approve it with `ballast keys approve <config>`.',
    codes: ['PREFLIGHT_GRANT_'],
    ...{ by: 'start', needs: 'gateway', ofEachWallet: true },
    look: examineGrant,
  },
  {
    id: 'nonce',
    looksAt: 'the nonce scope in which the gateway counts each wallet, and its next nonce',
    refuses: 'it is another scope than that of the wallet',
    remedy: 'The gateway counts this wallet elsewhere: do not trade before its operator has explained it.',
    codes: ['PREFLIGHT_SCOPE_'],
    ...{ by: 'list', needs: 'gateway', ofEachWallet: true },
    look: examineNonce,
  },
  {
    id: 'locks',
    looksAt: 'whether another process on this machine signs with one of the wallets',
    refuses: 'one does',
    remedy: 'Stop the other process, or give this one its own API wallet and instance name.',
    codes: ['JOURNAL_SCOPE_LOCKED', 'JOURNAL_LOCK_UNUSABLE'],
    ...{ by: 'start', needs: 'gateway' },
    look: async (at) => {
      const { environment, wallets, options } = at;
      const instance = instanceOf(options.source.config);
      const locks = await lockWallets({ environment, wallets, instance, lockFolder: options.lockFolder });
      for (const lock of locks) lock.release();
      return fine(`${wallets.length} wallets are used by no other process of this machine`);
    },
  },
  {
    id: 'journal',
    looksAt: 'whether the journal of this bot can be read and is whole',
    refuses: 'it is damaged, is of another environment or account, or another process has it',
    remedy: 'The message names the file; docs/guides/restarts.md says what can be done.',
    codes: ['JOURNAL_'],
    ...{ by: 'list', needs: 'gateway' },
    look: ofAccount(examineJournal),
  },
  {
    id: 'earlier run',
    looksAt: 'writes of earlier runs whose end is not proven',
    refuses: '',
    remedy: 'Start once with the wallets of these writes while their grants last.',
    codes: [],
    ...{ by: 'list', needs: 'gateway' },
    look: ofAccount((checks, at) => {
      at.needs(['journal'], 'the journal cannot be read');
      return examineEarlierRun(checks);
    }),
  },
  {
    id: 'orders',
    looksAt: 'open orders, and whose they are',
    refuses: 'some are of others and `account.orphanOrders` is halt, or a receipt is still pending',
    remedy: 'Cancel them, or declare account.orphanOrders: cancel or adopt.',
    codes: ['PREFLIGHT_ORPHAN_ORDERS', 'PREFLIGHT_RECEIPT_PENDING'],
    ...{ by: 'start', needs: 'gateway' },
    look: ofAccount((checks, at) => {
      at.needs(['journal'], 'the journal cannot be read');
      return examineOrders(checks);
    }),
  },
  {
    id: 'positions',
    looksAt: 'positions, and whether the journal explains whose they are',
    refuses:
      "one is nobody's, and neither `--accept-difference` nor `account.orphanPositions: adopt` takes it",
    remedy: 'Find what traded. Close it, or start once with --accept-difference.',
    codes: ['PREFLIGHT_ORPHAN_POSITION', 'PREFLIGHT_NOT_RECONCILED'],
    ...{ by: 'start', needs: 'gateway' },
    look: ofAccount((checks, at) => {
      at.needs(['journal', 'websocket'], 'the journal cannot be read, or no stream opens');
      return examinePositions(checks);
    }),
  },
  {
    id: 'switch',
    looksAt:
      "whether the dead man's switch can be armed: it is, through locks, journal and lanes; nothing is placed",
    refuses: 'the exchange does not confirm it within 30 s',
    remedy: 'No order may rest without it: look at the grant of the safety wallet.',
    codes: ['PREFLIGHT_SWITCH_'],
    ...{ by: 'start', needs: 'gateway' },
    look: examineSwitch,
  },
];

async function examineGrant(at: Examination, name: string): Promise<CheckFinding> {
  const { environment, selection, signingAccountId } = at;
  const { minGrantTimeLeft: leftMsMin } = at.options.source.config.risk;
  const granted = await checkGrant(environment, selection, at.wallet(name), { signingAccountId, leftMsMin });
  const end = grantEnd(granted.validUntilMs);
  if (end === undefined) return fine('granted, without an end');
  const days = (granted.validUntilMs - environment.gateway.serverClock.serverNowMs()) / DAY_MS;
  const detail = `granted until ${end}, ${days.toFixed(1)} days`;
  if (days >= GRANT_DAYS_WARN) return fine(detail);
  return warned(detail, 'Renew it with `ballast keys approve <config>`.');
}

async function examineNonce(at: Examination, name: string): Promise<CheckFinding> {
  const address = at.wallet(name).key.address as Address;
  const record = await readNonce(at.environment.gateway.reader, at.selection, address);
  const expected = scopeOf({ address });
  if (record?.scope === expected) return fine(`${record.scope}, next ${record.nonce}`);
  throw new BotError({
    code: 'PREFLIGHT_SCOPE_UNEXPECTED',
    message: `expected the nonces of wallet ${name} to be counted in ${expected}, got ${record?.scope ?? 'no scope'}`,
    remedy: 'The gateway counts this wallet elsewhere: do not trade before its operator has explained it.',
  });
}

/** A check of the account: one with a fix is a warning. */
function ofAccount(
  examine: (checks: AccountChecks, at: Examination) => CheckedAccount | Promise<CheckedAccount>,
): Check['look'] {
  return async (at) => {
    const { detail, fix } = await examine(accountChecksOf(at), at);
    return fix === undefined ? fine(detail) : warned(detail, fix);
  };
}

/** What an account is examined with. */
export function accountChecksOf(at: Examination): AccountChecks {
  const { source, clock, log, said } = at.options;
  const { environment, selection, opened } = at;
  // That it is there.
  void at.signingAccountId;
  const { acceptsDifference } = said;
  const { wallets = [] } = opened;
  return { ...{ environment, selection, clock, log, wallets, acceptsDifference }, config: source.config };
}
