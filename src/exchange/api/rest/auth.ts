/**
 * @module The signature check of a write. The command is rebuilt from the JSON and encoded again: JSON and signed bytes
 * must say the same, or the recovered address is another one (exchange.md#signing). Grants and nonces are the kernel's,
 * in `state`.
 */
import { parseJson, toHex } from '../../../core/index.ts';
import type { Address, Market, MarketSymbol, RequestId } from '../../../domain/index.ts';
import {
  type AgentExecDigest,
  type Crypto,
  type Domain,
  makeAgentExecDigest,
  makeDomain,
  type StructHasher,
  structHasher,
} from '../../../wire/crypto/index.ts';
import {
  type Envelope,
  hashCommand,
  mainWalletMessage,
  openEnvelope,
  readWrite,
  takesVaultIdentity,
  vaultNumber,
  type WriteContext,
} from '../../../wire/protocol/index.ts';
import type {
  ExchangeDomain,
  ExchangeState,
  Operation,
  QuirkSwitches,
  ResolvedSettings,
  VerifiedRequest,
} from '../../state/index.ts';
import type { Refusal } from './answer.ts';

/** A write that may be put into the log, with the wallet whose budget it is charged to. */
export interface AuthenticatedWrite {
  /** The signed request. */
  readonly request: VerifiedRequest;
  /** Wallet whose budget the write is charged to. */
  readonly wallet: Address;
}

const NO_VAULT: Refusal = { code: 'NotFound', message: 'no such vault' };

/** A signer that is remembered: one text for all of its writes, and its bytes. */
interface Signer {
  readonly address: Address;
  readonly bytes: Uint8Array;
}

/** Signers that are remembered. */
const SIGNERS_MAX = 10_000;

/** Checks writes for one signing domain. */
export class Authenticator {
  readonly #crypto: Crypto;
  readonly #settings: ResolvedSettings;
  readonly #quirks: QuirkSwitches;
  readonly #source: { readonly state: ExchangeState };
  #domain: Domain;
  #agentExecDigest: AgentExecDigest;
  readonly #structHashers = new Map<string, StructHasher>();
  readonly #signers = new Map<string, Signer>();
  readonly #context: ReadingContext;

  constructor(parts: {
    crypto: Crypto;
    settings: ResolvedSettings;
    /** Where the newest state is. */
    source: { readonly state: ExchangeState };
    quirks: QuirkSwitches;
  }) {
    this.#quirks = parts.quirks;
    this.#crypto = parts.crypto;
    this.#settings = parts.settings;
    this.#source = parts.source;
    this.#domain = makeDomain(parts.crypto, parts.settings.domain);
    this.#agentExecDigest = makeAgentExecDigest(parts.crypto, this.#domain, parts.settings.structs.AgentExec);
    this.#context = new ReadingContext(parts.settings, parts.source);
  }

  /** Signatures are over this domain from now on. */
  setDomain(domain: ExchangeDomain): void {
    this.#domain = makeDomain(this.#crypto, domain);
    this.#agentExecDigest = makeAgentExecDigest(this.#crypto, this.#domain, this.#settings.structs.AgentExec);
  }

