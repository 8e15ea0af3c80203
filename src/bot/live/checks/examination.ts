/**
 * @module
 * What checks look with: the configuration, this machine, and what earlier checks have opened. What is missing for a check
 * since an earlier one failed is thrown as {@link Missing}, and the check is skipped.
 */
import type { ConfigSource } from '../../../config/index.ts';
import type { BotError, Clock, Log } from '../../../core/index.ts';
import type { AccountSelection } from '../../../domain/index.ts';
import type { Crypto } from '../../../wire/crypto/index.ts';
import { selectionOf } from '../bot-name.ts';
import type { Environment } from '../connect/environment.ts';
import type { LoadedWallet } from '../connect/wallets.ts';
import type { Host } from './host.ts';

/** What a person said on the command line. */
export interface Said {
  /** `--production`. */
  readonly production: boolean;
  /** `--accept-difference`. */
  readonly acceptsDifference: boolean;
}

/** What checks are made with. */
export interface ExaminationOptions {
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the locks of nonce scopes; `undefined`: the user's own folder. */
  readonly lockFolder: string | undefined;
  readonly said: Said;
  readonly host: Host;
}

/** Could not be looked at: what it needs is not there. */
export class Missing extends Error {}

/** What earlier checks have opened or loaded. */
interface Opened {
  crypto?: Crypto;
  environment?: Environment;
  /** Why the signing domain of a gateway that answers cannot be used. */
  refusedDomain?: BotError;
  wallets?: readonly LoadedWallet[];
  signingAccountId?: number;
}

/** One examination: see the module. */
export class Examination {
  readonly options: ExaminationOptions;
  readonly opened: Opened;
  /** Ids of the checks that failed so far. */
  readonly failed = new Set<string>();

  constructor(options: ExaminationOptions, opened: Opened = {}) {
    this.options = options;
    this.opened = opened;
  }

  get crypto(): Crypto {
    return there(this.opened.crypto, 'no signing back end');
  }

  get environment(): Environment {
    return there(this.opened.environment, 'no gateway');
  }

  get wallets(): readonly LoadedWallet[] {
    return there(this.opened.wallets, 'no keys');
  }

  get signingAccountId(): number {
    return there(this.opened.signingAccountId, 'no account');
  }

  get selection(): AccountSelection {
    return there(selectionOf(this.options.source.config), 'account.address is not set');
  }

  /** The wallet of a name. */
  wallet(name: string): LoadedWallet {
    return there(
      this.wallets.find((wallet) => wallet.name === name),
      'no keys',
    );
  }

  /** Skips what makes no sense after some checks have failed. */
  needs(ids: readonly string[], why: string): void {
    if (ids.some((id) => this.failed.has(id))) throw new Missing(why);
  }
}

function there<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new Missing(why);
  return value;
}
