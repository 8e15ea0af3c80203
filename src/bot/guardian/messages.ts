/** @module What a run and its guardian say to each other, over a channel that only the two have. */
import type { Hex } from '../../core/index.ts';
import type { AccountSelection } from '../../domain/index.ts';
import type { StructTable } from '../../wire/protocol/index.ts';
import type { AlertPlan } from '../alerts/index.ts';
import type { LoadedWallet, NetworkRoute, SignerPlan } from '../live/index.ts';
import type { GuardedDoor } from '../operator/index.ts';

/** A wallet that can be told: the 64 hexadecimal digits of its key, or the process that has it, which the guardian starts again for itself. */
export type ToldWallet = Omit<LoadedWallet, 'key'> & {
  readonly key: string | { readonly address: Hex; readonly plan: SignerPlan };
};

/** All that it takes to empty the book of a run: the run's own journal, scopes and wallets. */
export interface Charge {
  /** The run's process. */
  readonly processId: number;
  readonly baseUrl: string;
  readonly headerPrefix: string;
  /** Certificates and an outgoing proxy on the way there; `undefined`: straight. */
  readonly route: NetworkRoute | undefined;
  readonly structs: StructTable | undefined;
  /** Name of the signing back end that the run uses. */
  readonly signer: string;
  readonly selection: AccountSelection;
  readonly wallets: readonly ToldWallet[];
  /** Name of the bot: with environment and account it names the journal. */
  readonly instance: string;
  readonly journalFolder: string;
  readonly journalReserveBytes: number;
  readonly lockFolder: string | undefined;
  readonly switch: { readonly periodMs: number; readonly timeoutMs: number };
  /** Where a person reaches the run; `undefined`: nowhere. */
  readonly door: GuardedDoor | undefined;
  /** Who is told when the run dies; `undefined`: nobody. */
  readonly alerts: AlertPlan | undefined;
  /** Where it logs to: with the run, line by line. */
  readonly log: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    readonly file?: string | undefined;
    /** Set: the run puts the file aside. */
    readonly maxSizeMb?: number | undefined;
  };
  /** True if descriptor {@link LAUNCHER_PLACE} leads to the launcher, which waits for the end of the guardian. */
  readonly hasLauncher: boolean;
}

/** The descriptor of a guardian on which the launcher hears how it ended. */
export const LAUNCHER_PLACE = 4;

/** From the run. */
export type FromRun =
  | { readonly kind: 'charge'; readonly charge: Charge }
  /** The main loop turns. */
  | { readonly kind: 'beat' }
  /** Orders may rest from now on. */
  | { readonly kind: 'armed' }
  /** It is proven that no order is open: there is nothing left to guard. */
  | { readonly kind: 'released' };

/** From the guardian. */
export type FromGuardian =
  | { readonly kind: 'ready' }
  /** It watches. */
  | { readonly kind: 'watching' }
  /** It cannot. */
  | { readonly kind: 'failed'; readonly why: string };

/** Between two signs of life, either way, ms. */
export const BEAT_MS = 100;
/** A run that is silent for so long, ms, hangs: with what ending and canceling take, its orders are gone within 2 s. */
export const HUNG_MS = 1_200;
/** A guardian that is silent for so long, ms, is replaced. */
export const GUARDIAN_SILENT_MS = 3_000;
