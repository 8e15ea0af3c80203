/**
 * @module An account that signs: the interface's own way of a write, by hand, with each step open to deviation. It uses
 * the protocol's codecs and nothing of the client, so that it checks a gateway and not our own lanes.
 */
import { fromHex, type Hex, must, toHex } from '../core/index.ts';
import type { Address, CanonicalCommand, Market, MarketSymbol } from '../domain/index.ts';
import {
  type Crypto,
  type DomainFields,
  makeAgentExecDigest,
  makeDomain,
  type SecretKey,
  structHasher,
} from '../wire/crypto/index.ts';
import {
  COMMAND_TAGS,
  composeWrite,
  encodeCommand,
  mainWalletMessage,
  matchEndpoint,
  type ReadWrite,
  readWrite,
  STRUCTS,
  signerAndDigest,
} from '../wire/protocol/index.ts';
import type { ReceivedAnswer } from './answer.ts';
import { answered } from './expect.ts';

/** What a trader works with. */
export interface TraderTools {
  /** Signing, recovery and hashing. */
  readonly crypto: Crypto;
  /** EIP-712 signing domain. */
  readonly domain: DomainFields;
  /** Prefix of the exchange's own headers. */
  readonly headerPrefix: string;
  /** Markets by symbol. */
  readonly markets: ReadonlyMap<string, Market>;
  /** Sends a GET request. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ReceivedAnswer>;
  /** Sends a POST request. */
  post(path: string, body: string, headers?: Readonly<Record<string, string>>): Promise<ReceivedAnswer>;
}

/** The keys of an account. */
export interface TraderKeys {
  /** The main wallet's address, in lower case. */
  readonly address: Address;
  /** Absent: writes of the main wallet cannot be checked. */
  readonly wallet: SecretKey | undefined;
  /** Keys of approved API wallets. */
  readonly apiWallets: readonly SecretKey[];
  /** Number of the subaccount, from 0. */
  readonly subaccount: number;
}

/** How a write deviates from the usual. */
export interface TraderWriteOptions {
  /** Who signs: an API wallet by index (default 0), or the main wallet. */
  readonly by?: number | 'wallet';
  /** Nonce of the write; absent: the next one. */
  readonly nonce?: bigint;
  /** Number of the subaccount; absent: 0. */
  readonly subaccount?: number;
  /** Writes as this vault. */
  readonly vault?: string;
  /** `?ack=sequenced`, for example. */
  readonly query?: string;
  /** Additional HTTP headers; absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs with another key than the named signer's. */
  readonly forgedBy?: SecretKey;
  /** Signs in another domain. */
  readonly domain?: Partial<DomainFields>;
  /** Signs another command than the one the JSON says. */
  readonly alter?: (canonical: ReadWrite['canonical']) => ReadWrite['canonical'];
  /** Signs the struct with this type string. */
  readonly typeString?: string;
  /** Signs this hash instead of the command's. */
  readonly commandHash?: Uint8Array;
  /** Signs another nonce than the envelope's. */
  readonly signedNonce?: bigint;
  /** Names no signer, or this one. */
  readonly signer?: Address | null;
}

/** A signed write and what identifies it. */
export interface SignedWrite {
  /** Path of the request. */
  readonly path: string;
  /** Body as text. */
  readonly body: string;
  /** Id of the write. */
  readonly requestId: Hex;
  /** Nonce of the write. */
  readonly nonce: bigint;
  /** Nonce scope of the write. */
  readonly scope: string;
  /** Hash of the encoded command. */
  readonly commandHash: Hex;
}

/** What was sent and what came back. */
export interface Written {
  /** The request. */
  readonly sent: SignedWrite;
  /** The response. */
  readonly answer: ReceivedAnswer;
}

/** One account with its keys. */
export class Trader {
  readonly keys: TraderKeys;
  /** True once it has signed, any sender may send that: it is cleaned up afterwards. */
  hasWritten = false;
  readonly #tools: TraderTools;
  readonly #nonces = new Map<string, bigint>();
  readonly #ids = new Map<number, number>();
  #lastSeq: string | undefined;

  constructor(tools: TraderTools, keys: TraderKeys) {
    this.#tools = tools;
    this.keys = keys;
  }

  get address(): Address {
    return this.keys.address;
  }

  /** The address of an API wallet. */
  agent(index = 0): Address {
    return must(this.keys.apiWallets[index], 'an API wallet').address as Address;
  }

  /** The query that selects this account. */
  get query(): string {
    const { address, subaccount } = this.keys;
    return `address=${address}${subaccount === 0 ? '' : `&subaccount=${subaccount}`}`;
  }

  /** The subscription parameters that select this account. */
  get selection(): { readonly address: string; readonly subaccount: number } {
    return { address: this.address, subaccount: this.keys.subaccount };
  }

