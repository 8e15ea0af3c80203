/** @module Control actions about money, wallets and grants. */
import { must } from '../../core/index.ts';
import { type Address, quantums } from '../../domain/index.ts';
import { TOKENS } from '../state/index.ts';
import { action, type ControlAction } from './control-action.ts';
import { refused } from './errors.ts';
import {
  address,
  choice,
  decimal,
  duration,
  integer,
  optional,
  preset,
  required,
  text,
  wallet,
} from './parameters.ts';

const SUBACCOUNT = preset(integer(0, 65_535), 0, 'Index of the subaccount; 0 is the main account.');
const VALID_UNTIL = preset(integer(0), 0, 'Unix ms at which the grant expires; 0: never.');

/** Rows of the table. */
export const ACCOUNT_ACTIONS: readonly ControlAction[] = [
  action({
    name: 'account',
    description:
      'Makes a wallet with money and approved API wallets, all with ephemeral keys of this exchange.',
    parameters: {
      name: optional(
        text('a name'),
        'Names it for other actions. The keys follow from seed and name.',
        'the next number',
      ),
      balance: preset(decimal, '1000000', 'USDC it is given.'),
      apiWallets: preset(integer(0, 20), 2, 'API wallets to make and approve.'),
      validUntilMs: VALID_UNTIL,
    },
    gives: '`name`, `address`, `privateKey`, `accountId`, `apiWallets` (each `address`, `privateKey`)',
    run: (api, asked) => api.makeAccount(asked),
  }),
  action({
    name: 'fund',
    description: 'Deposits into an account, which begins to exist with its first deposit.',
    parameters: {
      account: required(wallet, 'Whose account.'),
      amount: required(decimal, 'How much.'),
      subaccount: SUBACCOUNT,
      token: preset(choice('USDC', 'WETH', 'WBTC'), 'USDC', 'Of what; only USDC is traded with.'),
    },
    gives: '`accountId`, `seq`',
    run: (api, asked) => {
      const { account, subaccount } = asked;
      const owner = api.addressOf('account', account);
      if (subaccount > 0) api.accountIdOf('account', account, subaccount);
      const { token, decimals } = must(
        TOKENS.find(({ symbol }) => symbol === asked.token),
        asked.token,
      );
      const amount = api.amountOf('amount', asked.amount, decimals);
      const accountId = api.exchange.control.fund(owner, amount, subaccount, token);
      return { accountId, seq: api.exchange.seq };
    },
  }),
  action({
    name: 'withdraw',
    description:
      'Takes cash out of an account, as its owner would; it is pending for 5 s, then acknowledged.',
    parameters: {
      account: required(wallet, 'Whose account.'),
      amount: required(decimal, 'USDC.'),
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`',
    run: (api, { account, amount, subaccount }) => {
      const id = api.accountIdOf('account', account, subaccount);
      if (!api.exchange.control.withdraw(id, quantums(api.amountOf('amount', amount))))
        throw refused(`${account} has less than ${amount} to withdraw`, 'Withdraw less, or close positions.');
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'transfer',
    description: 'Moves cash between two accounts.',
    parameters: {
      from: required(wallet, 'Who pays.'),
      fromSubaccount: SUBACCOUNT,
      to: required(wallet, 'Who receives.'),
      toSubaccount: SUBACCOUNT,
      amount: required(decimal, 'USDC.'),
    },
    gives: '`seq`',
    run: (api, asked) => {
      const from = api.accountIdOf('from', asked.from, asked.fromSubaccount);
      const to = api.accountIdOf('to', asked.to, asked.toSubaccount);
      const amount = quantums(api.amountOf('amount', asked.amount));
      if (!api.exchange.control.transfer({ from, to, amount }))
        throw refused(
          `${asked.from} has less than ${asked.amount} to give`,
          'Give it money with `fund` first.',
        );
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'subaccount',
    description:
      'Makes the next subaccount of a wallet, as its owner would; spends a nonce of the main account.',
    parameters: { account: required(wallet, 'Whose.') },
    gives: '`subaccount`, `accountId`',
    run: (api, { account }) => {
      api.accountIdOf('account', account, 0);
      const subaccount = api.exchange.control.createSubaccount(api.addressOf('account', account));
      return { subaccount, accountId: api.accountIdOf('account', account, subaccount) };
    },
  }),
  action({
    name: 'fresh-vault',
    description: 'Makes a vault that waits to be claimed, as its operator would.',
    parameters: {
      name: required(text('a name'), 'What it is called in the list of vaults.'),
      creator: optional(wallet, 'Who may configure it.', 'nobody'),
    },
    gives: '`vault`: its id, `seq`',
    run: (api, { name, creator }) => {
      const by = creator === undefined ? undefined : api.addressOf('creator', creator);
      const vault = api.exchange.control.createFreshVault(name, by);
      return { vault, seq: api.exchange.seq };
    },
  }),
  action({
    name: 'approve',
    description: 'Grants an API wallet, as its owner would; spends a nonce of the account.',
    parameters: {
      account: required(wallet, 'Who grants.'),
      agent: required(address, 'The API wallet.'),
      validUntilMs: VALID_UNTIL,
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`: what the first write of the API wallet sends as `x-svc-min-seq`',
    run: (api, { account, agent, validUntilMs, subaccount }) => {
      api.accountIdOf('account', account, subaccount);
      const owner = api.addressOf('account', account);
      api.exchange.control.approve({ owner, agent: agent as Address, validUntilMs, subaccount });
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'revoke',
    description: 'Takes a grant away, as its owner would; spends a nonce of the account.',
    parameters: {
      account: required(wallet, 'Who granted.'),
      agent: optional(address, 'The API wallet.', 'every API wallet of the account'),
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`, `revoked`: how many',
    run: (api, { account, agent, subaccount }) => {
      const id = api.accountIdOf('account', account, subaccount);
      const owner = api.addressOf('account', account);
      const { control } = api.exchange;
      const agents = agent === undefined ? control.agentsOf(id) : [agent as Address];
      for (const one of agents) control.revoke({ owner, agent: one, subaccount });
      return { seq: api.exchange.seq, revoked: agents.length };
    },
  }),
  action({
    name: 'fire-dead-mans-switch',
    description: "Fires an account's dead man's switch now.",
    parameters: { account: required(wallet, 'Whose.'), subaccount: SUBACCOUNT },
    gives: '`wasArmed`',
    run: (api, { account, subaccount }) => ({
      wasArmed: api.exchange.control.fireSwitch(api.accountIdOf('account', account, subaccount)),
    }),
  }),
  action({
    name: 'min-switch-lead',
    description: 'Smallest distance of a schedule-cancel trigger from now on; a large one rejects every arm.',
    parameters: { lead: required(duration(), 'The distance; 0ms: none.') },
    run: (api, { lead }) => {
      api.exchange.control.setSwitchLead(lead);
      return {};
    },
  }),
];
