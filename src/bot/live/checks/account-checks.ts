/**
 * @module
 * What a start looks at in an account, read without the streams: capital, leverage, open orders and positions. The doctor
 * says of them what a run would refuse, in the same words.
 */
import type { Config } from '../../../config/index.ts';
import { BotError, type Clock, Decimal, formatScaled, type Log } from '../../../core/index.ts';
import type { AccountSelection, Address } from '../../../domain/index.ts';
import { readAccount, readAssumedNames } from '../../../wire/gateway/index.ts';
import { scopeOf } from '../../execution/index.ts';
import { JournalState } from '../../journal/index.ts';
import { limitsOf } from '../../setup/index.ts';
import { formerInstanceOf, instanceOf } from '../bot-name.ts';
import type { Environment } from '../connect/environment.ts';
import type { LoadedWallet } from '../connect/wallets.ts';
import { resolveOrphanOrders } from '../start/orphan-orders.ts';
import { readOtherJournals } from '../start/other-journals.ts';
import { earlierRecords, earlierState } from '../start/previous-runs.ts';
import { readReconciled } from '../start/reconciled-account.ts';
import {
  describeUnexplained,
  positionRefused,
  unexplainedPositions,
} from '../start/unexplained-positions.ts';

/** What an account is examined with. */
export interface AccountChecks {
  readonly environment: Environment;
  readonly selection: AccountSelection;
  readonly config: Config;
  readonly wallets: readonly LoadedWallet[];
  readonly clock: Clock;
  readonly log: Log;
  /** A position that is of no strategy is accepted as nobody's, this once. */
  readonly acceptsDifference?: boolean | undefined;
}

/** Something that was found in order, or that a person should look at although a run takes it. */
export interface CheckedAccount {
  readonly detail: string;
  /** What to do; absent: all is well. */
  readonly fix?: string;
}

/** Looks at the money of the account. @throws BotError `PREFLIGHT_COLLATERAL_MISSING`. */
export async function examineCollateral({
  environment: { gateway, context, info },
  selection,
}: AccountChecks): Promise<CheckedAccount> {
  const { value } = (await readAccount(gateway.reader, { selection, context })) ?? {};
  const { equity = 0n, initialMargin = 0n, withdrawable = 0n } = value ?? {};
  const money = (quantums: bigint): string => formatScaled(quantums, info.collateralDecimals);
  const detail = `equity ${money(equity)}, margin in use ${money(initialMargin)}, withdrawable ${money(withdrawable)} of token ${info.collateralToken}`;
  if (equity > 0n) return { detail };
  throw new BotError({
    code: 'PREFLIGHT_COLLATERAL_MISSING',
    message: `expected an equity above 0, got ${detail}`,
    remedy: 'Deposit collateral, or correct account.address and account.subaccount.',
  });
}

/** Compares the configured capital with the equity. @throws BotError `RISK_LIMIT_INVALID` as a run. */
export async function examineCapital({
  environment: { gateway, context, info },
  selection,
  config,
}: AccountChecks): Promise<CheckedAccount> {
  limitsOf(config, info.collateralDecimals);
  const account = await readAccount(gateway.reader, { selection, context });
  const equity = formatScaled(account?.value.equity ?? 0n, info.collateralDecimals);
  const { capital } = config.risk;
  const detail = `capital ${capital.toFixed()}, equity ${equity}`;
  if (capital.lte(equity)) return { detail };
  const times = new Decimal(equity).gt(0)
    ? `${capital.div(equity).toSignificantDigits(2).toFixed()} times `
    : 'above ';
  return {
    detail: `${detail}: it is ${times}the equity, and so is each limit that is a percentage of it`,
    fix: 'Set risk.capital to what the account may lose, at most its equity.',
  };
}

/** Compares leverages with the markets. @throws BotError `PREFLIGHT_LEVERAGE_INVALID` as a run, whose write is rejected. */
export function examineLeverage({ environment, config }: AccountChecks): CheckedAccount {
  const asked = config.markets.flatMap(({ symbol, leverage }) =>
    leverage === undefined ? [] : [{ symbol, leverage, market: environment.markets.get(symbol) }],
  );
  for (const { symbol, leverage, market } of asked) {
    if (market === undefined || leverage * market.initialMarginPpm <= PPM) continue;
    throw new BotError({
      code: 'PREFLIGHT_LEVERAGE_INVALID',
      message: `expected a leverage of ${symbol} up to ${Math.floor(PPM / market.initialMarginPpm)}, got ${leverage}`,
      remedy: 'Correct markets[].leverage, or leave it out to keep what the account has.',
    });
  }
  const detail = asked.map(({ symbol, leverage }) => `${symbol} ${leverage}`).join(', ');
  return { detail: detail === '' ? 'as the account has it' : `${detail}, set at the start` };
}

const PPM = 1_000_000;

