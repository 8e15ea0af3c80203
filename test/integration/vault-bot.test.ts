/** @module A bot that trades for a vault: it starts, quotes, dies, returns and ends as any other, and asks for nothing but the vault's own. */
import { expect, onTestFinished, test } from 'vitest';
import { newFlight } from '../../src/bot/execution/in-flight-write.ts';
import { checkAttestation } from '../../src/bot/live/attest/verify.ts';
import { type ConfigSource, parseConfig } from '../../src/config/index.ts';
import { must, parseJson } from '../../src/core/index.ts';
import type { Sight } from '../simulation/types.ts';
import { attested } from '../support/attested-run.ts';
import { aCalmWorld } from '../support/calm-world.ts';
import { PreflightBot } from '../support/preflight-rig.ts';
import { serveTest } from '../support/served.ts';

/** The paths that a vault may write to. */
const VAULT_WRITES = new Set([
  '/v1/orders',
  '/v1/orders/cancel',
  '/v1/orders/replace',
  '/v1/orders/cancel-all',
  '/v1/orders/schedule-cancel',
  '/v1/account/leverage',
]);

type Asked = Extract<Sight, { readonly kind: 'request' }>;

/** What is wrong with a request of a bot for a vault; `undefined`: nothing. */
function wrongIn({ method, path, body }: Asked, of: { readonly address: string; readonly vault?: string }) {
  const { pathname, searchParams } = new URL(path, 'http://gateway');
  const at = /\/v1\/.*/.exec(pathname)?.[0] ?? pathname;
  if (method === 'POST') {
    // The main wallet approves its API wallets.
    if (at === '/v1/account/agents/approve') return undefined;
    const { account, vault, ...rest } = parseJson(body ?? '') as Record<string, unknown>;
    const isRight = VAULT_WRITES.has(at) && account === of.address && vault === of.vault;
    return isRight && !('subaccount' in rest) ? undefined : `${at} ${body}`;
  }
  if (!at.startsWith('/v1/account')) return undefined;
  const [vault, address] = [searchParams.get('vault'), searchParams.get('address')];
  // Grants, and the nonce that an approval is signed with, are of the account that manages the vault.
  const isOfGrants = at === '/v1/account/agents' || at === '/v1/account/nonce';
  if (vault === null) return isOfGrants && address === of.address ? undefined : path;
  return vault === of.vault && address === null && !searchParams.has('subaccount') ? undefined : path;
}

test('a bot trades for a vault through a death, a switch that fires, a restart and its end', async () => {
  const { world, pass, open } = await aCalmWorld({ isVault: true, subaccount: 0, isStill: false });
  const { bot, exchange, account, clock } = world;
  const wrong: string[] = [];
  const refused: string[] = [];
  const asked = new Set<string>();
  let fired = 0;
  world.watch((sight) => {
    if (sight.kind === 'answer' && [400, 403, 404].includes(sight.status)) refused.push(sight.body);
    if (sight.kind !== 'request') return;
    asked.add(`${sight.method} ${new URL(sight.path, 'http://gateway').pathname.replace(/.*\/v1/, '/v1')}`);
    const found = wrongIn(sight, account);
    if (found !== undefined) wrong.push(found);
  });
  exchange.control.watch(({ events }) => {
    for (const event of events)
      if (event.kind === 'ScheduleCancelFired' && event.account === account.accountId) fired++;
  });
  const owner = must(exchange.control.accountId(account.address, 0), 'the account of the manager');
  const paidIn = () =>
    exchange.control.submit({ owner: account.address }, (from) => ({
      ...{ kind: 'DepositVault', account: from, vault: Number(account.vault), amount: 1_000_000n },
    }));
  bot.start();
  await pass(60_000, () => open() > 0);
  expect(open()).toBeGreaterThan(0);
  await pass(30_000);
  paidIn();
  bot.kill('crash');
  await pass(60_000, () => open() === 0 && fired > 0);
  expect([open(), fired]).toEqual([0, 1]);
  bot.start();
  await pass(120_000, () => open() > 0);
  expect(open()).toBeGreaterThan(0);
  await pass(60_000);
  bot.terminate();
  for (let n = 0; bot.isAlive && n < 300; n++) await clock.advanceAsync(1_000);
  expect(bot.life.failure).toBeUndefined();
  expect(bot.life.report).toMatchObject({ reconciled: true, openOrdersProof: 'proven', unresolved: 0 });
  expect(wrong).toEqual([]);
  expect(refused).toEqual([]);
  expect([...asked]).toEqual(expect.arrayContaining(['POST /v1/orders', 'POST /v1/orders/cancel-all']));
  // Nothing of it was done to the manager's own account.
  expect(exchange.control.venue.positions(owner)).toEqual([]);
  const { document, records, signedBy } = await attested(world, 'vault-run');
  expect(document.account).toMatchObject({ address: account.address, vault: account.vault });
  expect(document.statement).toMatchObject({ residual: '0', disagreements: [] });
  expect(checkAttestation(document, signedBy, records).differences).toEqual([]);
});

