/**
 * Signs the bodies that a fuzzer makes up, as a client with money would: names of markets are made real, numbers are put
 * on their steps, nonces are the next ones. What was made up to break the document stays as it is.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { fromHex, isRecord, must, type Random, seededRandom } from '../../../src/core/index.ts';
import type { Address, CanonicalCommand, Market } from '../../../src/domain/index.ts';
import {
  type Crypto,
  loadCrypto,
  makeAgentExecDigest,
  makeDomain,
  type SecretKey,
  secretKeyOf,
  structHasher,
} from '../../../src/wire/crypto/index.ts';
import {
  composeWrite,
  decodeMarkets,
  encodeCommand,
  mainWalletMessage,
  readWrite,
} from '../../../src/wire/protocol/index.ts';

/** What became of the writes. */
export interface WriteTally {
  posts: number;
  /** Answered by something behind the check of the signature. */
  passed: number;
  byStatus: Record<string, number>;
}

/** An account with its API wallet, as the control makes them. */
export interface FuzzAccount {
  readonly address: string;
  readonly privateKey: string;
  readonly accountId: number;
  readonly apiWallets: readonly { readonly address: string; readonly privateKey: string }[];
}

type Body = Record<string, unknown>;

const DECIMAL = /^[0-9]+(?:\.[0-9]+)?$/;
/** Operations that the main wallet alone signs. */
const MAIN_WALLET_ONLY = /^\/v1\/(?:account\/(?:agents|subaccounts)|vaults)/;
/** Parts of the envelope as they must look; others were made up to break the document. */
const ENVELOPE_FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  account: (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value),
  signer: (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value),
  signature: (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{130}$/.test(value),
  nonce: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  subaccount: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

/** Signs for one account. */
export class FuzzSigner {
  readonly tally: WriteTally = { posts: 0, passed: 0, byStatus: {} };
  readonly #baseUrl: string;
  readonly #account: FuzzAccount;
  readonly #crypto: Crypto;
  readonly #domain: ReturnType<typeof makeDomain>;
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #random: Random;

  private constructor(parts: {
    baseUrl: string;
    account: FuzzAccount;
    crypto: Crypto;
    domain: ReturnType<typeof makeDomain>;
    markets: ReadonlyMap<string, Market>;
    seed: number;
  }) {
    this.#baseUrl = parts.baseUrl;
    this.#account = parts.account;
    this.#crypto = parts.crypto;
    this.#domain = parts.domain;
    this.#markets = parts.markets;
    this.#random = seededRandom(parts.seed);
  }

  static async open(baseUrl: string, account: FuzzAccount, seed: number): Promise<FuzzSigner> {
    const crypto = await loadCrypto();
    const exchange = await get(`${baseUrl}/v1/exchange`);
    const domain = makeDomain(crypto, exchange['domain'] as Parameters<typeof makeDomain>[1]);
    const { body } = await request(`${baseUrl}/v1/markets`);
    const table = decodeMarkets(await body.text(), 6);
    if (!table.ok) throw new Error('expected a market table');
    const markets = new Map(table.value.markets.map((market) => [market.symbol as string, market]));
    return new FuzzSigner({ baseUrl, account, crypto, domain, markets, seed });
  }

  /** The body with a true envelope; null when no command can be read from it. */
  async sign(path: string, given: Body, isPositive: boolean): Promise<Body | null> {
    const { account, nonce, signature, signer, subaccount, vault, ...business } = given;
    const envelope = { account, nonce, signature, signer, subaccount, vault };
    if (!isPositive && Object.keys(ENVELOPE_FORMS).some((key) => isBroken(key, given))) return null;
    if (!isPositive && vault !== undefined) return null;
    const isAgent =
      !MAIN_WALLET_ONLY.test(path) && (isPositive ? this.#random.chance(0.7) : signer !== undefined);
    const wallet = isAgent ? must(this.#account.apiWallets[0], 'an API wallet') : this.#account;
    const tries = isPositive
      ? [this.#repaired(business) as Body, plain(this.#repaired(business) as Body)]
      : [business];
    const [told = business, read] = tries
      .map((body) => [body, this.#read(path, body)] as const)
      .find(([, one]) => !('problem' in one)) ?? [tries[0], undefined];
    if (read === undefined || 'problem' in read) return isPositive ? { ...told, ...defined(envelope) } : null;
    const next = await get(
      `${this.#baseUrl}/v1/account/nonce?address=${this.#account.address}${isAgent ? `&signer=${wallet.address}` : ''}`,
    );
    const taken = BigInt(next['nonce'] as number);
    const digest = isAgent
      ? makeAgentExecDigest(this.#crypto, this.#domain)(
          this.#crypto.keccak256(encodeCommand(read.canonical as CanonicalCommand)),
          taken,
        )
      : this.#mainDigest(read.canonical, taken);
    const text = composeWrite(told, {
      account: this.#account.address as Address,
      nonce: taken,
      signature: this.#crypto.sign(digest, keyOf(this.#crypto, wallet.privateKey)),
      ...(isAgent ? { signer: wallet.address as Address } : {}),
    });
    return JSON.parse(text) as Body;
  }

  #read(path: string, body: Body): ReturnType<typeof readWrite> {
    return readWrite(path, body, {
      signingAccountId: this.#account.accountId,
      market: (symbol) => this.#markets.get(symbol),
      marketById: () => undefined,
    });
  }

  #mainDigest(canonical: Parameters<typeof mainWalletMessage>[0], nonce: bigint): Uint8Array {
    const owner = this.#account.address as Address;
    const message = mainWalletMessage(canonical, { owner, nonce, hasher: this.#crypto });
    return this.#domain.digest(structHasher(this.#crypto, message.typeString).hash(message.values));
  }

  /** Names of markets and decimals as this exchange has them; seldom left as they were made up. */
  #repaired(value: unknown, key = '', decimals: readonly [number, number] = [1, 3]): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#repaired(item, key, decimals));
    if (isRecord(value)) {
      const symbol = 'symbol' in value ? this.#symbol() : undefined;
      const market = symbol === undefined ? undefined : this.#markets.get(symbol);
      const inner: readonly [number, number] =
        market === undefined ? decimals : [market.priceDecimals, market.sizeDecimals];
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          name === 'symbol' ? symbol : this.#repaired(item, name, inner),
        ]),
      );
    }
    if (/Ms$|At$/.test(key) && typeof value === 'number') return value % 4_000_000_000_000;
    if (typeof value !== 'string' || !DECIMAL.test(value)) return value;
    const places = /price|trigger|limit/i.test(key) ? decimals[0] : /size|lots/i.test(key) ? decimals[1] : 6;
    const [whole = '0', part = ''] = value.split('.');
    const short = `${whole.slice(-5).replace(/^0+(?=.)/, '')}.${part.slice(0, places)}`.replace(/\.$/, '');
    return /[1-9]/.test(short) ? short : '1';
  }

  #symbol(): string {
    return this.#random.chance(0.05) ? 'NONE-USD' : this.#random.chance(0.5) ? 'BTC-USD' : 'ETH-USD';
  }

  /** The id of a vault that is there, as soon as there is one. */
  async vault(): Promise<string> {
    const { vaults } = await get(`${this.#baseUrl}/v1/vaults`);
    const ids = Array.isArray(vaults) ? vaults.map((one: Body) => String(one['id'])) : [];
    return ids[this.#random.integer(0, Math.max(0, ids.length - 1))] ?? '1';
  }

  /** Counts an answer to a write. */
  see(status: number, text: string): void {
    this.tally.posts++;
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
    const isBefore = status === 400 || status === 404 || status === 405 || code === 'GatewayBadSignature';
    if (!isBefore) this.tally.passed++;
    const key = `${status} ${code}`.trim();
    this.tally.byStatus[key] = (this.tally.byStatus[key] ?? 0) + 1;
  }

  /** Answers the hooks on loopback. */
  serve(): Promise<{ readonly url: string; readonly server: Server }> {
    const server = createServer((asking, response) => {
      const chunks: Buffer[] = [];
      asking.on('data', (chunk: Buffer) => chunks.push(chunk));
      asking.on('end', () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString()) as Body;
        const answer = (body: object): void => void response.end(JSON.stringify(body));
        if (asking.url === '/seen') {
          this.see(asked['status'] as number, String(asked['text']));
          answer({});
          return;
        }
        if (asking.url === '/vault') {
          this.vault().then(
            (id) => answer({ id }),
            () => answer({ id: '1' }),
          );
          return;
        }
        this.sign(String(asked['path']), asked['body'] as Body, asked['isPositive'] === true).then(
          (body) => answer({ body }),
          (thrown: unknown) => {
            process.stderr.write(`signer: ${String(thrown)}\n`);
            answer({ body: null });
          },
        );
      });
    });
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }),
      );
    });
  }
}

function isBroken(key: string, body: Body): boolean {
  const isThere = Object.hasOwn(body, key);
  if (!isThere) return key !== 'signer' && key !== 'subaccount';
  return ENVELOPE_FORMS[key]?.(body[key]) !== true;
}

/** Without what may stand in some bodies only: routers, expiries and triggers. */
function plain({ router, routerFeePpm, expiresAt, ...body }: Body): Body {
  const orders = body['orders'];
  if (!Array.isArray(orders)) return body;
  const bare = orders.map((order: Body) => {
    const { trigger, ...rest } = order;
    return rest;
  });
  return { ...body, orders: bare };
}

function defined(values: Body): Body {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function keyOf(crypto: Crypto, privateKey: string): SecretKey {
  return secretKeyOf(crypto, fromHex(privateKey as `0x${string}`, 32));
}

async function get(url: string): Promise<Body> {
  const { body } = await request(url);
  return (await body.json()) as Body;
}