/** Looks for open orders, and whose they are. @throws BotError `PREFLIGHT_ORPHAN_ORDERS`, `PREFLIGHT_RECEIPT_PENDING` as a run. */
export async function examineOrders(checks: AccountChecks): Promise<CheckedAccount> {
  const { config, wallets } = checks;
  const runs = previousRuns(checks);
  const scopes = wallets.map(({ key }) => scopeOf({ address: key.address as Address }));
  const others = readOtherJournals({ ...runs, scopes });
  const { own, external, mustCancel } = await resolveOrphanOrders({
    ...checks,
    records: () => [...(earlierRecords(runs)?.() ?? []), ...others()],
    policy: config.account.orphanOrders,
  });
  if (own.length + external.length === 0) return { detail: 'none is open' };
  return {
    detail: `${own.length} of a previous run and ${external.length} others are open, and will be ${mustCancel ? 'canceled' : 'adopted'}`,
    fix: 'Is another bot on this account? Run one bot per account.',
  };
}

/**
 * Reads the account as a start does, over a copy of what the journal knows, and looks for positions of no strategy.
 * @throws BotError `PREFLIGHT_ORPHAN_POSITION` as a run.
 */
export async function examinePositions(checks: AccountChecks): Promise<CheckedAccount> {
  const { environment, config } = checks;
  const state = earlierState(previousRuns(checks)) ?? new JournalState();
  const account = await readReconciled(checks, state);
  const symbols = config.markets.map(({ symbol }) => symbol);
  const found = unexplainedPositions(symbols, account, state.accepted());
  const held = symbols.filter((symbol) => account.positionLots(symbol) !== 0);
  if (found.length === 0)
    return { detail: held.length === 0 ? 'none' : `${held.join(', ')}, of the strategies of this bot` };
  const what = describeUnexplained(found, environment);
  if (checks.acceptsDifference === true) return { detail: `${what}; accepted by --accept-difference` };
  if (config.account.orphanPositions === 'adopt')
    return { detail: `${what}; accepted by account.orphanPositions` };
  const open = state.openWrites().length;
  if (open === 0) throw positionRefused(found, environment);
  return {
    detail: `${what}; ${open} writes of a previous run have no proven end, and may own it`,
    fix: 'Start: it asks for the end of these writes first, and is refused if that does not explain the position.',
  };
}

/** Says which assumed names the answers of the gateway have, and which not; a run reads them all. */
export async function examineNames({
  environment,
  selection,
  wallets,
}: AccountChecks): Promise<CheckedAccount> {
  const agent = wallets[0]?.key.address as Address | undefined;
  const found = [...(await readAssumedNames(environment.gateway.reader, selection, agent))];
  const confirmed = found.reduce((sum, [, names]) => sum + names.confirmed.length, 0);
  const otherwise = found.flatMap(([at, names]) =>
    names.otherwise.map(({ path, name }) => `${at}.${path} is ${name}`),
  );
  const absent = found.flatMap(([at, names]) => names.absent.map((path) => `${at}.${path}`));
  const parts = [
    `${confirmed} assumed names confirmed`,
    otherwise.length === 0 ? 'none contradicted' : `contradicted: ${otherwise.join(', ')}`,
    ...(absent.length === 0 ? [] : [`left out: ${absent.join(', ')}`]),
  ];
  return { detail: parts.join('; ') };
}

/** Looks at the journal of this bot and at what an earlier run has left without a proof. @throws BotError `JOURNAL_...` as a run. */
export function examineJournal(checks: AccountChecks): CheckedAccount {
  const state = earlierState(previousRuns(checks));
  if (state === undefined) return { detail: 'none yet: this is the first run' };
  const { fills } = state.effects();
  return {
    detail: `readable, ${fills.length} fills, ${state.placedOrders().length} orders with their owners`,
  };
}

/** Looks for writes of earlier runs whose end is not proven. */
export function examineEarlierRun(checks: AccountChecks): CheckedAccount {
  const open = (earlierState(previousRuns(checks)) ?? new JournalState()).openWrites();
  if (open.length === 0) return { detail: 'nothing is left without a proof' };
  const scopes = new Set(checks.wallets.map(({ key }) => scopeOf({ address: key.address as Address })));
  const foreign = open.filter(({ scope }) => !scopes.has(scope));
  if (foreign.length === 0)
    return {
      detail: `${open.length} writes have no proven end`,
      fix: 'Nothing: the start asks for their end first, before it places anything.',
    };
  return {
    detail: `${open.length} writes have no proven end, ${foreign.length} of them by wallets that are not configured any more`,
    fix: 'Start once with these wallets while their grants last: their lanes prove the outcome, or close them.',
  };
}

function previousRuns({ environment, selection, config, log }: AccountChecks) {
  const { folder } = config.journal;
  const names = { instance: instanceOf(config), formerInstance: formerInstanceOf(config) };
  return { environment, selection, log, ...names, journalFolder: folder };
}
