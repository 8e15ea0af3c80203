/** A gateway that signs other structs than ballast's own: what its document says is what it takes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeGrants, makeKeyFile } from '../../src/bot/live/index.ts';
import { SystemClock, silentLog } from '../../src/core/index.ts';
import { type ServedExchange, serveExchange } from '../../src/exchange/host/index.ts';
import { STRUCTS } from '../../src/wire/protocol/index.ts';

const GRANT = 'Grant(uint64 nonce,address agent,uint64 validUntilMs,address owner,uint32 master)';
let folder: string;
let exchange: ServedExchange;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-document-'));
  exchange = await serveExchange({
    ...{ port: 0, seed: 3, clock: new SystemClock(), log: silentLog, accounts: 1, isQuiet: true },
    ...{ tape: undefined, symbol: undefined },
    settings: { structs: { ...STRUCTS, ApproveAgent: GRANT } },
  });
  await makeKeyFile({ file: join(folder, 'maker.key'), passwordFile: undefined });
  const path = '/v1/account/agents/approve';
  writeFileSync(
    join(folder, 'operator.yaml'),
    `openapi: 3.1.0\npaths: { ${path}: { post: { x-eip712: { typeString: '${GRANT}' } } } }\n`,
  );
});

afterAll(async () => {
  await exchange?.server.close();
  await exchange?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** `ballast keys approve` for the first account of the exchange. */
async function approve(document: string | undefined): Promise<string[]> {
  const account = exchange.accounts[0];
  if (account === undefined) throw new Error('expected an account');
  const config = join(folder, 'bot.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      environment: { name: 'test', baseUrl: exchange.server.baseUrl, openapiFile: document },
      account: { address: account.address },
      wallets: [{ name: 'maker', keyFile: 'maker.key' }],
      markets: [{ symbol: 'BTC-USD' }],
      strategies: [{ name: 'one', module: './one.ts', markets: ['BTC-USD'] }],
      risk: { capital: 1000 },
      log: { level: 'error' },
    }),
  );
  const action = { kind: 'approve', days: 1 } as const;
  return (await changeGrants({ config }, action, async () => account.privateKey)).map(({ name }) => name);
}

test('a grant is signed as the document of the operator says, and refused without it', async () => {
  await expect(approve(undefined)).rejects.toMatchObject({ code: expect.stringMatching(/^GATEWAY_/) });
  expect(await approve('operator.yaml')).toEqual(['maker']);
});