  /** Reads, of this account where the path takes one, with its own writes included (obligation O18). */
  read(path: string): Promise<ReceivedAnswer> {
    const name = `${this.#tools.headerPrefix}min-seq`;
    const [plain = ''] = path.split('?', 1);
    const taken = matchEndpoint('GET', plain)?.endpoint.query ?? [];
    const whose = this.query.split('&').filter((pair) => taken.some((one) => pair.startsWith(`${one}=`)));
    const mark = path.includes('?') ? '&' : '?';
    return this.#tools.get(
      whose.length === 0 ? path : `${path}${mark}${whose.join('&')}`,
      this.#lastSeq === undefined ? {} : { [name]: this.#lastSeq },
    );
  }

  /** The nonce record of a signer's scope. */
  async nonceRecord(
    by: number | 'wallet' = 0,
    subaccount = this.keys.subaccount,
    vault?: string,
  ): Promise<ReceivedAnswer> {
    const signer = by === 'wallet' ? '' : `&signer=${this.agent(by)}`;
    const whose = vault === undefined ? `address=${this.address}&subaccount=${subaccount}` : `vault=${vault}`;
    const min = this.#lastSeq === undefined ? {} : { [`${this.#tools.headerPrefix}min-seq`]: this.#lastSeq };
    return answered(await this.#tools.get(`/v1/account/nonce?${whose}${signer}`, min));
  }

  /** The number of the account inside signed structs. */
  async accountId(subaccount = this.keys.subaccount): Promise<number> {
    const known = this.#ids.get(subaccount);
    if (known !== undefined) return known;
    const { address } = this;
    const answer = await this.#tools.get(`/v1/account/nonce?address=${address}&subaccount=${subaccount}`);
    const id = answered(answer).number('signingAccountId');
    this.#ids.set(subaccount, id);
    return id;
  }

  /** Forgets what it knows of nonces: the next write asks again. */
  forgetNonces(): void {
    this.#nonces.clear();
  }

  /** Signs a write without sending it. */
  async sign(path: string, business: object, options: TraderWriteOptions = {}): Promise<SignedWrite> {
    this.hasWritten = true;
    const { by = 0, subaccount = this.keys.subaccount, vault } = options;
    const account = vault === undefined ? await this.accountId(subaccount) : Number(vault);
    const read = readWrite(path, business, {
      signingAccountId: account,
      market: (symbol: MarketSymbol) => this.#tools.markets.get(symbol),
      marketById: (id: number) =>
        [...this.#tools.markets.values()].find(({ signingMarketId }) => signingMarketId === id),
    });
    const key = by === 'wallet' ? this.keys.wallet : this.keys.apiWallets[by];
    const owner = must(key, 'a key of the signer');
    const scope = by === 'wallet' ? `account:${account}` : `agent:${owner.address}`;
    const nonce = options.nonce ?? (await this.#takeNonce(scope, by, { subaccount, vault }));
    const canonical = 'problem' in read ? undefined : read.canonical;
    const { digest, commandHash } = this.#digest(canonical, { ...options, by, nonce });
    const signature = this.#tools.crypto.sign(digest, options.forgedBy ?? owner);
    const signer = options.signer === undefined && by !== 'wallet' ? owner.address : options.signer;
    return {
      path,
      nonce,
      scope,
      commandHash: toHex(commandHash),
      requestId: signerAndDigest(this.#tools.crypto, fromHex(owner.address, 20), digest),
      body: composeWrite(business as Record<string, unknown>, {
        account: this.address,
        nonce,
        signature,
        ...(vault === undefined ? { subaccount } : { vault }),
        signer: (signer ?? undefined) as Address | undefined,
      }),
    };
  }

  /** Sends a signed write. */
  async send(sent: SignedWrite, options: TraderWriteOptions = {}): Promise<ReceivedAnswer> {
    const answer = await this.#tools.post(`${sent.path}${options.query ?? ''}`, sent.body, options.headers);
    const seq = answer.header(`${this.#tools.headerPrefix}seq`);
    if (seq !== undefined && answer.status < 300) this.#lastSeq = seq;
    // Whatever its outcome: the exchange knows the next nonce.
    if (answer.status !== 200) this.#nonces.delete(sent.scope);
    return answer;
  }

  /** Signs and sends. */
  async write(path: string, business: object, options: TraderWriteOptions = {}): Promise<Written> {
    const sent = await this.sign(path, business, options);
    return { sent, answer: await this.send(sent, options) };
  }

  #digest(
    canonical: ReadWrite['canonical'] | undefined,
    options: TraderWriteOptions & { readonly by: number | 'wallet'; readonly nonce: bigint },
  ): { readonly digest: Uint8Array; readonly commandHash: Uint8Array } {
    const { crypto } = this.#tools;
    const domain = makeDomain(crypto, { ...this.#tools.domain, ...options.domain });
    const nonce = options.signedNonce ?? options.nonce;
    const nothing = new Uint8Array(32);
    // A body that the protocol cannot read is signed over nothing: it is refused before any check.
    if (canonical === undefined) return { digest: crypto.keccak256(nothing), commandHash: nothing };
    const signed = options.alter?.(canonical) ?? canonical;
    if (options.by === 'wallet') {
      const structs =
        options.typeString === undefined ? STRUCTS : { ...STRUCTS, [signed.kind]: options.typeString };
      const context = { owner: this.address, nonce, hasher: crypto, structs };
      const { typeString, values } = mainWalletMessage(signed, context);
      return {
        digest: domain.digest(structHasher(crypto, typeString).hash(values)),
        commandHash: nothing,
      };
    }
    const bytes = signed.kind in COMMAND_TAGS ? encodeCommand(signed as CanonicalCommand) : nothing;
    const commandHash = options.commandHash ?? crypto.keccak256(bytes);
    return {
      digest: makeAgentExecDigest(crypto, domain, options.typeString)(commandHash, nonce),
      commandHash,
    };
  }

  async #takeNonce(
    scope: string,
    by: number | 'wallet',
    { subaccount, vault }: { readonly subaccount: number; readonly vault: string | undefined },
  ): Promise<bigint> {
    const known = this.#nonces.get(scope);
    const nonce = known ?? BigInt((await this.nonceRecord(by, subaccount, vault)).text('nonce'));
    this.#nonces.set(scope, nonce + 1n);
    return nonce;
  }
}