  /** The write in `text`, posted to `path` (without query), or why it is refused before the log. */
  authenticate(path: string, text: string): AuthenticatedWrite | Refusal {
    const json = parse(text);
    if (json === undefined) return { code: 'InvalidRequest', message: 'expected a JSON body' };
    const opened = openEnvelope(json);
    if ('problem' in opened) return opened.problem;
    const { envelope, business } = opened;
    const account = this.#accountOf(path, envelope);
    if (typeof account === 'object') return account;
    this.#context.signingAccountId = account;
    const read = readWrite(path, business, this.#context);
    if ('problem' in read) return read.problem;
    const { canonical } = read;
    if ('vault' in canonical && this.#source.state.vaults.byId(canonical.vault) === undefined)
      return NO_VAULT;
    return this.#verify(envelope, canonical, read.clientOrderIds);
  }

  /** The number of the account that a write is for: of a vault, or of the wallet that is named. */
  #accountOf(path: string, { vault, account, subaccount = 0 }: Envelope): number | Refusal {
    const { registry, vaults } = this.#source.state;
    if (vault === undefined)
      return (
        registry.find(account, subaccount)?.id ?? {
          code: 'UnknownTrader',
          message: 'unknown trader (deposit first)',
        }
      );
    if (!takesVaultIdentity(path))
      return {
        code: 'VaultScopeViolation',
        message: 'the vault identity is not accepted for this operation',
      };
    return vaults.byId(vaultNumber(vault) ?? -1)?.id ?? NO_VAULT;
  }

  /**
   * The request that the owner of an account would have signed, without a signature: for a host that holds the keys it
   * made itself.
   */
  ownersRequest(operation: Operation, owner: Address, nonce: bigint): VerifiedRequest {
    const digest = this.#walletDigest(operation, { account: owner, nonce });
    const requestId = this.#requestId(owner, digest);
    return { requestId, signer: owner, isAgent: false, nonce, operation, clientOrderIds: [] };
  }

  /** The same for an API wallet; `undefined` when that cannot carry the operation. */
  agentsRequest(operation: Operation, agent: Address, nonce: bigint): VerifiedRequest | undefined {
    const digest = this.#agentDigest(operation, { nonce });
    if (digest === undefined) return undefined;
    const requestId = this.#requestId(agent, digest);
    return { requestId, signer: agent, isAgent: true, nonce, operation, clientOrderIds: [] };
  }

  #verify(
    envelope: Envelope,
    operation: Operation,
    clientOrderIds: readonly (string | undefined)[],
  ): AuthenticatedWrite | Refusal {
    const isAgent = envelope.signer !== undefined;
    const signer = this.#signer(envelope.signer ?? envelope.account).address;
    const digest = isAgent ? this.#agentDigest(operation, envelope) : this.#walletDigest(operation, envelope);
    if (digest === undefined)
      return { code: 'AgentScopeViolation', message: 'an API wallet cannot manage grants or accounts' };
    if (this.#settings.checksSignatures && this.#crypto.recoverAddress(digest, envelope.signature) !== signer)
      return { code: 'GatewayBadSignature', message: 'the signature is not one of the named signer' };
    const requestId = this.#requestId(signer, digest);
    const request = { requestId, signer, isAgent, nonce: envelope.nonce, operation, clientOrderIds };
    return { request, wallet: envelope.account };
  }

  /** `undefined` when the operation is none that AgentExec can carry. */
  #agentDigest(operation: Operation, { nonce }: Pick<Envelope, 'nonce'>): Uint8Array | undefined {
    switch (operation.kind) {
      case 'ApproveAgent':
      case 'RevokeAgent':
      case 'CreateSubaccount':
      case 'CreateVault':
      case 'ClaimVault':
      case 'DepositVault':
      case 'RedeemVault':
      case 'ConfigureVault':
        return undefined;
      default:
        return this.#agentExecDigest(hashCommand(this.#crypto, operation), nonce);
    }
  }

  #walletDigest(operation: Operation, { account, nonce }: Pick<Envelope, 'account' | 'nonce'>): Uint8Array {
    const context = { owner: account, nonce, hasher: this.#crypto, structs: this.#settings.structs };
    const { typeString, values } = mainWalletMessage(operation, context);
    let hasher = this.#structHashers.get(typeString);
    if (hasher === undefined) {
      hasher = structHasher(this.#crypto, typeString);
      this.#structHashers.set(typeString, hasher);
    }
    return this.#domain.digest(hasher.hash(values));
  }

  /**
   * A drawn id is hashed once more with what no client knows: the same bytes keep their id, no client can predict it.
   */
  #requestId(signer: Address, digest: Uint8Array): RequestId {
    const id = this.#settings.requestIdOf(this.#crypto, this.#signer(signer).bytes, digest);
    if (this.#quirks.takes('A1', 'digest')) return id;
    return toHex(
      this.#crypto.keccak256(Buffer.from(`drawn by ${this.#source.state.epoch} for ${id}`)),
    ) as RequestId;
  }

  #signer(address: Address): Signer {
    let signer = this.#signers.get(address);
    if (signer === undefined) {
      if (this.#signers.size >= SIGNERS_MAX) this.#signers.clear();
      signer = { address, bytes: Buffer.from(address.slice(2), 'hex') };
      this.#signers.set(address, signer);
    }
    return signer;
  }
}

/** What bodies are read with: the current markets. One for all of them, since reading is synchronous. */
class ReadingContext implements WriteContext {
  signingAccountId = 0;
  readonly #source: { readonly state: ExchangeState };
  readonly #bySymbol = new Map<string, number>();
  readonly #ids = new Set<number>();

  constructor({ markets }: ResolvedSettings, source: { readonly state: ExchangeState }) {
    this.#source = source;
    for (const { market } of markets) {
      this.#bySymbol.set(market.symbol, market.signingMarketId);
      this.#ids.add(market.signingMarketId);
    }
  }

  market(symbol: MarketSymbol): Market | undefined {
    const id = this.#bySymbol.get(symbol);
    return id === undefined ? undefined : this.#source.state.venue.market(id);
  }

  marketById(id: number): Market | undefined {
    return this.#ids.has(id) ? this.#source.state.venue.market(id) : undefined;
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