/** A bot whose account has a vault. */
async function aVaultBot(): Promise<{ readonly bot: PreflightBot; readonly vault: string }> {
  // Keys of its own: their locks are the machine's, and another file of tests has those of the usual seed.
  const served = await serveTest({ seed: 6 });
  const bot = new PreflightBot(served);
  onTestFinished(async () => {
    await served.stop();
    bot.end();
  });
  const asked = { owner: bot.account.address };
  const { control } = served.exchange;
  const made = control.submit(asked, (account) => ({ kind: 'CreateVault', account, name: 'Maker' }));
  const { vault } = must(made.vault, 'a vault');
  control.submit(asked, (account) => ({ kind: 'DepositVault', account, vault, amount: 500_000_000_000n }));
  return { bot, vault: String(vault) };
}

test('the doctor and a run name the vault and its manager', async () => {
  const { bot, vault } = await aVaultBot();
  const config = { account: { address: bot.account.address, vault } };
  const rows = await bot.examine({ config });
  expect(rows.filter(({ status }) => status === 'fail')).toEqual([]);
  const detail = rows.find(({ id }) => id === 'account')?.detail;
  expect(detail).toBe(`vault ${vault} managed by ${bot.account.address}/0 is account ${vault}`);
  expect(await bot.run({ config })).toBeUndefined();
}, 60_000);

test.each([
  {
    what: 'is fresh',
    code: 'PREFLIGHT_VAULT_UNCLAIMED',
    account: ({ served, account }: PreflightBot) => ({
      address: account.address,
      vault: served.exchange.control.freshVault({ name: 'Fresh' }).vault,
    }),
  },
  {
    what: 'has another manager',
    code: 'PREFLIGHT_VAULT_MANAGER',
    account: ({ served }: PreflightBot, vault: string) => ({
      address: served.exchange.control.account({ balance: '1000', apiWallets: 0, validUntilMs: 0 }).address,
      vault,
    }),
  },
  {
    what: 'is not there',
    code: 'PREFLIGHT_ACCOUNT_MISSING',
    account: ({ account }: PreflightBot) => ({ address: account.address, vault: '999' }),
  },
])(
  'a vault that $what is refused before anything is signed',
  async ({ code, account }) => {
    const { bot, vault } = await aVaultBot();
    const { control } = bot.served.exchange;
    const config = { account: account(bot, vault) };
    const { seq } = control;
    const refusal = await bot.run({ config });
    expect([refusal?.error.code, refusal?.check]).toEqual([code, 'account']);
    const row = (await bot.examine({ config })).find(({ id }) => id === 'account');
    expect(row).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining(refusal?.error.message ?? '-'),
    });
    expect(control.seq >= seq).toBe(true);
  },
  60_000,
);

test('a vault needs API wallets of the account that claimed it', async () => {
  const { bot, vault } = await aVaultBot();
  const [maker] = bot.account.apiWallets;
  const { control } = bot.served.exchange;
  control.revoke({ account: bot.account.address, agent: maker?.address ?? '' });
  const refusal = await bot.run({ config: { account: { address: bot.account.address, vault } } });
  expect(refusal?.error.code).toBe('PREFLIGHT_GRANT_MISSING');
  expect(refusal?.words).toContain(`a grant of ${bot.account.address}/0`);
}, 60_000);

test('a configuration names a vault of a gateway, with its manager', () => {
  const address = `0x${'ab'.repeat(20)}`;
  const parsed = (environment: string, account: string): ConfigSource =>
    parseConfig(
      `environment: ${environment}\naccount: ${account}\nmarkets: [{ symbol: BTC-USD }]\nrisk: { capital: 1000 }\nstrategies: [{ name: one, module: one.ts, markets: [BTC-USD] }]\n`,
      'vault.yaml',
    );
  const gateway = '{ name: test, baseUrl: "http://127.0.0.1:1" }';
  const { config } = parsed(gateway, `{ address: "${address}", vault: 7 }`);
  expect(config.account).toMatchObject({ address, vault: '7' });
  expect(() => parsed('{ name: sim }', `{ address: "${address}", vault: 7 }`)).toThrow(
    /no vault in environment sim/,
  );
  expect(() => parsed(gateway, '{ vault: 7 }')).toThrow(/the main wallet that manages the vault/);
  expect(() => parsed(gateway, `{ address: "${address}", vault: seven }`)).toThrow(
    /the id of a vault as digits/,
  );
});

test.each(['/v1/orders/twap', '/v1/positions/tpsl', '/v1/account/agents/approve'])(
  'nothing is signed for a vault at %s (obligation O40)',
  (path) => {
    const signed: string[] = [];
    const writer = {
      account: { address: `0x${'ab'.repeat(20)}`, subaccount: 0, vault: '7' },
      signer: { prepare: () => signed.push(path) },
    };
    const command = { kind: 'operation', path, canonical: { kind: 'CancelAll', account: 7 }, body: {} };
    const write = { kind: 'write', command, nonce: 0n, epoch: 'e', nowMs: 0 };
    expect(() => newFlight(writer as never, write as never)).toThrow(
      expect.objectContaining({ code: 'EXECUTION_VAULT_SCOPE' }),
    );
    expect(signed).toEqual([]);
  },
);
