/**
 * @module
 * Joins execution with what it is built on: the scope locks, the journal, the wallets' signers and the pipe of writes.
 * Used by every run that signs, and by the doctor.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type Log, type Random, VERSION } from '../../../core/index.ts';
import type { AccountSelection, Address, FactSink, LaneId } from '../../../domain/index.ts';
import type { Crypto } from '../../../wire/crypto/index.ts';
import { type AccountWritePipe, createApiWallet, ExternalSignatures } from '../../../wire/gateway/index.ts';
import type { WriteContext } from '../../../wire/protocol/index.ts';
import {
  createExecutor,
  type Executor,
  type LaneSettings,
  type SwitchSettings,
  scopeOf,
} from '../../execution/index.ts';
import {
  defaultLockFolder,
  type Journal,
  type JournalBinding,
  journalPath,
  lockScope,
  lockScopeOnMachine,
  openJournal,
  type ScopeLock,
  takeOverJournal,
} from '../../journal/index.ts';
import type { Environment } from './environment.ts';
import type { SimulatedMachine } from './machine.ts';
import { type SignerRow, SignerWatch } from './signer-watch.ts';
import { moveStrategyStore } from './strategy-store.ts';
import type { LoadedWallet } from './wallets.ts';

/** What lanes are opened with. */
export interface LanesOptions {
  readonly environment: Environment;
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly selection: AccountSelection;
  /** The account's number in signed structs. */
  readonly signingAccountId: number;
  readonly wallets: readonly LoadedWallet[];
  /** Name of this bot: with environment and account it names the journal. */
  readonly instance: string;
  /** Name under which its journal was before, which is taken over; absent: the same. */
  readonly formerInstance?: string | undefined;
  /** Folder of the journals. */
  readonly journalFolder: string;
  readonly journalReserveBytes: number;
  /** Where locks of nonce scopes are stored; `undefined`: the user's own folder. */
  readonly lockFolder: string | undefined;
  /** Absent: journal and locks are on this machine's disk. */
  readonly machine?: SimulatedMachine | undefined;
  /** Position of the approvals of wallets that were approved just now (obligations O50, O122). */
  readonly approvedAtSeq: ReadonlyMap<string, bigint>;
  readonly switch: SwitchSettings;
  readonly sink: FactSink;
  /** An answer reported another ledger before the streams did. */
  readonly onEpoch?: (epoch: string) => void;
  /** Why the health is red outside of execution; empty: all green. */
  health(): readonly string[];
  /** Called with a broken assertion: a defect of ballast. */
  onBug(error: unknown): void;
}

/** Open lanes and what they hold. */
export interface Lanes {
  readonly executor: Executor;
  readonly journal: Journal;
  readonly pipe: AccountWritePipe;
  /** How signers elsewhere fare; empty: all keys are in this process. */
  signers(): readonly SignerRow[];
  /** The lane of each trading wallet by the wallet's name. */
  readonly byWallet: ReadonlyMap<string, LaneId>;
  /** Closes journal and locks. The executor must have been stopped or disposed. */
  close(): Promise<void>;
}

/** What a journal of this bot is bound to. */
export function journalBinding(
  environment: Environment,
  { address, subaccount, vault }: AccountSelection,
  instance: string,
): JournalBinding {
  const account =
    vault === undefined ? `${address} ${subaccount}` : `vault ${vault} of ${address} ${subaccount}`;
  return { environment: environment.id, account, instance };
}

