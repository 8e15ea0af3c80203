/** Two live bots of one main wallet at once, one for its account and one for its vault: each command names whom it is about. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { ExchangeReader, LiveRig } from '../support/live-rig.ts';
import { until } from '../support/processes.ts';

const WITHIN = { withinMs: 60_000, everyMs: 100 };

test.skipIf(process.platform !== 'linux')(
  'a vault is traded beside the account that manages it, and each has its own orders, commands and attestation',
  async () => {
    const rig = await LiveRig.start({ seed: 77, accounts: 1 });
    const home = mkdtempSync(join(tmpdir(), 'ballast-vault-'));
    onTestFinished(async () => {
      await rig.end();
      rmSync(home, { recursive: true, force: true });
    });
    const env = { ...rig.env(), BALLAST_STATE_HOME: home };
    const say = async (...words: readonly string[]) => {
      const said = rig.processes.ballast(words, { env });
      const { code } = await said.toEnd(60_000);
      return { code, text: said.lines.join('\n'), errors: said.errors };
    };
    const account = rig.takeAccount();
    const client = createClient({ baseUrl: rig.baseUrl, wallet: account.privateKey });
    const { vault } = await client.vaults.create({ name: 'Maker' });
    const id = vault?.id ?? '';
    await client.vaults.deposit({ id, amount: '100000' });
    await client.close();

    const record = { record: { enabled: true, folder: 'tapes' } };
    const own = rig.unapprovedBot('own', account, record);
    const forVault = rig.unapprovedBot('for-vault', account, {
      ...record,
      account: { address: account.address, vault: id },
    });
    for (const bot of [own, forVault]) {
      bot.makeKeys();
      await bot.approve();
    }
    const name = `vault ${id} managed by ${account.address.toLowerCase()}/0`;
    const { ok, rows } = await forVault.examine();
    expect(ok).toBe(true);
    expect(rows.get('account')?.detail).toContain(name);

    const vaults = new ExchangeReader(rig.baseUrl, { vault: id });
    const runs = [own, forVault].map((bot) => {
      const [node = '', ...words] = bot.command();
      return { bot, run: rig.processes.start(node, words, { env }) };
    });
    const quoting = async (reader: ExchangeReader) =>
      await until('orders', async () => nonEmpty(await reader.openOrders()), WITHIN);
    const [ofOwn, ofVault] = [await quoting(own.reader), await quoting(vaults)];
    const ids = new Set(ofOwn.map(({ orderId }) => orderId));
    expect(ofVault.filter(({ orderId }) => ids.has(orderId))).toEqual([]);

    expect((await say('status', 'for-vault')).text).toContain(name);
    const listed = JSON.parse((await say('runs', '--json')).text).runs as readonly Record<string, unknown>[];
    const accounts = new Map(listed.map((run) => [run['name'], run['account']]));
    expect([accounts.get('for-vault'), accounts.get('own')]).toEqual([
      name,
      `${account.address.toLowerCase()}/0`,
    ]);
    await until('a fill of the vault', async () => nonEmpty(await vaults.history('fills')), WITHIN);

    // What is asked of the one is not done to the other.
    expect((await say('pause', 'for-vault', '--reason', 'drill')).code).toBe(0);
    expect((await say('cancel-all', 'for-vault', '--reason', 'drill')).code).toBe(0);
    await until(
      'the vault to have no order',
      async () => ((await vaults.openOrders()).length === 0 ? true : undefined),
      WITHIN,
    );
    await quoting(own.reader);
    expect((await say('flatten', 'for-vault', '--reason', 'drill')).code).toBe(0);
    await until(
      'the vault to be flat',
      async () => ((await vaults.positions()).length === 0 ? true : undefined),
      WITHIN,
    );
    for (const { run } of runs) {
      run.signal('SIGTERM');
      const { code } = await run.toEnd(60_000);
      expect([143, 79], run.errors).toContain(code);
      expect(run.errors + run.lines.join('\n')).not.toMatch(/VaultScopeViolation|InvalidRequest/);
    }
    for (const who of ['own', 'for-vault']) {
      const file = join(home, `${who}.attest.json`);
      const attested = await say('attest', who, '--out', file);
      expect(attested.code, attested.errors).toBe(0);
      const verified = await say('attest', 'verify', file);
      expect(verified.code, verified.errors + verified.text).toBe(0);
    }
  },
  300_000,
);

function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}
