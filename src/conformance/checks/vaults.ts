/** @module Checks of vaults: participants, shares, the vault as trading identity; and of portfolio, dexes and builders. */
import type { Doc, ReceivedAnswer } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, NotOffered, refused, refusedWith, same } from '../expect.ts';
import { shifted } from '../orders.ts';
import type { Probe } from '../probe.ts';
import type { Trader, Written } from '../trader.ts';
import { place, sizeOf, trade } from './steps.ts';

const BY_WALLET = { by: 'wallet' } as const;

interface Scene {
  readonly trader: Trader;
  readonly vault: string;
}

async function created(probe: Probe): Promise<Scene> {
  const trader = await probe.trader();
  const { answer } = await trader.write('/v1/vaults', { name: 'Conformance' }, BY_WALLET);
  return { trader, vault: answered(answer).text('vault.id') };
}

const deposit = (trader: Trader, vault: string, amount: string): Promise<Written> =>
  trader.write(`/v1/vaults/${vault}/deposit`, { amount }, BY_WALLET);
const redeem = (trader: Trader, vault: string, shares: string): Promise<Written> =>
  trader.write(`/v1/vaults/${vault}/redeem`, { shares }, BY_WALLET);
const configure = (trader: Trader, vault: string, body: object): Promise<Written> =>
  trader.write(`/v1/vaults/${vault}/config`, body, BY_WALLET);

/** A vault with 1,000 USDC of its creator. */
async function filled(probe: Probe): Promise<Scene> {
  const made = await created(probe);
  answered((await deposit(made.trader, made.vault, '1000')).answer);
  return made;
}

const vaultOf = async ({ trader, vault }: Scene): Promise<ReceivedAnswer> =>
  answered(await trader.read(`/v1/vaults/${vault}`));

