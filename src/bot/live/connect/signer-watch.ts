/**
 * @module
 * Signers of a run: one that is down halts its lane by name, so that its quotes are pulled, and is asked each second for a
 * signature that no exchange knows. When it signs again the lane is given back. Both are facts, so the log of the run has them.
 */
import type { Clock, Log } from '../../../core/index.ts';
import type { FactSink, LaneId } from '../../../domain/index.ts';
import { type Crypto, type ExternalKey, isExternal } from '../../../wire/crypto/index.ts';
import { type SignerState, WatchedSigner } from '../../setup/index.ts';
import { SIGNER_DOWN } from '../start/fatal-halts.ts';
import { tryKey } from './external-keys.ts';
import type { LoadedWallet } from './wallets.ts';

/** How often a signer that is down is asked, ms. */
const PROBE_MS = 1_000;

/** A signer with the lane that it signs for. */
export interface SignerRow extends SignerState {
  readonly wallet: string;
  readonly lane: LaneId;
}

interface Watched {
  readonly wallet: string;
  readonly lane: LaneId;
  readonly key: ExternalKey;
  readonly signer: WatchedSigner;
}

/** What the watch works with. */
export interface SignerWatchOptions {
  readonly wallets: readonly LoadedWallet[];
  /** The lane of each wallet, in their order. */
  readonly lanes: readonly LaneId[];
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: FactSink;
}

/** See the module. */
export class SignerWatch {
  readonly #options: SignerWatchOptions;
  readonly #watched: readonly Watched[];
  readonly #ends = new Map<LaneId, () => void>();
  #isReady: (lane: LaneId) => boolean = () => false;

  constructor(options: SignerWatchOptions) {
    this.#options = options;
    this.#watched = options.wallets.flatMap(({ name, key }, at) => {
      const lane = options.lanes[at];
      if (lane === undefined || !isExternal(key) || !(key.signer instanceof WatchedSigner)) return [];
      return [{ wallet: name, lane, key, signer: key.signer }];
    });
    for (const one of this.#watched) one.signer.onChange(() => this.#look(one));
  }

  /** `isReady`: a lane may send. */
  begin(isReady: (lane: LaneId) => boolean): void {
    this.#isReady = isReady;
  }

  /** True while the signer of a lane is down: the lane is not given back by anybody else. */
  isDown(lane: LaneId): boolean {
    return this.#ends.has(lane);
  }

  rows(): readonly SignerRow[] {
    return this.#watched.map(({ wallet, lane, signer }) => ({ wallet, lane, ...signer.state() }));
  }

  /** Ends the probes. */
  close(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }

  #look({ lane, key, signer }: Watched): void {
    const { clock, sink, crypto } = this.#options;
    const end = this.#ends.get(lane);
    const { kind, why = 'it does not sign' } = signer.state();
    if (kind === 'down' && end === undefined) {
      let isAsking = false;
      const timer = clock.every(PROBE_MS, () => {
        if (isAsking) return;
        isAsking = true;
        void tryKey(crypto, key).finally(() => {
          isAsking = false;
        });
      });
      this.#ends.set(lane, () => timer.cancel());
      sink({ type: 'LaneHalted', lane, code: SIGNER_DOWN, reason: why });
    }
    if (kind === 'down' || end === undefined) return;
    end();
    this.#ends.delete(lane);
    // A lane with an open write is given back by its end.
    if (this.#isReady(lane)) sink({ type: 'LaneReady', lane });
  }
}
