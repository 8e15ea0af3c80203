/**
 * @module
 * What a start looks at in an account, read without the streams: capital, leverage, open orders and positions. The doctor
 * says of them what a run would refuse, in the same words.
 */
import type { Config } from '../../config/index.ts';
import { BotError, type Clock, Decimal, formatScaled, type Log } from '../../core/index.ts';
import type { AccountSelection, Address } from '../../domain/index.ts';
import { readAccount, readAssumedNames } from '../../wire/gateway/index.ts';
import { scopeOf } from '../execution/index.ts';
import { JournalState } from '../journal/index.ts';
import { limitsOf } from '../setup/index.ts';
import { formerInstanceOf, instanceOf } from './bot-name.ts';
import type { Environment } from './connect/environment.ts';
import type { LoadedWallet } from './connect/wallets.ts';
import { resolveOrphanOrders } from './start/orphan-orders.ts';
import { readOtherJournals } from './start/other-journals.ts';
import { earlierRecords, earlierState } from './start/previous-runs.ts';
import { readReconciled } from './start/reconciled-account.ts';
import { describeUnexplained, positionRefused, unexplainedPositions } from './start/unexplained-positions.ts';

/** What an account is examined with. */
export interface AccountChecks {
  readonly environment: Environment;
  readonly selection: AccountSelection;
  readonly config: Config;
  readonly wallets: readonly LoadedWallet[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Something that was found in order, or that a person should look at although a run takes it. */
export interface CheckedAccount {
  readonly detail: string;
  /** What to do; absent: all is well. */
  readonly fix?: string;
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

function previousRuns({ environment, selection, config, log }: AccountChecks) {
  const { folder } = config.journal;
  const names = { instance: instanceOf(config), formerInstance: formerInstanceOf(config) };
  return { environment, selection, log, ...names, journalFolder: folder };
}
