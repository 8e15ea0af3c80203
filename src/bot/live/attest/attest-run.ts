/**
 * @module
 * `ballast attest` and `ballast attest verify`: the statement of a run that is proven, made of the public history of its
 * account and signed with its API wallet; and the check of such a document by public reads alone.
 */
import { loadConfig } from '../../../config/index.ts';
import { BotError, SystemClock, seededRandom, silentLog, silentMeter } from '../../../core/index.ts';
import type { AccountSelection, Address } from '../../../domain/index.ts';
import { type Crypto, isExternal, loadCrypto, type SecretKey } from '../../../wire/crypto/index.ts';
import { readAgents } from '../../../wire/gateway/index.ts';
import { readRunFacts } from '../../explain/index.ts';
import { loadConfiguredCrypto } from '../../setup/index.ts';
import { type Environment, openEnvironment } from '../connect/environment.ts';
import { type LoadedWallet, loadWallets } from '../connect/wallets.ts';
import { readAccountSnapshot } from '../proof/account-snapshot.ts';
import { type Attestation, parseAttestation, signAttestation, signerOf } from './document.ts';
import { type AccountPoint, statementOf } from './statement.ts';
import { type AttestationCheck, checkAttestation } from './verify.ts';

/** What a run leaves for its attestation. */
export interface AttestFacts {
  readonly name: string;
  readonly environment: Attestation['environment'];
  readonly account: Attestation['account'];
  readonly epoch: string;
  readonly start: AccountPoint;
  readonly end: AccountPoint;
  readonly orders: Attestation['orders'];
  /** Why the end of the run is not proven; empty: it is. */
  readonly unproven: string;
}

/** Attests the run in `folder`. @throws BotError `ATTEST_...`, naming what keeps it from being attested. */
export async function attestRun({
  folder,
  runId,
  config,
}: {
  readonly folder: string;
  readonly runId: string;
  readonly config: string;
}): Promise<Attestation> {
  // Of this version, in a file that only its owner can write.
  const facts = readRunFacts(folder)?.attest as AttestFacts | undefined;
  if (facts === undefined)
    throw refused(
      'ATTEST_FACTS_MISSING',
      runId,
      'a run that has ended and left its facts, got one that goes on, died, or keeps none',
    );
  if (facts.unproven !== '')
    throw refused('ATTEST_NOT_PROVEN', runId, `a run whose end is proven, got ${facts.unproven}`);
  const source = loadConfig(config);
  const crypto = await loadConfiguredCrypto(source);
  const ports = { clock: new SystemClock(), log: silentLog };
  const wallets = await loadWallets(source.config, crypto, ports);
  const key = wallets
    .filter(({ role }) => role === 'trading')
    .map((wallet) => wallet.key)
    .find(isOwn);
  if (key === undefined)
    throw refused('ATTEST_WALLET_MISSING', runId, 'a trading wallet with its key on this machine, got none');
  return await withEnvironment(facts.environment, crypto, async (environment) => {
    const { fills, ledger, epoch } = await readAccountSnapshot(
      environment,
      selectionOf(facts.account),
      undefined,
    );
    if (epoch !== facts.epoch)
      throw refused('ATTEST_EPOCH_CHANGED', runId, `the ledger ${facts.epoch} of the run, got ${epoch}`);
    const owners = ownersOf(facts.orders);
    const statement = statementOf({ ...facts, fills, ledger, owners });
    if (statement.residual !== '0' || statement.disagreements.length > 0)
      throw refused(
        'ATTEST_RESIDUAL',
        runId,
        `a residual of 0, got ${statement.residual}; ${statement.disagreements[0] ?? ''}`,
      );
    const { name, account, start, end, orders } = facts;
    return signAttestation(
      {
        ...{ schema: 1, kind: 'ballast-attestation', runId, name, environment: facts.environment, account },
        ...{ epoch, start, end, statement, orders },
      },
      crypto,
      key,
    );
  });
}

/** Checks the attestation in `text` by public reads of the gateway that it names, or of the one at `url`. @throws BotError `ATTEST_FILE_INVALID`, `PREFLIGHT_UNREACHABLE`. */
export async function verifyAttestation(
  text: string,
  url: string | undefined,
): Promise<AttestationCheck & { readonly document: Attestation; readonly url: string }> {
  const document = parseAttestation(text);
  const crypto = await loadCrypto();
  const place = { ...document.environment, baseUrl: url ?? document.environment.baseUrl };
  const selection = selectionOf(document.account);
  return await withEnvironment(place, crypto, async (environment) => {
    const { fills, ledger, epoch } = await readAccountSnapshot(environment, selection, undefined);
    const agents = (await readAgents(environment.gateway.reader, selection)).map(({ address }) => address);
    const records = { epoch, environment: environment.id, fills, ledger, agents };
    const found = checkAttestation(document, signerOf(document, crypto), records);
    return { ...found, document, url: place.baseUrl };
  });
}

/** A key that is here: an external signer signs writes alone. */
function isOwn(key: LoadedWallet['key']): key is SecretKey {
  return !isExternal(key);
}

/** Order to strategy. */
function ownersOf(orders: Attestation['orders']): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(orders).flatMap(([strategy, ids]) => ids.map((id) => [id, strategy] as const)),
  );
}

function selectionOf({ address, subaccount }: Attestation['account']): AccountSelection {
  return { address: address as Address, subaccount };
}

async function withEnvironment<T>(
  { baseUrl, headerPrefix }: Pick<Attestation['environment'], 'baseUrl' | 'headerPrefix'>,
  crypto: Crypto,
  use: (environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = await openEnvironment({
    ...{ baseUrl, headerPrefix, clock: new SystemClock(), random: seededRandom('attest') },
    ...{ log: silentLog, meter: silentMeter, crypto },
  });
  try {
    return await use(environment);
  } finally {
    await environment.gateway.close();
  }
}

function refused(
  code:
    | 'ATTEST_FACTS_MISSING'
    | 'ATTEST_NOT_PROVEN'
    | 'ATTEST_WALLET_MISSING'
    | 'ATTEST_EPOCH_CHANGED'
    | 'ATTEST_RESIDUAL',
  runId: string,
  expected: string,
): BotError {
  return new BotError({
    code,
    message: `run ${runId}: expected ${expected}`,
    remedy:
      'Only a run with a proven end on a gateway that still has its ledger is attested: `ballast runs` shows how each ended.',
  });
}
