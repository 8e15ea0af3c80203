/** What `ballast keys approve` is run on: a configuration with one wallet, and a main key in a file that is gone. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ballast } from './ballast-process.ts';

/** A configuration for the gateway at `baseUrl` with one wallet whose key is beside it; gives its path. */
export async function walletConfig(folder: string, baseUrl: string, address: string): Promise<string> {
  await ballast(['keys', 'new', join(folder, 'maker.key')]);
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `environment:
  name: test
  baseUrl: ${baseUrl}
account:
  address: ${address}
wallets:
  - name: maker
    keyFile: maker.key
markets:
  - symbol: BTC-USD
strategies:
  - name: ladder
    module: ./never-loaded.ts
    markets: [BTC-USD]
risk:
  capital: 1000
`,
  );
  return file;
}

/** Runs `use` with the main key in an open file that is gone from its folder. */
export async function withMainKey<T>(
  folder: string,
  key: string,
  use: (descriptor: number) => Promise<T>,
): Promise<T> {
  const file = join(folder, 'main.key');
  writeFileSync(file, key, { mode: 0o600 });
  const descriptor = openSync(file, 'r');
  rmSync(file);
  try {
    return await use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
