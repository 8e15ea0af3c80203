/**
 * @module The insurance fund, and who pays a debt that it does not reach. The fund is counted separately within the
 * exchange's cash: fees and funding of the house never pay a debt (own choice).
 */
import { quantums } from '../../domain/index.ts';
import { type AccountState, HOUSE_ACCOUNT } from './accounts/account.ts';
import { post } from './accounts/ledger.ts';
import { netCollateral } from './margin.ts';
import type { VenueState } from './state.ts';

/** Pays in what the fund begins with: a deposit of the house, with the first block. */
export function beginFund(state: VenueState): void {
  const amount = state.fundToBegin;
  if (amount === 0n) return;
  state.fundToBegin = 0n;
  state.log.emit({ kind: 'Deposited', account: HOUSE_ACCOUNT, amount: quantums(amount) });
  post(state.log, state.house, { kind: 'deposit', amount });
  state.changeFund(amount);
}

/**
 * Pays the debt of an account without positions: out of the fund, then by all accounts with positive net collateral.
 */
export function coverDebt(state: VenueState, account: AccountState): void {
  const debt = -account.collateral;
  const insured = debt < state.insuranceFund ? debt : state.insuranceFund;
  if (insured > 0n) {
    post(state.log, account, { kind: 'insurance', amount: insured });
    post(state.log, state.house, { kind: 'insurance', amount: -insured });
    state.changeFund(-insured);
  }
  if (insured < debt) socialize(state, account, debt - insured);
}

/**
 * Every account pays in proportion to its net collateral, rounded down; what rounding leaves is paid one quantum each,
 * by rising account number. No account pays more than it has, so no payer fails by it.
 */
function socialize(state: VenueState, debtor: AccountState, loss: bigint): void {
  const payers = state.accounts
    .filter(({ number }) => number !== HOUSE_ACCOUNT)
    .map((payer) => ({ payer, means: netCollateral(state, payer) }))
    .filter(({ means }) => means > 0n);
  const total = payers.reduce((sum, { means }) => sum + means, 0n);
  const bearable = loss < total ? loss : total;
  const shares = payers.map(({ payer, means }) => ({ payer, means, share: (means * bearable) / total }));
  let left = bearable - shares.reduce((sum, { share }) => sum + share, 0n);
  for (const { payer, means, share } of shares) {
    const extra = left > 0n && share < means ? 1n : 0n;
    left -= extra;
    post(state.log, payer, { kind: 'socialized_loss', amount: -(share + extra) });
  }
  const amount = quantums(bearable - left);
  post(state.log, debtor, { kind: 'socialized_loss', amount });
  state.log.emit({ kind: 'SocializedLoss', account: debtor.number, amount, payers: payers.length });
}
