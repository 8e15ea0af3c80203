/**
 * @module
 * `ballast attest` and `ballast attest verify`: the statement of a run that is proven, made of the public history of its
 * account and signed with its API wallet; and the check of such a document by public reads alone.
 */
import { loadConfig } from '../../../config/index.ts';
import { SystemClock, seededRandom, silentLog, silentMeter } from '../../../core/index.ts';
import type { AccountSelection, Address } from '../../../domain/index.ts';
import { type Crypto, isExternal, loadCrypto } from '../../../wire/crypto/index.ts';
import { type NetworkRoute, readAgents } from '../../../wire/gateway/index.ts';
import { readRunFacts } from '../../explain/index.ts';
import { loadConfiguredCrypto, WatchedSigner } from '../../setup/index.ts';
import { type Environment, openEnvironment } from '../connect/environment.ts';
import { routeOf } from '../connect/route.ts';
import { loadWallets } from '../connect/wallets.ts';
import { readAccountSnapshot } from '../proof/account-snapshot.ts';
import { attestationOf, factsMissing, runSimulated, unproven, walletMissing } from './attestation.ts';
import { type Attestation, type AttestFacts, parseAttestation, signerOf } from './document.ts';
import { type AttestationCheck, checkAttestation } from './verify.ts';

/** Attests the run in `folder`. @throws BotError `ATTEST_...`, naming what keeps it from being attested. */
export async function attestRun({
  folder,
  runId,
  config,
  mode,
}: {
  readonly folder: string;
  readonly runId: string;
  readonly config: string;
  /** Of the run. */
  readonly mode: string;
}): Promise<Attestation> {
  if (mode !== 'live') throw runSimulated(runId, mode);
  // Of this version, in a file that only its owner can write.
  const facts = readRunFacts(folder)?.attest as AttestFacts | undefined;
  if (facts === undefined) throw factsMissing(runId);
  // Before anything is read or signed.
  if (facts.unproven !== '') throw unproven(runId, facts);
  const source = loadConfig(config);
  const crypto = await loadConfiguredCrypto(source);
  const ports = { clock: new SystemClock(), log: silentLog };
  const wallets = await loadWallets(source.config, crypto, ports);
  try {
    const key = wallets.find(({ role }) => role === 'trading')?.key;
    if (key === undefined) throw walletMissing(runId);
    const route = routeOf(source.config.environment);
    return await withEnvironment({ ...facts.environment, route }, crypto, async (environment) => {
      const snapshot = await readAccountSnapshot(environment, selectionIn(facts.account), undefined);
      return await attestationOf({ runId, facts, snapshot }, crypto, key);
    });
  } finally {
    for (const { key } of wallets)
      if (isExternal(key) && key.signer instanceof WatchedSigner) key.signer.close();
  }
}

/**
 * Checks the attestation in `text` by public reads of the gateway that it names, or of the one at `url`, through `proxy` and
 * believing `caFile` where they are given. @throws BotError `ATTEST_FILE_INVALID`, `PREFLIGHT_UNREACHABLE`.
 */
export async function verifyAttestation(
  text: string,
  { url, proxy, caFile }: { readonly [key in 'url' | 'proxy' | 'caFile']?: string | undefined },
): Promise<AttestationCheck & { readonly document: Attestation; readonly url: string }> {
  const document = parseAttestation(text);
  const crypto = await loadCrypto();
  const { environment: named } = document;
  const place = { ...named, baseUrl: url ?? named.baseUrl, route: routeOf({ proxy, caFile }) };
  const selection = selectionIn(document.account);
  return await withEnvironment(place, crypto, async (environment) => {
    const { fills, ledger, epoch } = await readAccountSnapshot(environment, selection, undefined);
    const agents = (await readAgents(environment.gateway.reader, selection)).map(({ address }) => address);
    const records = { epoch, environment: environment.id, fills, ledger, agents };
    const found = checkAttestation(document, signerOf(document, crypto), records);
    return { ...found, document, url: place.baseUrl };
  });
}

function selectionIn({ address, ...rest }: Attestation['account']): AccountSelection {
  return { address: address as Address, ...rest };
}

async function withEnvironment<T>(
  {
    baseUrl,
    headerPrefix,
    route,
  }: Pick<Attestation['environment'], 'baseUrl' | 'headerPrefix'> & {
    readonly route: NetworkRoute | undefined;
  },
  crypto: Crypto,
  use: (environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = await openEnvironment({
    ...{ baseUrl, headerPrefix, route, clock: new SystemClock(), random: seededRandom('attest') },
    ...{ log: silentLog, meter: silentMeter, crypto },
  });
  try {
    return await use(environment);
  } finally {
    await environment.gateway.close();
  }
}
