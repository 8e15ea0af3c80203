/** @module Wrong exchanges: vaults, triggers, time-weighted orders, liquidation. */
import type { Defect } from './defect.ts';

const DESK = 'src/exchange/state/vault-ledger.ts';
const TRIGGERS = 'src/exchange/engine/orders/trigger-orders.ts';

/** See the module. */
export const DEFECTS: readonly Defect[] = [
  {
    id: 'vault-claimed-twice',
    check: 'GW-VAULTS-8',
    what: 'lets a vault be claimed that has a manager',
    file: DESK,
    find: "if (vault.manager !== undefined) return { reason: 'VaultAlreadyManaged' };",
    replace: '',
  },
  {
    id: 'deposit-cap-ignored',
    check: 'GW-VAULTS-6',
    what: 'takes deposits beyond the cap',
    file: DESK,
    find: 'if (depositCap !== 0n && book.equity + amount > depositCap)',
    replace: 'if (depositCap !== 0n && book.equity + amount < 0n)',
  },
  {
    id: 'foreign-shares-redeemed',
    check: 'GW-VAULTS-5',
    what: 'asks for no shares of him who redeems',
    file: DESK,
    find: "return { reason: 'InsufficientShares' };",
    replace: "return { reason: 'InsufficientBalance' };",
  },
  {
    id: 'trigger-fires-early',
    check: 'GW-TRIGGER-3',
    what: 'fires trigger orders a step too early',
    file: TRIGGERS,
    find: 'market.indexTicks >= triggerTicks :',
    replace: 'market.indexTicks >= triggerTicks - 1 :',
  },
  {
    id: 'nobody-is-liquidated',
    check: 'GW-LIQUIDATION-1',
    what: 'never liquidates anybody',
    file: 'src/exchange/engine/liquidation.ts',
    find: 'netCollateral(state, account) < maintenance;',
    replace: 'netCollateral(state, account) < -maintenance * 1_000n;',
  },
];
