/** A live bot whose keys are behind a service: it trades, stands still by name while the service is gone, and trades again. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadCrypto, parseSecretKey } from '../../src/wire/crypto/index.ts';
import { LiveRig, type RigBot } from '../support/live-rig.ts';
import { until } from '../support/processes.ts';
import { startSignerService } from '../support/signer-service.ts';

const isLinux = process.platform === 'linux';
const withinMs = 90_000;
let rig: LiveRig;

beforeAll(async () => {
  if (isLinux) rig = await LiveRig.start({ seed: 61, accounts: 1 });
});

afterAll(async () => {
  await rig?.end();
});

/** What the door of the only run of `bot` answers; `undefined`: it does not. */
// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
async function statusOf(bot: RigBot, path = '/status'): Promise<any> {
  try {
    const folder = join(bot.folder, 'tapes');
    const [run = ''] = readdirSync(folder);
    const { baseUrl, token } = JSON.parse(readFileSync(join(folder, run, 'control.json'), 'utf8'));
    const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

describe.skipIf(!isLinux)('a bot whose signer is a service', () => {
  test('trades, pulls its quotes and says why while the service is gone, and trades again with it', async () => {
    const crypto = await loadCrypto();
    const keys = [0, 1].map(() => parseSecretKey(crypto, `0x${randomBytes(32).toString('hex')}`));
    const [maker, guard] = keys;
    if (maker === undefined || guard === undefined) throw new Error('expected two keys');
    const service = await startSignerService(crypto, keys);
    onTestFinished(() => service.close());
    const secrets = mkdtempSync(join(tmpdir(), 'ballast-token-'));
    onTestFinished(() => rmSync(secrets, { recursive: true, force: true }));
    const tokenFile = join(secrets, 'token');
    writeFileSync(tokenFile, 'a-token-that-nobody-sees\n', { mode: 0o600 });
    const signer = (address: string) => ({ url: `${service.url}/${address}`, tokenFile, address });
    const wallets = [
      { name: 'maker', signer: signer(maker.address) },
      { name: 'guard', role: 'safety', signer: signer(guard.address) },
    ];
    const account = rig.takeAccount();
    const bot = rig.unapprovedBot('served', account, {
      wallets,
      record: { enabled: true, folder: 'tapes' },
    });
    await bot.approve();
    const run = bot.run();
    await bot.quoting(run);
    const up = await until(
      'the signers to be told',
      async () => {
        const status = await statusOf(bot);
        return status?.signers?.length === 2 ? status : undefined;
      },
      { withinMs },
    );
    expect(up.signers).toMatchObject([{ wallet: 'maker' }, { wallet: 'guard' }]);
    expect(up.signers[0].signed).toBeGreaterThan(0);
    expect(service.asked.every((one) => one.authorization === 'Bearer a-token-that-nobody-sees')).toBe(true);

    service.behave((_one, response) => void response.writeHead(503).end());
    const halted = await until(
      () => `the lane to be halted by name\n${run.errors}`,
      async () => {
        const status = await statusOf(bot);
        const isNamed = JSON.stringify(status?.halts ?? '').includes('SIGNER_UNAVAILABLE');
        return isNamed && status.signers[0].kind === 'down' ? status : undefined;
      },
      { withinMs },
    );
    expect(halted.signers[0].why).toContain('503');
    expect((await statusOf(bot, '/health'))?.signers).toBeInstanceOf(Array);
    // Neither wallet can cancel: the exchange does, by the switch.
    await until(
      'no order to be open',
      async () => ((await bot.reader.openOrders()).length === 0 ? true : undefined),
      { withinMs },
    );

    service.behave();
    await bot.quoting(run);
    await until(
      () => `the signers to be up\n${run.errors}`,
      async () => {
        const status = await statusOf(bot);
        return status?.signers.every(({ kind }: { readonly kind: string }) => kind !== 'down');
      },
      { withinMs },
    );
    expect(run.errors).not.toContain('a-token-that-nobody-sees');
    run.signal('SIGTERM');
    expect(await run.toEnd(60_000), run.errors).toMatchObject({ signal: null });
    expect(await bot.reader.openOrders()).toEqual([]);
    // Halt and return are in its log: the replay decides as the run did.
    const folder = join(bot.folder, 'tapes');
    const [only = ''] = readdirSync(folder);
    const replayed = (await rig.done(['replay', join(folder, only), '--json'])).document();
    expect(replayed).toMatchObject({ missing: 0 });
    expect(replayed).not.toHaveProperty('divergence');
  });
});
