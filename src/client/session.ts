/**
 * @module
 * What all parts of a client share: the gateway, the key, and the environment (domain and markets), read once when first
 * needed. Reads are one call with one shape; the positions of own writes go with reads of the account.
 */
import type { SingleLane } from '../bot/execution/index.ts';
import { BotError, type Clock, type Log, type Metrics, type Random } from '../core/index.ts';
import type { Market } from '../domain/index.ts';
import {
  type Crypto,
  type Domain,
  loadCrypto,
  makeDomain,
  parseSecretKey,
  type SecretKey,
} from '../wire/crypto/index.ts';
import { type Gateway, type ReadCall, readExchange, readMarkets } from '../wire/gateway/index.ts';
import { CODEC_VERSION, decodeAnswer, decodePage, type PeopleSchema } from '../wire/protocol/index.ts';
import { ApiError, misused, readError } from './errors.ts';
import { type AccountSelector, type SelectorQuery, selectorOf } from './selection.ts';

/** What a session is made of. */
export interface SessionParts {
  /** Connection to the gateway. */
  readonly gateway: Gateway;
  /** Default account of reads and writes. */
  readonly account: AccountSelector;
  /** The private key that signs, as hex. */
  readonly wallet: string | undefined;
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Random generator; the same seed gives the same run. */
  readonly random: Random;
  /** Receives log lines. */
  readonly log: Log;
  /** Counts operational metrics. */
  readonly meter: Metrics;
  /** Loads signing; `undefined`: viem. */
  readonly crypto: (() => Promise<Crypto>) | undefined;
}

/** The environment as far as signing and streams need it. */
export interface ClientEnvironment {
  /** Chain id and domain as one text: what journals and locks are bound to. */
  readonly id: string;
  /** EIP-712 signing domain. */
  readonly domain: Domain;
  /** Decimals of the collateral; one quantum is 10^-collateralDecimals. */
  readonly collateralDecimals: number;
  /** The market of a symbol; `undefined`: unknown. */
  market(symbol: string): Market | undefined;
  /** The market of a signing id; `undefined`: unknown. */
  marketById(signingMarketId: number): Market | undefined;
}

/** A key with the account it is for. */
export interface Signing {
  /** Signing, recovery and hashing. */
  readonly crypto: Crypto;
  /** Key that signs. */
  readonly key: SecretKey;
}

/** A position in doubt is believed or dropped within this time, or the read fails. */
const DOUBT_MS_MAX = 5_000;
/** Pause between two looks at it. */
const DOUBT_LOOK_MS = 50;

/** One client's hold on one gateway. */
export class Session {
  readonly parts: SessionParts;
  #environment: Promise<ClientEnvironment> | undefined;
  #started: Promise<void> | undefined;
  /** Of each lane that writes: what its answers say of the log. */
  readonly writers: Pick<SingleLane, 'epoch' | 'position'>[] = [];
  #epoch: string | undefined;
  #signing: Promise<Signing> | undefined;

  constructor(parts: SessionParts) {
    this.parts = parts;
  }

  get gateway(): Gateway {
    return this.parts.gateway;
  }

  /** Which ledger is current, as an answer reported: positions of another one mean nothing in it (obligation O20). */
  noteEpoch(epoch: string): void {
    this.#epoch = epoch;
  }

