/** @module Control verbs about money, wallets and grants. */
import { must } from '../../core/index.ts';
import { type Address, quantums } from '../../domain/index.ts';
import { TOKENS } from '../state/index.ts';
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
import { type Verb, verb } from './verb.ts';

const SUBACCOUNT = preset(integer(0, 65_535), 0, 'Index of the subaccount; 0 is the main account.');
const VALID_UNTIL = preset(integer(0), 0, 'Unix ms at which the grant expires; 0: never.');

/** Rows of the table. */
export const ACCOUNT_VERBS: readonly Verb[] = [
  verb({
    name: 'account',
    about: 'Makes a wallet with money and approved API wallets, all with throw-away keys of this exchange.',
    parameters: {
      name: optional(
        text('a name'),
        'Names it for other verbs. The keys follow from seed and name.',
        'the next number',
      ),
      amount: preset(decimal, '1000000', 'USDC it is given.'),
      apiWallets: preset(integer(0, 20), 2, 'API wallets to make and approve.'),
      validUntilMs: VALID_UNTIL,
    },
    gives: '`name`, `address`, `privateKey`, `accountId`, `apiWallets` (each `address`, `privateKey`)',
    run: (desk, asked) => desk.makeAccount(asked),
  }),
  verb({
    name: 'fund',
    about: 'Deposits into an account, which begins to exist with its first deposit.',
    parameters: {
      account: required(wallet, 'Whose account.'),
      amount: required(decimal, 'How much.'),
      subaccount: SUBACCOUNT,
      token: preset(choice('USDC', 'WETH', 'WBTC'), 'USDC', 'Of what; only USDC is traded with.'),
    },
    gives: '`accountId`, `seq`',
    run: (desk, asked) => {
      const { account, subaccount } = asked;
      const owner = desk.addressOf('account', account);
      if (subaccount > 0) desk.accountIdOf('account', account, subaccount);
      const { token, decimals } = must(
        TOKENS.find(({ symbol }) => symbol === asked.token),
        asked.token,
      );
      const amount = desk.amountOf('amount', asked.amount, decimals);
      const accountId = desk.exchange.control.fund(owner, amount, subaccount, token);
      return { accountId, seq: desk.exchange.seq };
    },
  }),
  verb({
    name: 'withdraw',
    about: 'Takes cash out of an account, as its owner would; it is pending for 5 s, then acknowledged.',
    parameters: {
      account: required(wallet, 'Whose account.'),
      amount: required(decimal, 'USDC.'),
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`',
    run: (desk, { account, amount, subaccount }) => {
      const id = desk.accountIdOf('account', account, subaccount);
      if (!desk.exchange.control.withdraw(id, quantums(desk.amountOf('amount', amount))))
        throw refused(`${account} has less than ${amount} to withdraw`, 'Withdraw less, or close positions.');
      return { seq: desk.exchange.seq };
    },
  }),
  verb({
    name: 'transfer',
    about: 'Moves cash between two accounts.',
    parameters: {
      from: required(wallet, 'Who pays.'),
      fromSubaccount: SUBACCOUNT,
      to: required(wallet, 'Who receives.'),
      toSubaccount: SUBACCOUNT,
      amount: required(decimal, 'USDC.'),
    },
    gives: '`seq`',
    run: (desk, asked) => {
      const from = desk.accountIdOf('from', asked.from, asked.fromSubaccount);
      const to = desk.accountIdOf('to', asked.to, asked.toSubaccount);
      const amount = quantums(desk.amountOf('amount', asked.amount));
      if (!desk.exchange.control.transfer({ from, to, amount }))
        throw refused(
          `${asked.from} has less than ${asked.amount} to give`,
          'Give it money with `fund` first.',
        );
      return { seq: desk.exchange.seq };
    },
  }),
  verb({
    name: 'subaccount',
    about: 'Makes the next subaccount of a wallet, as its owner would; spends a nonce of the main account.',
    parameters: { account: required(wallet, 'Whose.') },
    gives: '`subaccount`, `accountId`',
    run: (desk, { account }) => {
      desk.accountIdOf('account', account, 0);
      const subaccount = desk.exchange.control.createSubaccount(desk.addressOf('account', account));
      return { subaccount, accountId: desk.accountIdOf('account', account, subaccount) };
    },
  }),
  verb({
    name: 'fresh-vault',
    about: 'Makes a vault that waits to be claimed, as its operator would.',
    parameters: {
      name: required(text('a name'), 'What it is called in the list of vaults.'),
      creator: optional(wallet, 'Who may configure it.', 'nobody'),
    },
    gives: '`vault`: its id, `seq`',
    run: (desk, { name, creator }) => {
      const by = creator === undefined ? undefined : desk.addressOf('creator', creator);
      const vault = desk.exchange.control.createFreshVault(name, by);
      return { vault, seq: desk.exchange.seq };
    },
  }),
  verb({
    name: 'approve',
    about: 'Grants an API wallet, as its owner would; spends a nonce of the account.',
    parameters: {
      account: required(wallet, 'Who grants.'),
      agent: required(address, 'The API wallet.'),
      validUntilMs: VALID_UNTIL,
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`: what the first write of the API wallet sends as `x-svc-min-seq`',
    run: (desk, { account, agent, validUntilMs, subaccount }) => {
      desk.accountIdOf('account', account, subaccount);
      const owner = desk.addressOf('account', account);
      desk.exchange.control.approve({ owner, agent: agent as Address, validUntilMs, subaccount });
      return { seq: desk.exchange.seq };
    },
  }),
  verb({
    name: 'revoke',
    about: 'Takes a grant away, as its owner would; spends a nonce of the account.',
    parameters: {
      account: required(wallet, 'Who granted.'),
      agent: optional(address, 'The API wallet.', 'every API wallet of the account'),
      subaccount: SUBACCOUNT,
    },
    gives: '`seq`, `revoked`: how many',
    run: (desk, { account, agent, subaccount }) => {
      const id = desk.accountIdOf('account', account, subaccount);
      const owner = desk.addressOf('account', account);
      const { control } = desk.exchange;
      const agents = agent === undefined ? control.agentsOf(id) : [agent as Address];
      for (const one of agents) control.revoke({ owner, agent: one, subaccount });
      return { seq: desk.exchange.seq, revoked: agents.length };
    },
  }),
  verb({
    name: 'fire-switch',
    about: "Fires an account's dead man's switch now.",
    parameters: { account: required(wallet, 'Whose.'), subaccount: SUBACCOUNT },
    gives: '`wasArmed`',
    run: (desk, { account, subaccount }) => ({
      wasArmed: desk.exchange.control.fireSwitch(desk.accountIdOf('account', account, subaccount)),
    }),
  }),
  verb({
    name: 'switch-lead',
    about: 'Smallest distance of a schedule-cancel trigger from now on; a large one rejects every arm.',
    parameters: { lead: required(duration(), 'The distance; 0ms: none.') },
    run: (desk, { lead }) => {
      desk.exchange.control.setSwitchLead(lead);
      return {};
    },
  }),
];
