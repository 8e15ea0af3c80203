/** @module Checks of the life of an API wallet's grant, and of what an API wallet may not do. */

import type { Address } from '../../domain/index.ts';
import type { SecretKey } from '../../wire/crypto/index.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import type { Probe } from '../probe.ts';
import type { Trader, TraderWriteOptions, Written } from '../trader.ts';

const BY_WALLET = { by: 'wallet' } as const;

interface Scene {
  readonly trader: Trader;
  readonly agent: SecretKey;
  /** Signs with the agent. */
  readonly other: Trader;
}

/** A funded account and a wallet that has no grant yet. */
async function scene(probe: Probe): Promise<Scene> {
  const trader = await probe.trader();
  const agent = probe.freshKey();
  return { trader, agent, other: probe.traderWith({ ...trader.keys, apiWallets: [agent] }) };
}

function approve(
  { trader, agent }: Scene,
  validUntilMs = 0,
  options: TraderWriteOptions = BY_WALLET,
): Promise<Written> {
  return trader.write('/v1/account/agents/approve', { agent: agent.address, validUntilMs }, options);
}

const revoke = ({ trader, agent }: Scene): Promise<Written> =>
  trader.write('/v1/account/agents/revoke', { agent: agent.address }, BY_WALLET);

const use = (by: Trader, options: TraderWriteOptions = {}): Promise<Written> =>
  by.write('/v1/orders/cancel-all', {}, options);

async function grantOf({ trader, agent }: Scene) {
  const list = answered(await trader.read('/v1/account/agents')).list('agents');
  const found = list.filter((grant) => grant.at('address') === agent.address);
  holds('at most one grant of a pair', found.length <= 1, list);
  return found[0];
}