/** Participants and shares. */
export const VAULT_CHECKS: readonly Check[] = [
  check('GW-VAULTS-1', 'control', async (probe) => {
    const made = await created(probe);
    const vault = await vaultOf(made);
    same('its state', [vault.at('state'), vault.number('shares')], ['managed', 0]);
    same('its manager', vault.at('manager'), { address: made.trader.address, subaccount: 0 });
    const list = answered(await made.trader.read('/v1/vaults')).list('vaults');
    holds(
      'it in the list',
      list.some((one) => one.at('id') === made.vault),
      list.length,
    );
  }),
  check('GW-VAULTS-2', 'control', async (probe) => {
    const { trader, vault } = await created(probe);
    const answer = answered((await deposit(trader, vault, '1000')).answer);
    same('the effect', [answer.number('vault.shares'), answer.number('vault.amount')], [1_000, 1_000]);
    same('the equity', (await vaultOf({ trader, vault })).number('equity'), 1_000);
    const receipt = answered(await trader.read(`/v1/requests/${answer.text('requestId')}`));
    same('the receipt', receipt.at('vault'), answer.at('vault'));
    same('its own money', answered(await trader.read('/v1/account')).number('collateral'), 999_000);
  }),
  check('GW-VAULTS-3', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const answer = answered((await redeem(trader, vault, '400')).answer);
    same('the effect', [answer.number('vault.shares'), answer.number('vault.amount')], [400, 400]);
    same('the shares left', (await vaultOf({ trader, vault })).number('shares'), 600);
  }),
  check('GW-VAULTS-4', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const friend = await probe.trader();
    answered((await deposit(friend, vault, '3000')).answer);
    const list = answered(await friend.read(`/v1/vaults/${vault}/depositors`)).list('depositors');
    same(
      'depositors',
      list.map((one) => [one.at('address'), one.number('shares')]),
      [
        [friend.address, 3_000],
        [trader.address, 1_000],
      ],
    );
    const [own] = answered(await friend.read('/v1/account/vaults')).list('vaults');
    same('his own', [own?.at('id'), own?.number('shares'), own?.number('value')], [vault, 3_000, 3_000]);
  }),
  check('GW-VAULTS-5', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    refused((await redeem(trader, vault, '1000.000001')).answer, 422, 'InsufficientShares');
    refused((await deposit(trader, vault, '100000000')).answer, 422, 'InsufficientWithdrawable');
  }),
  check('GW-VAULTS-6', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    answered((await configure(trader, vault, { depositCap: '1500', leverageMax: 2 })).answer);
    const told = await vaultOf({ trader, vault });
    same('the settings', [told.number('depositCap'), told.at('leverageMax')], [1_500, 2]);
    refused((await deposit(trader, vault, '600')).answer, 422, 'DepositCapExceeded');
    const leverage = { symbol: probe.market.symbol, leverage: 5 };
    refused(
      (await trader.write('/v1/account/leverage', leverage, { vault })).answer,
      422,
      'VaultLeverageExceeded',
    );
  }),
  check('GW-VAULTS-7', 'control', async (probe) => {
    const { vault } = await filled(probe);
    const stranger = await probe.trader();
    refused((await configure(stranger, vault, { depositCap: '1', leverageMax: 1 })).answer, 403, 'Forbidden');
  }),
  check('GW-VAULTS-8', 'control', async (probe) => {
    const [trader, other] = [await probe.trader(), await probe.trader()];
    const vault = (await probe.harness.run('fresh-vault', { name: 'Seeded' })).text('vault');
    const fresh = await vaultOf({ trader, vault });
    same('fresh', [fresh.at('state'), fresh.at('manager')], ['fresh', null]);
    const early = await trader.write('/v1/orders/cancel-all', {}, { ...BY_WALLET, vault });
    refused(early.answer, 403, 'Forbidden');
    answered((await trader.write(`/v1/vaults/${vault}/claim`, {}, BY_WALLET)).answer);
    same('claimed', (await vaultOf({ trader, vault })).at('manager.address'), trader.address);
    answered((await trader.write('/v1/orders/cancel-all', {}, { ...BY_WALLET, vault })).answer);
    const late = await other.write(`/v1/vaults/${vault}/claim`, {}, BY_WALLET);
    refused(late.answer, 422, 'VaultAlreadyManaged');
  }),
  check('GW-VAULTS-9', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const points = answered(await trader.read(`/v1/vaults/${vault}/nav`)).list('points');
    holds('a point of the deposit', points.length > 0, points.length);
    same('the value of a share', points.at(-1)?.number('navPerShare'), 1);
  }),
  check('GW-VAULTS-10', 'public', async (probe) => {
    for (const path of ['/v1/vaults/4000000000', '/v1/vaults/x/nav', '/v1/vaults/4000000000/depositors'])
      refusedWith(await probe.get(path), 404);
  }),
  check('GW-VAULTS-11', 'control', async (probe) => {
    const { trader, vault } = await created(probe);
    for (const body of [{ amount: '0' }, { amount: '-1' }, { amount: 5 }, {}])
      refusedWith((await trader.write(`/v1/vaults/${vault}/deposit`, body, BY_WALLET)).answer, 400);
    for (const body of [{ name: '' }, { name: 'x'.repeat(33) }, {}])
      refusedWith((await trader.write('/v1/vaults', body, BY_WALLET)).answer, 400);
  }),
  check('GW-VAULTS-12', 'control', async (probe) => {
    const { trader, vault } = await created(probe);
    refusedWith((await trader.write(`/v1/vaults/${vault}/deposit`, { amount: '1' })).answer, 403);
  }),
];

const READS = [
  '',
  '/positions',
  '/orders',
  '/orders/history',
  '/fills',
  '/ledger',
  '/funding',
  '/agents',
  '/nonce',
  '/portfolio',
];

