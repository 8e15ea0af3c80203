/** @module Control actions about funds, wallets and grants. */
import {
  ADDRESS,
  actionRefused,
  actionsOn,
  durationFrom,
  integerFrom,
  lineOf,
  must,
  oneOf,
  optional,
  preset,
  required,
} from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';
import { TOKENS } from '../state/index.ts';
import type { ControlTarget } from './control-target.ts';
import { accountRef, givenAmount, wallet } from './kinds.ts';

const action = actionsOn<ControlTarget>();

const SUBACCOUNT = preset(integerFrom(0, 65_535), 0, 'Index of the subaccount; 0 is the main account.');
const VALID_UNTIL = preset(integerFrom(0), 0, 'Unix ms at which the grant expires; 0: never.');

/** Rows of the table. */
export const ACCOUNT_ACTIONS = [
  action({
    name: 'account',
    description:
      'Makes a funded wallet and its approved API wallets, all with ephemeral keys of this exchange.',
    parameters: {
      name: optional(
        lineOf('a name'),
        'Names it for other actions. The keys follow from seed and name.',
        'the next number',
      ),
      balance: preset(givenAmount, '1000000', 'USDC it is given.'),
      apiWallets: preset(integerFrom(0, 20), 2, 'API wallets to make and approve.'),
      validUntilMs: VALID_UNTIL,
    },
    gives: '`name`, `address`, `privateKey`, `accountId`, `apiWallets` (each `address`, `privateKey`)',
    run: (control, asked) =>
      control.makeAccount({ ...asked, balance: control.amountOf('balance', asked.balance) }),
  }),
  action({
    name: 'fund',
    description: 'Deposits into an account, which begins to exist with its first deposit.',
    parameters: {
      account: required(wallet, 'Whose account.'),
      amount: required(givenAmount, 'How much.'),
      subaccount: SUBACCOUNT,
      token: preset(oneOf('USDC', 'WETH', 'WBTC'), 'USDC', 'Of what; only USDC is traded with.'),
    },
    gives: '`accountId`, `seq`',
    run: (control, { account, amount, subaccount, token }) => {
      const owner = control.addressOf('account', account);
      if (subaccount > 0) control.accountIdOf('account', account, subaccount);
      const listed = must(
        TOKENS.find(({ symbol }) => symbol === token),
        token,
      );
      const quanta = control.amountOf('amount', amount, listed.decimals);
      const accountId = control.deposit(owner, quanta, subaccount, listed.token);
      return { accountId, seq: control.seq };
    },
  }),
  action({
    name: 'withdraw',
    description:
      'Takes cash out of an account, as its owner would; it is pending for 5 s, then acknowledged.',
    parameters: {
      account: required(accountRef, 'Whose account.'),
      amount: required(givenAmount, 'USDC.'),
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`',
    run: (control, { account: who, amount, subaccount }) => {
      const account = control.accountIdOf('account', who, subaccount);
      const cash = control.amountOf('amount', amount);
      if (control.append({ kind: 'withdrawal', account, amount: cash }).isDone !== true)
        throw actionRefused(
          `${who} has less than ${amount} to withdraw`,
          'Withdraw less, or close positions.',
        );
      return { seq: control.seq };
    },
  }),
  action({
    name: 'transfer',
    description: 'Moves cash between two accounts.',
    parameters: {
      from: required(accountRef, 'Who pays.'),
      fromSubaccount: SUBACCOUNT,
      to: required(accountRef, 'Who receives.'),
      toSubaccount: SUBACCOUNT,
      amount: required(givenAmount, 'USDC.'),
    },
    gives: '`seq`',
    run: (control, asked) => {
      const from = control.accountIdOf('from', asked.from, asked.fromSubaccount);
      const to = control.accountIdOf('to', asked.to, asked.toSubaccount);
      const cash = control.amountOf('amount', asked.amount);
      if (control.append({ kind: 'transfer', from, to, amount: cash }).isDone !== true)
        throw actionRefused(
          `${asked.from} has less than ${asked.amount} to give`,
          'Fund it with `fund` first.',
        );
      return { seq: control.seq };
    },
  }),
  action({
    name: 'subaccount',
    description:
      'Makes the next subaccount of a wallet, as its owner would; consumes a nonce of the main account.',
    parameters: { account: required(wallet, 'Whose.') },
    gives: '`subaccount`, `accountId`',
    run: (control, { account: who }) => {
      const owner = control.addressOf('account', who);
      control.accountIdOf('account', who, 0);
      control.asOwner(owner, 0, (account) => ({ kind: 'CreateSubaccount', account }));
      const subaccount = control.parts.sequencer.state.registry.accountsOf(owner).length - 1;
      return { subaccount, accountId: control.accountIdOf('account', who, subaccount) };
    },
  }),
  action({
    name: 'fresh-vault',
    description: 'Makes a vault that waits to be claimed, as its operator would.',
    parameters: {
      name: required(lineOf('a name'), 'What it is called in the list of vaults.'),
      creator: optional(wallet, 'Who may configure it.', 'none'),
    },
    gives: '`vault`: its id, `seq`',
    run: (control, { name, creator: who }) => {
      const creator = who === undefined ? undefined : control.addressOf('creator', who);
      const { account } = control.append({ kind: 'freshVault', name, creator });
      return { vault: String(must(account, 'the account of the vault')), seq: control.seq };
    },
  }),
  action({
    name: 'approve',
    description: 'Grants an API wallet, as its owner would; consumes a nonce of the account.',
    parameters: {
      account: required(wallet, 'Who grants.'),
      agent: required(ADDRESS, 'The API wallet.'),
      validUntilMs: VALID_UNTIL,
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`: what the first write of the API wallet sends as `x-svc-min-seq`',
    run: (control, { account: who, agent, validUntilMs, subaccount }) => {
      control.accountIdOf('account', who, subaccount);
      control.asOwner(control.addressOf('account', who), subaccount, (account) => ({
        kind: 'ApproveAgent',
        account,
        agent: agent as Address,
        validUntilMs,
      }));
      return { seq: control.seq };
    },
  }),
  action({
    name: 'revoke',
    description: 'Takes a grant away, as its owner would; consumes a nonce of the account.',
    parameters: {
      account: required(wallet, 'Who granted.'),
      agent: optional(ADDRESS, 'The API wallet.', 'every API wallet of the account'),
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`, `revoked`: how many',
    run: (control, { account: who, agent: only, subaccount }) => {
      const id = control.accountIdOf('account', who, subaccount);
      const owner = control.addressOf('account', who);
      const granted = control.parts.sequencer.state.grants.ofAccount(id).map(({ agent }) => agent);
      const agents = only === undefined ? granted : [only as Address];
      for (const agent of agents)
        control.asOwner(owner, subaccount, (account) => ({ kind: 'RevokeAgent', account, agent }));
      return { seq: control.seq, revoked: agents.length };
    },
  }),
  action({
    name: 'fire-dead-mans-switch',
    description: "Fires an account's dead man's switch now.",
    parameters: { account: required(accountRef, 'Whose.'), subaccount: SUBACCOUNT },
    gives: '`wasArmed`',
    run: (control, { account: who, subaccount }) => {
      const account = control.accountIdOf('account', who, subaccount);
      return { wasArmed: control.append({ kind: 'endSwitch', account, how: 'fire' }).events.length > 0 };
    },
  }),
  action({
    name: 'min-switch-lead',
    description: 'Smallest distance of a schedule-cancel trigger from now on; a large one rejects every arm.',
    parameters: { lead: required(durationFrom('0ms', '24h'), 'The distance; 0ms: none.') },
    run: (control, { lead }) => {
      control.append({ kind: 'switchLead', leadMs: lead });
      return {};
    },
  }),
] as const;
