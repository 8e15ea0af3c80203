/** @module What outlives a live run that does not end itself, as the run knows it; a process of its own implements it. */
import type { AccountSelection } from '../../domain/index.ts';
import type { StructTable } from '../../wire/protocol/index.ts';
import type { AlertPlan } from '../alerts/index.ts';
import type { GuardedDoor } from '../operator/index.ts';
import type { LoadedWallet } from './connect/wallets.ts';

/** What is known of a run only once it has loaded its wallets. */
export interface GuardedRun {
  readonly selection: AccountSelection;
  readonly wallets: readonly LoadedWallet[];
  /** What is signed; absent: ballast's own table. */
  readonly structs: StructTable | undefined;
  /** Name of the signing back end. */
  readonly signer: string;
  /** Where a person reaches the run; absent: nowhere. */
  readonly door: GuardedDoor | undefined;
  /** Who is told when the run dies; absent: nobody. */
  readonly alerts: AlertPlan | undefined;
}

/** See the module. */
export interface RunGuard {
  /** Starts it. */
  begin(run: GuardedRun): void;
  /** Resolves once it watches. @throws BotError `GUARDIAN_NOT_READY`. */
  ready(): Promise<void>;
  /** True while it watches; false: it is gone, and another one is started. */
  isWatching(): boolean;
  /** Orders may rest from now on: when the run dies they are canceled. */
  arm(): void;
  /** It is proven that no order is open. */
  release(): void;
}