/** The vault as trading identity. */
export const VAULT_TRADING_CHECKS: readonly Check[] = [
  check('GW-VAULTS-13', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    for (const rest of READS) {
      answered(await probe.get(`/v1/account${rest}?vault=${vault}`));
      refusedWith(await probe.get(`/v1/account${rest}?vault=${vault}&address=${trader.address}`), 400);
    }
  }),
  check('GW-VAULTS-14', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const record = await trader.nonceRecord('wallet', 0, vault);
    same(
      'the record',
      [record.number('signingAccountId'), record.at('scope')],
      [Number(vault), `account:${vault}`],
    );
    const before = (await trader.nonceRecord('wallet')).at('nonce');
    answered((await place(probe, trader, [{}], { ...BY_WALLET, vault })).answer);
    same('the wallet’s own nonce', (await trader.nonceRecord('wallet')).at('nonce'), before);
    same('the vault’s nonce', (await trader.nonceRecord('wallet', 0, vault)).number('nonce'), 1);
  }),
  check('GW-VAULTS-15', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const { answer } = await place(probe, trader, [{}], { vault });
    const id = answered(answer).at('items.0.orderId');
    const orders = answered(await probe.get(`/v1/account/orders?vault=${vault}`)).list('orders');
    same(
      'the vault’s orders',
      orders.map((order) => order.at('orderId')),
      [id],
    );
    same('the manager’s', answered(await trader.read('/v1/account/orders')).list('orders').length, 0);
    answered((await trader.write('/v1/orders/cancel-all', {}, { vault })).answer);
  }),
  check('GW-VAULTS-16', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const sent = await trader.sign('/v1/orders/cancel-all', {}, { ...BY_WALLET, vault });
    const paths = [
      '/v1/orders/twap',
      '/v1/positions/tpsl',
      '/v1/account/subaccounts',
      '/v1/vaults',
      `/v1/vaults/${vault}/deposit`,
    ];
    for (const path of [...paths, '/v1/account/agents/approve', '/v1/account/agents/revoke'])
      refused(await probe.post(path, sent.body), 403, 'VaultScopeViolation');
    trader.forgetNonces();
  }),
  check('GW-VAULTS-17', 'control', async (probe) => {
    const { vault } = await filled(probe);
    const stranger = await probe.trader();
    for (const by of [0, 'wallet'] as const)
      refused((await stranger.write('/v1/orders/cancel-all', {}, { by, vault })).answer, 403, 'Forbidden');
  }),
  check('GW-VAULTS-18', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const feed = await probe.open();
    for (const channel of ['orders', 'fills', 'positions', 'account', 'ledger'])
      await feed.subscribe({ channel, vault });
    const seller = await probe.trader();
    const size = await sizeOf(probe);
    await place(probe, trader, [{ timeInForce: 'gtc' }], { vault });
    await trade(probe, { maker: seller, taker: trader }, size, { vault });
    same('whose', (await feed.wait('fills')).at('vault'), vault);
    answered((await deposit(trader, vault, '5')).answer);
    const frame = await feed.wait('ledger');
    same('whose', [frame.at('vault'), frame.at('address')], [vault, undefined]);
    const order = await feed.wait('orders', (one: Doc) => one.at('isSnapshot') === false);
    same('whose', order.at('vault'), vault);
    answered((await trader.write('/v1/orders/cancel-all', {}, { vault })).answer);
  }),
];

/** Limits of vaults. */
export const VAULT_LIMIT_CHECKS: readonly Check[] = [
  check('GW-VAULTS-19', 'control', async (probe) => {
    const { trader, vault } = await filled(probe);
    const size = await sizeOf(probe, 10);
    const { price } = await trade(probe, { maker: await probe.trader(), taker: trader }, size, { vault });
    await probe.harness.run('price', {
      symbol: probe.market.symbol,
      price: shifted(probe.market, price, 10_000),
    });
    await probe.harness.run('advance', { by: 300 });
    refused((await deposit(trader, vault, '0.000001')).answer, 422, 'AmountTooSmall');
  }),
];

/** Portfolio, dexes, builders. */
export const OFFER_CHECKS: readonly Check[] = [
  check('GW-PORTFOLIO-1', 'control', async (probe) => {
    const trader = await probe.trader();
    const points = answered(await trader.read('/v1/account/portfolio')).list('points');
    const last = points.at(-1);
    same('the last point', [last?.number('accountValue'), last?.number('pnl')], [1_000_000, 0]);
    await probe.harness.run('fund', { account: trader.address, amount: '5' });
    const later = answered(await trader.read('/v1/account/portfolio'))
      .list('points')
      .at(-1);
    same('after a deposit', [later?.number('accountValue'), later?.number('pnl')], [1_000_005, 0]);
  }),
  check('GW-PORTFOLIO-2', 'public', async (probe) => {
    refusedWith(await probe.get('/v1/account/portfolio'), 400);
    refusedWith(
      await probe.get('/v1/account/portfolio?address=0x00000000000000000000000000000000deadbeef'),
      404,
    );
  }),
  check('GW-DEXES-1', 'public', async (probe) => {
    const [dex] = answered(await probe.get('/v1/dexes')).list('dexes');
    if (dex === undefined) throw new NotOffered('a builder dex');
    same('the single one', answered(await probe.get(`/v1/dexes/${dex.text('id')}`)).value, dex.value);
  }),
  check('GW-DEXES-2', 'public', async (probe) => {
    refusedWith(await probe.get('/v1/dexes/no-such-dex'), 404);
  }),
  check('GW-BUILDERS-1', 'control', async (probe) => {
    const builder = await probe.trader();
    const summary = answered(await probe.get(`/v1/builders/${builder.address}/summary`));
    same('the builder', [summary.at('builder'), summary.number('feesEarned')], [builder.address, 0]);
    refusedWith(await probe.get('/v1/builders/0x00000000000000000000000000000000deadbeef/summary'), 404);
    refusedWith(await probe.get('/v1/builders/x/summary'), 400);
  }),
];
