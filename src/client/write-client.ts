/**
 * @module
 * Where writes of a client begin: finds the account they are for, its number and its nonce scope, and hands them to the
 * line of that scope. One lane per scope: an API wallet has one for all accounts it acts for, a main wallet one for
 * each account (openapi.yaml).
 */

import { type CommandSigner, createSingleLane, type WriteTarget } from '../bot/execution/index.ts';
import { BotError, type UnixMs } from '../core/index.ts';
import type { Address, Fact, LaneCommand, LaneId } from '../domain/index.ts';
import { createApiWallet, createMainWalletSigner, digestByViem } from '../wire/gateway/index.ts';
import { NONCE, type StructTable, takesVaultIdentity, type WriteContext } from '../wire/protocol/index.ts';
import { ClientUsageError, misused } from './errors.ts';
import type { ClientJournal } from './journal.ts';
import { LanePipe } from './pipe.ts';
import { ScopeLane } from './scope-lane.ts';
import { type AccountSelector, type SelectorQuery, selectorOf } from './selection.ts';
import type { ClientEnvironment, Session, Signing } from './session.ts';
import type { WriteResult } from './write-result.ts';

/** How writes are made. */
export interface WriteSettings {
  /** Response to wait for. */
  readonly ack: 'result' | 'sequenced';
  /** Time until an open write is handed back as unresolved, ms. */
  readonly resolveWithinMs: number;
  /** Typed data of an operator document; `undefined`: the built-in ones. */
  readonly structs: StructTable | undefined;
  /** Journal of nonces. */
  readonly journal: ClientJournal;
}

/** Options of every write. */
export interface WriteOptions extends Omit<AccountSelector, 'address'> {
  /** Position of the API wallet's approval, for its first write (openapi.yaml). */
  readonly minSeq?: bigint | undefined;
}

/** What a write is planned with. */
export interface WritePlan {
  /** Domain, markets and decimals of the exchange. */
  readonly environment: ClientEnvironment;
  /** Nonce scope, account and signer of the write. */
  readonly context: WriteContext;
  /** The exchange's time. */
  readonly nowMs: UnixMs;
}

/** An account as writes see it. */
interface Identity {
  readonly selector: SelectorQuery;
  readonly target: WriteTarget;
  readonly scope: string;
  readonly isMainWallet: boolean;
}

/** Makes writes. */
export class WriteClient {
  readonly #session: Session;
  readonly #settings: WriteSettings;
  readonly #identities = new Map<string, Promise<Identity>>();
  readonly #lanes = new Map<string, Promise<ScopeLane>>();
  readonly #open: { dispose(): void; close(): void }[] = [];
  #isClosed = false;

  constructor(session: Session, settings: WriteSettings) {
    this.#session = session;
    this.#settings = settings;
  }

