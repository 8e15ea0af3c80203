/**
 * @module
 * Empties the book of a run that is dead, as its successor: on the run's own journal and nonce scopes, which its death has
 * freed. What it left open is resolved, everything is canceled, and that no order is open is proven.
 */
import { BotError, type Clock, freshSeed, type Log, seededRandom } from '../../core/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import type { OpenOrdersProof } from '../execution/index.ts';
import { type Environment, type Lanes, type LoadedWallet, openLanes } from '../live/index.ts';
import type { Charge } from './messages.ts';

/** What it works with. */
export interface EmptyingOptions {
  readonly charge: Charge;
  readonly wallets: readonly LoadedWallet[];
  readonly environment: Environment;
  readonly crypto: Crypto;
  readonly signingAccountId: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** The locks of a process that has died are free at once; another run that has them by now looks after the book itself. */
const LOCKED_MS_MAX = 3_000;
const LOCKED_AGAIN_MS = 20;

/** The health of a run that is dead: nothing renews the switch. */
const DEAD: readonly string[] = ['the run is dead: its guardian empties the book'];

/** Cancels and proves. @throws BotError `JOURNAL_...`, ConfigError, GatewayError as the start of an executor. */
export async function emptyBook(options: EmptyingOptions): Promise<OpenOrdersProof> {
  const lanes = await openFreed(options);
  try {
    // Before all that is resolved: it leaves as soon as its lane knows its nonce.
    lanes.executor.submitSafety({ kind: 'cancelAll' });
    await lanes.executor.start();
    return await lanes.executor.stop();
  } finally {
    lanes.executor.dispose();
    await lanes.close();
  }
}

async function openFreed(options: EmptyingOptions): Promise<Lanes> {
  const { clock } = options;
  const untilMs = clock.monotonicMs() + LOCKED_MS_MAX;
  for (;;) {
    try {
      return await open(options);
    } catch (error) {
      const isLocked = error instanceof BotError && /^JOURNAL_(?:SCOPE_)?LOCKED$/.test(error.code);
      if (!isLocked || clock.monotonicMs() > untilMs) throw error;
      await new Promise<void>((resolve) => void clock.after(LOCKED_AGAIN_MS, resolve));
    }
  }
}

function open({
  charge,
  wallets,
  environment,
  crypto,
  signingAccountId,
  clock,
  log,
}: EmptyingOptions): Promise<Lanes> {
  const { selection, instance, journalFolder, journalReserveBytes, lockFolder } = charge;
  return openLanes({
    ...{ environment, crypto, clock, log, selection, signingAccountId, wallets },
    ...{ instance, journalFolder, journalReserveBytes, lockFolder, switch: charge.switch },
    random: seededRandom(freshSeed()),
    approvedAtSeq: new Map(),
    sink: () => undefined,
    health: () => DEAD,
    onBug: (error) => log.error('a bug in the guardian', { error }),
  });
}