  /**
   * A read of an account that includes what this client has written, unless the caller names a position. When no
   * replica comes that far, the position may be a number that no log of the exchange goes to, which its lane finds out
   * by the exchange's lists; or the ledger may have been restarted. Then it means nothing and is dropped.
   */
  async readOwn<T>(call: ReadCall, shape: PeopleSchema<T>, asked: bigint | undefined): Promise<T> {
    const minSeq = asked ?? this.#ownSeq;
    try {
      return await this.read({ ...call, minSeq }, shape);
    } catch (thrown) {
      const isBehind = thrown instanceof ApiError && thrown.status === 412;
      if (!isBehind || asked !== undefined) throw thrown;
      if (!(await this.#isRefuted(minSeq)) && !(await this.#hasNewLedger())) throw thrown;
      return await this.read({ ...call, minSeq: this.#ownSeq }, shape);
    }
  }

  /** What reads must have reached; `undefined` before the first write in the current ledger. */
  get #ownSeq(): bigint | undefined {
    return this.writers
      .filter(({ epoch }) => epoch === '' || epoch === this.#epoch)
      .map(({ position }) => position.newest)
      .reduce((a, b) => (b === undefined || (a !== undefined && a > b) ? a : b), undefined);
  }

  /** Waits until no lane is in doubt of its position. True if the newest is less than `seq` then. */
  async #isRefuted(seq: bigint | undefined): Promise<boolean> {
    const { clock } = this.parts;
    const untilMs = clock.monotonicMs() + DOUBT_MS_MAX;
    while (this.writers.some(({ position }) => position.isInDoubt) && clock.monotonicMs() < untilMs)
      await new Promise<void>((resolve) => clock.after(DOUBT_LOOK_MS, resolve));
    const newest = this.#ownSeq;
    return seq !== undefined && newest !== undefined && newest < seq;
  }

  async #hasNewLedger(): Promise<boolean> {
    const page = { endpoint: 'events', query: { limit: 1 } } as const;
    const { epoch } = await this.gateway.reader.read(page, decodePage).catch((thrown: unknown) => {
      throw readError(thrown);
    });
    const isNew = this.#epoch !== undefined && epoch !== this.#epoch;
    if (isNew) this.noteEpoch(epoch);
    return isNew;
  }

  /** One read. @throws ApiError, TransportError, ProtocolError */
  async read<T>(call: ReadCall, shape: PeopleSchema<T>): Promise<T> {
    try {
      return await this.gateway.reader.read(call, (json, seq) => decodeAnswer(shape, json, seq));
    } catch (thrown) {
      throw readError(thrown);
    }
  }

  /** The query of an account, with the client's own one for what is left out. */
  async select(selector: AccountSelector): Promise<SelectorQuery> {
    return selectorOf(selector, await this.ownAccount());
  }

  /** The account that the client was made for: the one it was given, or the main account of its key. */
  async ownAccount(): Promise<AccountSelector> {
    const { account, wallet } = this.parts;
    if (account.address !== undefined || wallet === undefined) return account;
    const { key } = await this.signing();
    return { ...account, address: key.address };
  }

  /** The signing key. @throws ClientUsageError without one. */
  signing(): Promise<Signing> {
    this.#signing ??= this.#loadKey();
    return this.#signing;
  }

  /** Domain and markets, read once; asked for again after a failure. */
  environment(): Promise<ClientEnvironment> {
    this.#environment ??= this.#open().catch((thrown: unknown) => {
      this.#environment = undefined;
      throw readError(thrown);
    });
    return this.#environment;
  }

  async #loadKey(): Promise<Signing> {
    if (this.parts.wallet === undefined) throw walletMissing();
    const crypto = await (this.parts.crypto?.() ?? loadCrypto());
    return { crypto, key: parseSecretKey(crypto, this.parts.wallet) };
  }

  async #open(): Promise<ClientEnvironment> {
    const crypto = await (this.parts.crypto?.() ?? loadCrypto());
    this.#started ??= this.gateway.start().catch((thrown: unknown) => {
      this.#started = undefined;
      throw thrown;
    });
    await this.#started;
    const info = await readExchange(this.gateway.reader);
    if (info.codecVersion !== undefined && info.codecVersion !== CODEC_VERSION)
      throw foreignCodec(info.codecVersion);
    const { markets } = await readMarkets(this.gateway.reader, info.collateralDecimals);
    const bySymbol = new Map<string, Market>(markets.map((market) => [market.symbol, market]));
    const byId = new Map(markets.map((market) => [market.signingMarketId, market]));
    const { collateralDecimals } = info;
    const { name, version, verifyingContract } = info.domain;
    return {
      id: `${info.chainId} ${name} ${version} ${verifyingContract}`,
      domain: makeDomain(crypto, info.domain),
      collateralDecimals,
      market: (symbol) => bySymbol.get(symbol),
      marketById: (id) => byId.get(id),
    };
  }
}

function walletMissing() {
  return misused({
    code: 'CLIENT_WALLET_MISSING',
    message: 'expected a wallet, got none',
    remedy: 'Give `wallet`, a private key, to createClient: reads need none, writes do.',
  });
}

function foreignCodec(version: number): BotError {
  return new BotError({
    code: 'CLIENT_CODEC_UNSUPPORTED',
    message: `expected canonical bytes of version ${CODEC_VERSION}, the exchange speaks version ${version}`,
    remedy: 'Every signature would be refused: use a version of ballast that knows this codec.',
  });
}
