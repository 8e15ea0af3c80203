/**
 * @module
 * The JSON shapes of vaults and of the portfolio. The interface document shows none of their fields: all are own choices,
 * `x-assumed` in openapi.yaml. Amounts and shares are decimal text.
 */
import type { DecimalText } from './answers.ts';

/** A wallet's account, as creator, manager or depositor of a vault. */
export interface WireVaultParty {
  readonly address: string;
  readonly subaccount: number;
}

/** GET /v1/vaults/{id}. */
export interface WireVault {
  /** The number of the vault's account, as text. */
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly state: 'fresh' | 'managed';
  /** `null`: the operator. */
  readonly creator: string | null;
  /** `null` while it is fresh. API wallets approved on this account trade for the vault. */
  readonly manager: WireVaultParty | null;
  readonly equity: DecimalText;
  readonly shares: DecimalText;
  /** Equity by share, cut; `null` while there are no shares. */
  readonly navPerShare: DecimalText | null;
  readonly withdrawable: DecimalText;
  /** Deposits may not take the equity above it; `null`: none. */
  readonly depositCap: DecimalText | null;
  /** `null`: what the markets allow. */
  readonly leverageMax: number | null;
  readonly depositorCount: number;
  readonly createdAt: number;
}

/** GET /v1/vaults, oldest first. */
export interface WireVaults {
  readonly vaults: readonly WireVault[];
}

/** GET /v1/vaults/{id}/nav: ascending. */
export interface WireVaultNav {
  readonly points: readonly {
    readonly ts: number;
    readonly navPerShare: DecimalText;
    readonly equity: DecimalText;
    readonly shares: DecimalText;
  }[];
}

/** GET /v1/vaults/{id}/depositors: the largest first. */
export interface WireVaultDepositors {
  readonly depositors: readonly (WireVaultParty & {
    readonly shares: DecimalText;
    /** What its shares would give now, cut. */
    readonly value: DecimalText;
  })[];
}

/** GET /v1/account/vaults: oldest vault first. */
export interface WireAccountVaults {
  readonly vaults: readonly {
    readonly id: string;
    readonly name: string;
    readonly shares: DecimalText;
    readonly value: DecimalText;
    /** Paid in less taken out. */
    readonly netDeposits: DecimalText;
  }[];
}

/** GET /v1/account/portfolio: ascending. */
export interface WirePortfolio {
  readonly points: readonly {
    readonly ts: number;
    readonly accountValue: DecimalText;
    /** Account value less what was paid in, plus what was taken out. */
    readonly pnl: DecimalText;
  }[];
}

/** What a vault operation did, in its answer and its receipt. */
export interface WireVaultEffect {
  readonly id: string;
  /** Minted or burned. */
  readonly shares?: DecimalText;
  /** Paid in or taken out. */
  readonly amount?: DecimalText;
}
