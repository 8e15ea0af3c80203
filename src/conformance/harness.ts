/**
 * @module
 * What checks may ask of an exchange from outside its interface: the port of a harness. The embedded exchange has one in
 * process and one over `/control`; a real environment has none, and checks that need it are skipped there.
 */

/** A funded wallet with its approved API wallets. Keys are hex. */
export interface HarnessAccount {
  readonly address: string;
  readonly privateKey: string;
  readonly apiWallets: readonly { readonly address: string; readonly privateKey: string }[];
}

/** What happens to the next requests that match. */
export interface HarnessFault {
  readonly kind: 'dropResponse' | 'dropRequest' | 'deliverTwice' | 'httpError' | 'reject';
  /** The code that the exchange refuses with at its door, or the reason that it rejects a write with for its nonce. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
  /** The path begins with this. */
  readonly path?: string;
  readonly times?: number;
}

/** The strings behind an exchange. */
export interface Harness {
  /** A fresh wallet with 1,000,000 USDC, unless said otherwise, and two API wallets. */
  createAccount(options?: {
    readonly amount?: string;
    readonly apiWallets?: number;
  }): Promise<HarnessAccount>;
  /** Deposits decimal text of USDC. */
  fund(address: string, amount: string, subaccount?: number): Promise<void>;
  /** Takes decimal text of USDC out of a wallet's main account, as its owner would. */
  withdraw(address: string, amount: string): Promise<void>;
  /** Makes a vault that waits to be claimed; gives its id. `creator` may configure it. */
  createFreshVault(name: string, creator?: string): Promise<string>;
  /** Moves the exchange's clock forward. */
  advance(ms: number): Promise<void>;
  setIndexPrice(symbol: string, price: string): Promise<void>;
  setMarketStatus(symbol: string, status: string): Promise<void>;
  /** Funding settles with the next block. */
  settleFunding(): Promise<void>;
  disturb(fault: HarnessFault): Promise<void>;
  /** Drops frames in silence until {@link forceLagged}. */
  dropFrames(): Promise<void>;
  /** Tells every subscriber that it lagged, by what was dropped and `dropped` more. */
  forceLagged(dropped?: number): Promise<void>;
  changeEpoch(options?: { readonly keepStreams?: boolean }): Promise<void>;
  setHistoryGaps(gaps: readonly { readonly first: number; readonly last: number }[]): Promise<void>;
  setReplicaLag(ms: number): Promise<void>;
  setDurabilityLag(ms: number): Promise<void>;
  setBudget(bucket: 'ip' | 'account', quota: number): Promise<void>;
  /** Puts everything back: faults, gaps, lags, budgets, market status and prices; accounts stay. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