  /**
   * Plans and sends a write. `mainWallet`: only a main wallet may do it.
   * @throws ApiError, TransportError, UnresolvedWriteError; ClientUsageError before anything was sent
   */
  async write(
    options: WriteOptions,
    plan: (plan: WritePlan) => LaneCommand,
    who: 'any' | 'mainWallet' = 'any',
  ): Promise<WriteResult> {
    if (this.#isClosed)
      throw misused({
        code: 'CLIENT_CLOSED',
        message: 'expected an open client, it was closed',
        remedy: 'Make a new one.',
      });
    const environment = await this.#session.environment();
    const identity = await this.#identityOf(options);
    if (who === 'mainWallet' && !identity.isMainWallet) throw mainWalletNeeded();
    const nowMs = this.#session.gateway.serverClock.serverNowMs();
    const command = planned(() => plan({ environment, context: identity.target.context, nowMs }));
    if (identity.target.vault !== undefined) checkVaultScope(command);
    const lane = await this.#laneOf(identity);
    return await lane.write({ command, target: identity.target, minSeq: options.minSeq });
  }

  /** Ends all lanes at once; what is open stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const lane of this.#open) {
      lane.dispose();
      lane.close();
    }
    await this.#settings.journal.close();
  }

  async #identityOf({ subaccount, vault }: AccountSelector): Promise<Identity> {
    const own = await this.#session.ownAccount();
    const selector = selectorOf({ subaccount, vault }, own);
    const key = JSON.stringify(selector);
    const known = this.#identities.get(key);
    if (known !== undefined) return known;
    const found = this.#readIdentity(selector, own);
    this.#identities.set(key, found);
    found.catch(() => this.#identities.delete(key));
    return found;
  }

  async #readIdentity(selector: SelectorQuery, own: AccountSelector): Promise<Identity> {
    const session = this.#session;
    const { key } = await session.signing();
    const environment = await session.environment();
    // Of a vault the account is its manager's main wallet: the client's own (openapi.yaml).
    const address = ('vault' in selector ? (own.address ?? key.address) : selector.address) as Address;
    const isMainWallet = key.address === address.toLowerCase();
    const query = { ...selector, ...(isMainWallet ? {} : { signer: key.address }) };
    const { signingAccountId, scope } = await session.readOwn({ endpoint: 'nonce', query }, NONCE, undefined);
    const expected = isMainWallet ? /^account:/ : new RegExp(`^agent:${key.address}$`, 'i');
    if (!expected.test(scope)) throw foreignScope(scope, key.address);
    return {
      selector,
      scope,
      isMainWallet,
      target: {
        account: { address, subaccount: 'vault' in selector ? 0 : selector.subaccount },
        ...('vault' in selector ? { vault: selector.vault } : {}),
        context: {
          signingAccountId,
          market: (symbol) => environment.market(symbol),
          marketById: (id) => environment.marketById(id),
        },
      },
    };
  }

  async #laneOf(identity: Identity): Promise<ScopeLane> {
    const { scope } = identity;
    const known = this.#lanes.get(scope);
    if (known !== undefined && !(await known).isOver) return known;
    // Two writes may have found the same lane over: the first one replaces it.
    const current = this.#lanes.get(scope);
    if (current !== undefined && current !== known) return current;
    const opening = this.#openLane(identity);
    this.#lanes.set(scope, opening);
    opening.catch(() => this.#lanes.delete(scope));
    return opening;
  }

  async #openLane(identity: Identity): Promise<ScopeLane> {
    const session = this.#session;
    const { clock, random, log } = session.parts;
    const { ack, resolveWithinMs, journal } = this.#settings;
    const signing = await session.signing();
    const environment = await session.environment();
    const signer = this.#signerOf(identity, signing, environment);
    const pipe = new LanePipe({
      gateway: session.gateway,
      selector: identity.selector,
      signer: identity.isMainWallet ? undefined : signer.address,
      ack,
    });
    const line = new ScopeLane({ clock, pipe, resolveWithinMs });
    const lane = createSingleLane({
      ...identity.target,
      id: identity.scope as LaneId,
      scope: identity.scope,
      signer,
      clock,
      random: random.fork(identity.scope),
      log,
      pipe,
      journal: await journal.open(session, identity.scope),
      sink: (fact: Fact) => line.onFact(fact),
      onOutcome: (outcome) => line.onOutcome(outcome),
      serverNowMs: () => session.gateway.serverClock.serverNowMs(),
      fence: () => EMPTY_REPLACE,
      onIdle: () => line.pump(),
      onEpoch: (epoch) => {
        session.noteEpoch(epoch);
        // Numbers of accounts are those of a ledger.
        this.#identities.clear();
      },
      onBug: (error) => line.onBug(error),
    });
    session.writers.push(lane);
    this.#open.push({ dispose: () => lane.dispose(), close: () => line.close() });
    await lane.open();
    if (lane.epoch !== '') session.noteEpoch(lane.epoch);
    line.attach(lane);
    return line;
  }

  #signerOf(
    { isMainWallet }: Identity,
    { crypto, key }: Signing,
    { domain }: ClientEnvironment,
  ): CommandSigner {
    const { structs } = this.#settings;
    if (isMainWallet)
      return createMainWalletSigner({ crypto, key, domain, structs, digestStruct: digestByViem(domain) });
    return createApiWallet({
      crypto,
      key,
      domain,
      ...(structs === undefined ? {} : { typeString: structs.AgentExec }),
    });
  }
}

/**
 * What consumes a nonce whose write is unresolved: a replacement of nothing by nothing. A bot's fence repeats its dead
 * man's switch, which a client of people does not have; any trigger it invented would cancel orders that rest on
 * purpose (docs/decisions/0002). It carries the time, so no two are the same request.
 */
const EMPTY_REPLACE: LaneCommand = {
  kind: 'replace',
  symbol: '' as Extract<LaneCommand, { kind: 'replace' }>['symbol'],
  cancels: [],
  orders: [],
};

/** What `plan` makes. A value that the protocol refuses is refused as the caller's: nothing was sent. @throws ClientUsageError */
function planned(plan: () => LaneCommand): LaneCommand {
  try {
    return plan();
  } catch (thrown) {
    if (!(thrown instanceof BotError) || thrown instanceof ClientUsageError) throw thrown;
    throw misused({
      code: 'CLIENT_FIELD_INVALID',
      message: thrown.message,
      remedy: 'docs/reference/client.md has a table of types for each call.',
    });
  }
}

/** A vault trades and no more: TWAP, TP/SL and grants are not sent for one (obligation O40). @throws ClientUsageError */
function checkVaultScope(command: LaneCommand): void {
  if (command.kind !== 'operation' || takesVaultIdentity(command.path)) return;
  throw misused({
    code: 'CLIENT_VAULT_SCOPE',
    message: `expected a write that a vault may make, got POST ${command.path}`,
    remedy: 'Name an account for it: a vault trades and sets its switch and leverage.',
  });
}

function mainWalletNeeded() {
  return misused({
    code: 'CLIENT_MAIN_WALLET_NEEDED',
    message: 'expected the key of the main wallet, got an API wallet',
    remedy: 'Only the main wallet may do this: make a client with its key.',
  });
}

function foreignScope(scope: string, address: string) {
  return misused({
    code: 'CLIENT_SCOPE_MISMATCH',
    message: `expected a nonce scope of ${address}, got ${scope}`,
    remedy: 'The gateway answers for another scope than was asked for: do not sign with it.',
  });
}