/** Locks the scopes, opens the journal, builds the executor. Nothing is sent before `executor.start`. */
export async function openLanes(options: LanesOptions): Promise<Lanes> {
  const { environment, selection, wallets } = options;
  const locks: ScopeLock[] = [];
  let journal: Journal | undefined;
  let signerWatch: SignerWatch | undefined;
  const close = async (): Promise<void> => {
    signerWatch?.close();
    await journal?.close();
    for (const lock of locks) lock.release();
  };
  try {
    const signatures = new ExternalSignatures();
    const lanes = wallets.map((wallet) => laneOf(options, wallet, signatures));
    const signers = new SignerWatch({ ...options, lanes: lanes.map(({ id }) => id) });
    signerWatch = signers;
    if (options.machine === undefined) locks.push(...(await lockWallets(options)));
    journal = options.machine?.journal ?? (await openJournalFile(options));
    const pipe = signatures.over(environment.gateway.writePipe(selection));
    const executor = createExecutor({
      ...options,
      pipe,
      journal,
      context: contextOf(environment, options.signingAccountId),
      account: selection,
      lanes,
      safetyLane: safetyLaneOf(wallets, lanes),
      serverNowMs: () => environment.gateway.serverClock.serverNowMs(),
      health: () => options.health(),
      onBug: (error) => options.onBug(error),
      sink: (fact) => {
        if (fact.type !== 'LaneReady' || !signers.isDown(fact.lane)) options.sink(fact);
      },
    });
    signers.begin((lane) => executor.isReady(lane));
    return {
      executor,
      journal,
      pipe,
      signers: () => signers.rows(),
      byWallet: new Map(wallets.map((wallet, at) => [wallet.name, lanes[at]?.id ?? laneId(wallet.name)])),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openJournalFile(options: LanesOptions): Promise<Journal> {
  const binding = journalBinding(options.environment, options.selection, options.instance);
  const path = journalPath(options.journalFolder, binding);
  takeOverFormer(options, path);
  return await openJournal({
    ...binding,
    path,
    version: VERSION,
    reserveBytes: options.journalReserveBytes,
  });
}

/** What the bot kept under its former name is its own: the journal, and beside it what its strategies saved. */
function takeOverFormer(options: LanesOptions, path: string): void {
  const { environment, selection, journalFolder, formerInstance, instance, log } = options;
  if (formerInstance === undefined) return;
  const former = journalPath(journalFolder, journalBinding(environment, selection, formerInstance));
  if (!takeOverJournal(former, path)) return;
  moveStrategyStore(former, path);
  log.info('the journal of this bot under the name of its file is taken over', {
    from: formerInstance,
    to: instance,
  });
}

/** How commands of this environment and account become canonical. */
function contextOf(environment: Environment, signingAccountId: number): WriteContext {
  const byId = new Map([...environment.markets.values()].map((market) => [market.signingMarketId, market]));
  return {
    signingAccountId,
    market: (symbol) => environment.markets.get(symbol),
    marketById: (id) => byId.get(id),
  };
}

function laneOf(
  { crypto, environment, approvedAtSeq }: LanesOptions,
  wallet: LoadedWallet,
  signatures: ExternalSignatures,
): LaneSettings {
  const signer = createApiWallet({
    ...{ crypto, key: wallet.key, domain: environment.domain, signatures },
    typeString: environment.structs.AgentExec,
  });
  const approvedAt = approvedAtSeq.get(wallet.name);
  return {
    id: laneId(wallet.name),
    signer,
    ...(approvedAt === undefined ? {} : { consumeFirstNonce: true, firstMinSeq: approvedAt }),
  };
}

/** With one wallet only, its lane carries safety writes too, and they go first. */
function safetyLaneOf(wallets: readonly LoadedWallet[], lanes: readonly LaneSettings[]): LaneId {
  const at = wallets.findIndex((wallet) => wallet.role === 'safety');
  return lanes[at < 0 ? 0 : at]?.id ?? laneId('none');
}

function laneId(name: string): LaneId {
  return name as LaneId;
}

/** What wallets are locked with. */
export type LockOptions = Pick<LanesOptions, 'environment' | 'wallets' | 'instance' | 'lockFolder'>;

/**
 * Locks the scopes of all wallets: each in the folder of the user; and of a wallet with a key file on the whole machine and
 * beside that file, so that a second bot meets a lock whatever home it has. A folder of keys that cannot be written has none.
 * @throws BotError `JOURNAL_SCOPE_LOCKED`, with nothing left locked.
 */
export async function lockWallets(options: LockOptions): Promise<readonly ScopeLock[]> {
  const locks: ScopeLock[] = [];
  try {
    for (const wallet of options.wallets) await lockWallet(options, wallet, locks);
    return locks;
  } catch (thrown) {
    for (const lock of locks) lock.release();
    throw thrown;
  }
}

async function lockWallet(
  { environment, instance, lockFolder }: LockOptions,
  { key, keyFolder: beside }: LoadedWallet,
  locks: ScopeLock[],
): Promise<void> {
  const own = lockFolder === undefined ? defaultLockFolder() : join(lockFolder, 'ballast', 'locks');
  const scope = scopeOf({ address: key.address as Address });
  const settings = { environment: environment.id, holder: instance, scope };
  locks.push(lockScope({ ...settings, folder: own }));
  if (beside === undefined) return;
  if (beside !== own && isWritable(beside)) locks.push(lockScope({ ...settings, folder: beside }));
  locks.push(await lockScopeOnMachine(settings));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
