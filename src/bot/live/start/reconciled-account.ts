/**
 * @module
 * The account as a start reconciles it, for who only looks: the same streams and history, over a copy in memory of what the
 * journal knows. Nothing is written, neither to the exchange nor to the journal.
 */
import { BotError, type Clock, type Log, seededRandom, silentMeter } from '../../../core/index.ts';
import { type AccountSelection, AccountState } from '../../../domain/index.ts';
import { createStream, overloadText, type Stream } from '../../../wire/stream/index.ts';
import { type JournalState, journalOfState } from '../../journal/index.ts';
import type { Environment } from '../connect/environment.ts';
import { READY_MS_MAX, waitFor } from './wait-for.ts';

/** What an account is read with. */
export interface ReconciledOptions {
  readonly environment: Environment;
  readonly selection: AccountSelection;
  readonly clock: Clock;
  readonly log: Log;
}

const POLL_MS = 10;

/** Reads the account until it is reconciled. @throws BotError `PREFLIGHT_NOT_RECONCILED`. */
export async function readReconciled(
  { environment, selection, clock, log }: ReconciledOptions,
  state: JournalState,
): Promise<AccountState> {
  const { gateway, context, markets } = environment;
  const account = new AccountState();
  for (const market of markets.values()) account.fold({ type: 'MarketChanged', market });
  account.recallOwners(state.placedOrders(), state.carried());
  const stream = createStream({
    ...{ clock, log, meter: silentMeter, random: seededRandom('reconciled account') },
    ...{ sockets: gateway.sockets, history: gateway.history, markets: context },
    effects: journalOfState(state),
    subscriptions: { selection, market: [] },
    sink: (fact) => account.fold(fact),
  });
  stream.start();
  try {
    const holds = () => account.sync.kind === 'synced';
    if (await waitFor({ clock, budget: gateway.budget }, { holds, pollMs: POLL_MS })) return account;
    throw notReconciled(stream.state());
  } finally {
    stream.stop();
  }
}

/** The refusal of a start whose account is not reconciled in time, with what its streams say. */
export function notReconciled({ account, load }: ReturnType<Stream['state']>): BotError {
  const overload = overloadText(load);
  return new BotError({
    code: 'PREFLIGHT_NOT_RECONCILED',
    message: `expected the account to be reconciled within ${READY_MS_MAX} ms, ${account.reason ?? 'no reason is known'}`,
    remedy: overload ?? 'Ask the operator of the gateway about its private channels and histories.',
  });
}