/** The life of a grant. */
export const GRANT_CHECKS: readonly Check[] = [
  check('GW-GRANT-1', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on)).answer);
    const grant = await grantOf(on);
    same('the grant', [grant?.at('validUntilMs'), grant?.at('expired')], ['0', false]);
    answered((await use(on.other)).answer);
  }),
  check('GW-GRANT-2', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on)).answer);
    const about = answered(await on.trader.read(`/v1/agents/${on.agent.address}`));
    same('agent', about.at('agent'), on.agent.address);
    const [grant] = about.list('grants');
    same('the account', [grant?.at('account'), grant?.at('subaccount')], [on.trader.address, 0]);
    same('its number', grant?.at('accountId'), await on.trader.accountId());
  }),
  check('GW-GRANT-3', 'control', async (probe) => {
    const on = await scene(probe);
    const { answer } = await approve(on);
    const seq = answered(answer).text('seq');
    same('the header', answer.header(`${probe.headerPrefix}seq`), seq);
    const written = await use(on.other, { headers: { [`${probe.headerPrefix}min-seq`]: seq } });
    same('status', answered(written.answer).at('status'), 'executed');
  }),
  check('GW-GRANT-4', 'control', async (probe) => {
    refused((await use((await scene(probe)).other)).answer, 403, 'UnknownAgent');
  }),
  check('GW-GRANT-5', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on)).answer);
    answered((await use(on.other)).answer);
    answered((await revoke(on)).answer);
    refused((await use(on.other)).answer, 403, 'UnknownAgent');
    same('the grant', await grantOf(on), undefined);
  }),
  check('GW-GRANT-6', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on, (await probe.serverMs()) + 60_000)).answer);
    answered((await use(on.other)).answer);
    await probe.harness.run('advance', { by: 61_000 });
    refused((await use(on.other)).answer, 403, 'AgentExpired');
  }),
  check('GW-GRANT-7', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on, (await probe.serverMs()) + 60_000)).answer);
    await probe.harness.run('advance', { by: 61_000 });
    same('expired', (await grantOf(on))?.at('expired'), true);
  }),
  check('GW-GRANT-8', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on)).answer);
    const untilMs = (await probe.serverMs()) + 60_000;
    answered((await approve(on, untilMs)).answer);
    same('validUntilMs', (await grantOf(on))?.at('validUntilMs'), String(untilMs));
  }),
  check('GW-GRANT-9', 'control', async (probe) => {
    const on = await scene(probe);
    const before = (await on.trader.nonceRecord('wallet')).at('nonce');
    refused((await approve(on, (await probe.serverMs()) - 60_000)).answer, 403, 'AgentExpired');
    same('the next nonce', (await on.trader.nonceRecord('wallet')).at('nonce'), before);
  }),
  check('GW-GRANT-10', 'control', async (probe) => {
    const on = await scene(probe);
    refused((await approve(on, 0, { by: 0 })).answer, 403, 'AgentScopeViolation');
    const grant = { agent: on.trader.agent(1) };
    refused((await on.trader.write('/v1/account/agents/revoke', grant)).answer, 403, 'AgentScopeViolation');
  }),
  check('GW-GRANT-11', 'control', async (probe) => {
    const trader = await probe.trader();
    refused((await trader.write('/v1/account/subaccounts', {})).answer, 403, 'AgentScopeViolation');
  }),
  check('GW-GRANT-12', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on)).answer);
    answered((await use(on.other)).answer);
    answered((await revoke(on)).answer);
    answered((await approve(on)).answer);
    const query = `${on.trader.query}&signer=${on.agent.address}`;
    same('the next nonce', answered(await probe.get(`/v1/account/nonce?${query}`)).number('nonce'), 1);
  }),
  check('GW-GRANT-13', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on)).answer);
    answered((await on.trader.write('/v1/account/subaccounts', {}, BY_WALLET)).answer);
    refused((await use(on.other, { subaccount: 1 })).answer, 403, 'UnknownAgent');
  }),
  check('GW-GRANT-14', 'control', async (probe) => {
    const on = await scene(probe);
    answered((await approve(on)).answer);
    answered((await revoke(on)).answer);
    same('status', answered((await revoke(on)).answer).at('status'), 'executed');
  }),
  check('GW-GRANT-15', 'public', async (probe) => {
    refusedWith(await probe.get(`/v1/agents/${probe.freshKey().address}`), 404);
    refusedWith(await probe.get('/v1/agents/0x12'), 400);
  }),
  check('GW-GRANT-16', 'control', async (probe) => {
    const { trader } = await scene(probe);
    for (const grant of [{ agent: '0x12', validUntilMs: 0 }, { agent: trader.agent() }, { validUntilMs: 0 }])
      refusedWith((await trader.write('/v1/account/agents/approve', grant, BY_WALLET)).answer, 400);
  }),
  check('GW-GRANT-17', 'control', async (probe) => {
    const on = await scene(probe);
    const stranger = await probe.trader();
    const forgedBy = stranger.keys.wallet;
    const options = forgedBy === undefined ? BY_WALLET : { ...BY_WALLET, forgedBy };
    refused((await approve(on, 0, options)).answer, 401, 'GatewayBadSignature');
    same('the grant', await grantOf(on), undefined);
  }),
  check('GW-GRANT-18', 'control', async (probe) => {
    const [trader, stranger] = [await probe.trader(), await probe.trader()];
    const foreign = probe.traderWith({ ...trader.keys, apiWallets: stranger.keys.apiWallets });
    refused((await use(foreign)).answer, 403, 'UnknownAgent');
  }),
  check('GW-GRANT-19', 'control', async (probe) => {
    const trader = await probe.trader({ apiWallets: 0 });
    same('grants', answered(await trader.read('/v1/account/agents')).list('agents').length, 0);
  }),
  check('GW-GRANT-20', 'control', async (probe) => {
    const [trader, other] = [await probe.trader(), await probe.trader()];
    const agent: Address = trader.agent();
    const granted = await other.write('/v1/account/agents/approve', { agent, validUntilMs: 0 }, BY_WALLET);
    answered(granted.answer);
    const { requestId } = (await revokeOf(trader, agent)).sent;
    holds('a request id', requestId.length === 66, requestId);
    const grants = answered(await other.read(`/v1/agents/${agent}`)).list('grants');
    same(
      'accounts',
      grants.map((grant) => grant.at('account')),
      [other.address],
    );
  }),
];

const revokeOf = (trader: Trader, agent: Address): Promise<Written> =>
  trader.write('/v1/account/agents/revoke', { agent }, BY_WALLET);
