/** @module Samples of the answers about vaults and of the portfolio, as the wire types have them. */
import type {
  WireAccountVaults,
  WirePortfolio,
  WireVault,
  WireVaultDepositors,
  WireVaultNav,
  WireVaults,
} from '../../src/wire/protocol/index.ts';

const CREATOR = '0x41630f1b2a6f6e1f4a2d6e0a9a4c0c8e5b7d7107';

const vault: WireVault = {
  id: '9',
  accountId: 9,
  name: 'Basis trade',
  state: 'managed',
  creator: CREATOR,
  manager: { address: CREATOR, subaccount: 2 },
  equity: '1500.000001',
  shares: '1000.000000',
  navPerShare: '1.500000',
  withdrawable: '1400.000000',
  depositCap: '5000.000000',
  leverageMax: 3,
  depositorCount: 2,
  createdAt: 1790239780062,
};
const vaults: WireVaults = {
  vaults: [vault, { ...vault, id: '10', accountId: 10, state: 'fresh', creator: null, manager: null }],
};
const vaultNav: WireVaultNav = {
  points: [{ ts: 1790239780062, navPerShare: '1.500000', equity: '1500.000001', shares: '1000.000000' }],
};
const vaultDepositors: WireVaultDepositors = {
  depositors: [{ address: CREATOR, subaccount: 0, shares: '600.000000', value: '900.000000' }],
};
const accountVaults: WireAccountVaults = {
  vaults: [
    {
      id: '9',
      name: 'Basis trade',
      shares: '600.000000',
      value: '900.000000',
      netDeposits: '-100.000000',
    },
  ],
};
const portfolio: WirePortfolio = {
  points: [{ ts: 1790239780062, accountValue: '1000.000000', pnl: '-2.500000' }],
};

/** By endpoint. */
export const VAULT_ANSWERS = { vault, vaults, vaultNav, vaultDepositors, accountVaults, portfolio } as const;
