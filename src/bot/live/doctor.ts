/**
 * @module
 * Looks at everything a live run needs, one row a thing, each with its fix. Checks do not stop at the first failure and
 * never crash: what cannot be looked at because of an earlier failure is skipped and says so. The last check arms the
 * dead man's switch for real, through journal and lanes; it places nothing.
 */
import { statfsSync } from 'node:fs';
import type { ConfigSource } from '../../config/index.ts';
import {
  type Clock,
  type Log,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  seededRandom,
  silentMeter,
  VERSION,
} from '../../core/index.ts';
import type { AccountSelection, Address } from '../../domain/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import { readNonce } from '../../wire/gateway/index.ts';
import { scopeOf } from '../execution/index.ts';
import { openJournal } from '../journal/index.ts';
import {
  describeOperatorStructs,
  loadConfiguredCrypto,
  operatorStructs,
  prepareStrategies,
} from '../setup/index.ts';
import {
  type AccountChecks,
  type CheckedAccount,
  examineCapital,
  examineLeverage,
  examineNames,
  examineOrders,
  examinePositions,
} from './account-checks.ts';
import { formerInstanceOf, instanceOf } from './bot-name.ts';
import { type Environment, openEnvironment } from './connect/environment.ts';
import { openLanes } from './connect/lanes.ts';
import { checkAccount, checkGrant, checkMarkets, grantEnd } from './connect/preflight.ts';
import { type LoadedWallet, loadWallets } from './connect/wallets.ts';

/** One thing that was looked at. */
export interface DoctorRow {
  /** What was checked. */
  readonly check: string;
  /** `skip`: it does not apply here, or another check failed that it needs. */
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  /** The finding, one sentence. */
  readonly detail: string;
  /** What to do; empty when nothing. */
  readonly fix: string;
}

/** What the doctor looks with. */
export interface DoctorOptions {
  readonly source: ConfigSource;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the locks of nonce scopes; `undefined`: the user's own folder. */
  readonly lockFolder: string | undefined;
  /** Hears each row as soon as it is known. */
  readonly onRow: (row: DoctorRow) => void;
}

/** Wall clock and exchange may be this far apart before it is worth a word: writes use the exchange's time anyway. */
const CLOCK_OFFSET_MS_WARN = 2_000;
/** Durable commits that are timed, and the 99th percentile above which a disk is called slow. */
const COMMITS = 50;
const COMMIT_MS_WARN = 20;
const GRANT_DAYS_WARN = 7;
const DAY_MS = 86_400_000;
const WAIT_MS_MAX = 10_000;

/** Looks at everything; gives all rows. */
export async function examine(options: DoctorOptions): Promise<readonly DoctorRow[]> {
  const doctor = new Doctor(options);
  try {
    return await doctor.run();
  } finally {
    await doctor.close();
  }
}

class Doctor {
  readonly #options: DoctorOptions;
  readonly #rows: DoctorRow[] = [];
  #crypto: Crypto | undefined;
  #environment: Environment | undefined;
  #wallets: readonly LoadedWallet[] | undefined;
  #signingAccountId: number | undefined;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  async run(): Promise<readonly DoctorRow[]> {
    await this.#look('node', () => Promise.resolve(`${process.version}`));
    await this.#look(
      'strategies',
      async () => `${(await prepareStrategies(this.#options.source)).length} loaded, parameters good`,
    );
    await this.#look('signing', () => this.#signing());
    if (this.#options.source.config.environment.openapiFile !== undefined)
      await this.#look('structs', () =>
        Promise.resolve(describeOperatorStructs(operatorStructs(this.#options.source))),
      );
    await this.#look('disk', () => this.#disk());
    await this.#look('keys', () => this.#keys());
    await this.#look('gateway', () => this.#gateway());
    await this.#look('domain', () =>
      this.#needEnvironment(async ({ id, info }) => `${id}, codec ${info.codecVersion ?? 'not said'}`),
    );
    await this.#look('clock', () => this.#needEnvironment((environment) => this.#clock(environment)));
    await this.#look('markets', () => this.#needEnvironment((environment) => this.#markets(environment)));
    await this.#look('account', () => this.#needEnvironment((environment) => this.#account(environment)));
    await this.#look('names', () => this.#ofAccount(examineNames));
    await this.#look('capital', () => this.#ofAccount(examineCapital));
    await this.#look('leverage', () => this.#ofAccount(examineLeverage));
    for (const wallet of this.#wallets ?? []) {
      await this.#look(`grant ${wallet.name}`, () =>
        this.#needEnvironment((environment) => this.#grant(environment, wallet)),
      );
      await this.#look(`nonce ${wallet.name}`, () =>
        this.#needEnvironment((environment) => this.#nonce(environment, wallet)),
      );
    }
    await this.#look('orders', () => this.#ofAccount(examineOrders));
    await this.#look('positions', () => this.#ofAccount(examinePositions));
    await this.#look('websocket', () => this.#needEnvironment((environment) => this.#socket(environment)));
    await this.#look('switch', () => this.#needEnvironment((environment) => this.#switch(environment)));
    return this.#rows;
  }

  async close(): Promise<void> {
    await this.#environment?.gateway.close();
  }

  /** One check: text is good, a thrown error is its finding, `Warning` and `Skip` are what they are called. */
  async #look(check: string, work: () => Promise<string>): Promise<void> {
    let row: DoctorRow;
    try {
      row = { check, status: 'ok', detail: await work(), fix: '' };
    } catch (thrown) {
      row = rowOf(check, thrown);
    }
    this.#rows.push(row);
    this.#options.onRow(row);
  }

  async #signing(): Promise<string> {
    this.#crypto = await loadConfiguredCrypto(this.#options.source);
    const { signer, skipped } = this.#crypto;
    if (skipped.length === 0) return signer;
    throw new Warning(
      `${signer}; not used: ${skipped.map(({ name, reason }) => `${name} (${reason})`).join(', ')}`,
      'Install the optional packages for faster signatures.',
    );
  }

  async #disk(): Promise<string> {
    const { folder, minFreeDiskMb } = this.#options.source.config.journal;
    makeFolder(folder, PRIVATE_FOLDER);
    const { bavail, bsize } = statfsSync(folder);
    const freeMegabytes = Math.floor((bavail * bsize) / 1024 / 1024);
    const p99 = await this.#commitMs(folder);
    const detail = `${freeMegabytes} MB free, durable commit p99 ${p99.toFixed(1)} ms in ${folder}`;
    if (freeMegabytes < minFreeDiskMb)
      throw new Failure(
        `${detail}; the reserve is ${minFreeDiskMb} MB`,
        'Free some space, or lower journal.minFreeDiskMb: below the reserve nothing is placed.',
      );
    if (p99 > COMMIT_MS_WARN)
      throw new Warning(detail, 'Each order waits for one commit: put journal.folder on a faster disk.');
    return detail;
  }

  /** Times real commits of a journal that is thrown away. */
  async #commitMs(folder: string): Promise<number> {
    const { clock } = this.#options;
    const { mkdtempSync, rmSync } = await import('node:fs');
    const scratch = mkdtempSync(`${folder}/doctor-`);
    try {
      const journal = await openJournal({
        path: `${scratch}/disk.journal.sqlite`,
        version: VERSION,
        environment: 'doctor',
        account: 'doctor',
        instance: 'doctor',
      });
      const times: number[] = [];
      for (let i = 0; i < COMMITS; i++) {
        const fromMs = clock.monotonicMs();
        await journal.resetEpoch(`doctor-${i}`);
        times.push(clock.monotonicMs() - fromMs);
      }
      await journal.close();
      return times.sort((a, b) => a - b)[Math.floor(COMMITS * 0.99) - 1] ?? 0;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  async #keys(): Promise<string> {
    const { config } = this.#options.source;
    if (this.#crypto === undefined) throw new Skip('no signing back end');
    if (config.wallets.length === 0) throw new Skip('the configuration names no wallets');
    this.#wallets = await loadWallets(config, this.#crypto);
    const detail = this.#wallets.map(({ name, role, key }) => `${name} (${role}) ${key.address}`).join(', ');
    if (this.#wallets.some(({ role }) => role === 'safety')) return detail;
    throw new Warning(
      `${detail}; none of role safety`,
      'Add one: without it cancels and the switch wait for a write of the first wallet that is unresolved.',
    );
  }

  async #gateway(): Promise<string> {
    const { source, clock, log } = this.#options;
    const { baseUrl, headerPrefix } = source.config.environment;
    if (this.#crypto === undefined) throw new Skip('no signing back end');
    if (baseUrl === undefined)
      throw new Skip('environment.baseUrl is not set: mode sim starts its own exchange');
    const fromMs = clock.monotonicMs();
    this.#environment = await openEnvironment({
      baseUrl,
      headerPrefix,
      clock,
      random: seededRandom('doctor'),
      log,
      meter: silentMeter,
      crypto: this.#crypto,
      structs: operatorStructs(source).structs,
    });
    return `${baseUrl} answers, ${Math.round(clock.monotonicMs() - fromMs)} ms for domain, markets and time`;
  }

  async #clock({ gateway }: Environment): Promise<string> {
    const { offsetMs, errorMs } = gateway.serverClock.state();
    const detail = `the exchange is ${Math.round(offsetMs)} ms ahead of this machine, known to ${errorMs.toFixed(1)} ms`;
    if (Math.abs(offsetMs) > CLOCK_OFFSET_MS_WARN)
      throw new Warning(
        detail,
        "Set this machine's clock (NTP). Writes carry the exchange's time all the same.",
      );
    return detail;
  }

  async #markets(environment: Environment): Promise<string> {
    const markets = checkMarkets(
      environment,
      this.#options.source.config.markets.map((market) => market.symbol),
    );
    return markets
      .map(({ symbol, status, signingMarketId }) => `${symbol} ${status} (${signingMarketId})`)
      .join(', ');
  }

  async #account(environment: Environment): Promise<string> {
    const selection = this.#selection();
    this.#signingAccountId = await checkAccount(environment, selection);
    return `${selection.address}/${selection.subaccount} is account ${this.#signingAccountId}`;
  }

  async #grant(environment: Environment, wallet: LoadedWallet): Promise<string> {
    if (this.#signingAccountId === undefined) throw new Skip('no account');
    const signingAccountId = this.#signingAccountId;
    const { validUntilMs } = await checkGrant(environment, this.#selection(), wallet, { signingAccountId });
    const end = grantEnd(validUntilMs);
    if (end === undefined) return 'granted, without an end';
    const leftMs = validUntilMs - environment.gateway.serverClock.serverNowMs();
    const days = leftMs / DAY_MS;
    const detail = `granted until ${end}`;
    const { minGrantTimeLeft } = this.#options.source.config.risk;
    if (leftMs < minGrantTimeLeft)
      throw new Failure(
        `${detail}; a run ends when less than ${minGrantTimeLeft / 1000} s are left`,
        'Renew it with `ballast keys approve <config>`, or lower risk.minGrantTimeLeft.',
      );
    if (days < GRANT_DAYS_WARN)
      throw new Warning(
        `${detail}, ${days.toFixed(1)} days`,
        'Renew it with `ballast keys approve <config>`.',
      );
    return detail;
  }

  async #nonce(environment: Environment, wallet: LoadedWallet): Promise<string> {
    const address = wallet.key.address as Address;
    const record = await readNonce(environment.gateway.reader, this.#selection(), address);
    const expected = scopeOf({ address });
    if (record === undefined)
      throw new Failure('the gateway knows no such scope', 'Approve the wallet first.');
    if (record.scope !== expected)
      throw new Failure(
        `expected scope ${expected}, got ${record.scope}`,
        'The gateway counts this wallet elsewhere: do not trade before its operator has explained it.',
      );
    return `${record.scope}, next ${record.nonce}`;
  }

  async #socket({ gateway }: Environment): Promise<string> {
    const { clock } = this.#options;
    const fromMs = clock.monotonicMs();
    const answered = await new Promise<string>((resolve) => {
      const timer = clock.after(WAIT_MS_MAX, () => resolve(`no pong within ${WAIT_MS_MAX} ms`));
      const socket = gateway.sockets.open({
        onOpen: () => socket.send('{"method":"ping"}'),
        onFrame: (text) => {
          if (!text.includes('"pong"')) return;
          timer.cancel();
          resolve('');
          socket.close('done');
        },
        onClose: (why) => {
          timer.cancel();
          resolve(why);
        },
      });
    });
    if (answered !== '')
      throw new Failure(
        answered,
        'Check that WebSocket connections to the base URL pass proxies and firewalls.',
      );
    return `pong after ${Math.round(clock.monotonicMs() - fromMs)} ms with the connection`;
  }

  /** Arms the switch as a run would: scope locks, journal, lanes, a signed schedule-cancel. */
  async #switch(environment: Environment): Promise<string> {
    const { source, clock, log, lockFolder } = this.#options;
    const { config } = source;
    if (this.#crypto === undefined || this.#wallets === undefined || this.#signingAccountId === undefined)
      throw new Skip('keys or account are missing');
    if (this.#hasFailed('grant ')) throw new Skip('a grant is missing');
    // It would cancel orders that are not ours.
    if (this.#hasFailed('orders')) throw new Skip('a run is refused for the orders that are open');
    let armedUntilMs = 0;
    const lanes = await openLanes({
      environment,
      crypto: this.#crypto,
      clock,
      random: seededRandom('doctor'),
      log,
      selection: this.#selection(),
      signingAccountId: this.#signingAccountId,
      wallets: this.#wallets,
      instance: instanceOf(config),
      formerInstance: formerInstanceOf(config),
      journalFolder: config.journal.folder,
      journalReserveBytes: config.journal.minFreeDiskMb * 1024 * 1024,
      lockFolder,
      approvedAtSeq: new Map(),
      switch: { periodMs: config.deadMansSwitch.heartbeat, timeoutMs: config.deadMansSwitch.timeout },
      sink: (fact) => {
        if (fact.type === 'SwitchArmed') armedUntilMs = fact.triggerAtMs;
      },
      health: () => [],
      onBug: (error) => log.error('a bug in execution', { error }),
    });
    try {
      await lanes.executor.start();
      const untilMs = clock.monotonicMs() + WAIT_MS_MAX;
      while (armedUntilMs === 0 && clock.monotonicMs() < untilMs)
        await new Promise<void>((resolve) => void clock.after(20, resolve));
      if (armedUntilMs === 0)
        throw new Failure(
          `not confirmed within ${WAIT_MS_MAX} ms`,
          'No order may rest without it: look at the grant of the safety wallet.',
        );
      return `armed until ${new Date(armedUntilMs).toISOString()}`;
    } finally {
      lanes.executor.dispose();
      await lanes.close();
    }
  }

  #hasFailed(check: string): boolean {
    return this.#rows.some((row) => row.check.startsWith(check) && row.status === 'fail');
  }

  /** A check of the account: one with a fix is a warning, what a run would throw is a failure. */
  #ofAccount(examine: (checks: AccountChecks) => CheckedAccount | Promise<CheckedAccount>): Promise<string> {
    return this.#needEnvironment(async (environment) => {
      const { source, clock, log } = this.#options;
      if (this.#signingAccountId === undefined) throw new Skip('no account');
      const wallets = this.#wallets ?? [];
      const selection = this.#selection();
      const { detail, fix } = await examine({
        environment,
        selection,
        config: source.config,
        wallets,
        clock,
        log,
      });
      if (fix !== undefined) throw new Warning(detail, fix);
      return detail;
    });
  }

  #selection(): AccountSelection {
    const { address, subaccount } = this.#options.source.config.account;
    if (address === undefined) throw new Skip('account.address is not set');
    return { address: address as Address, subaccount };
  }

  #needEnvironment(work: (environment: Environment) => Promise<string>): Promise<string> {
    if (this.#environment === undefined) throw new Skip('no gateway');
    return work(this.#environment);
  }
}

/** A finding that keeps nothing from running. */
class Warning extends Error {
  readonly fix: string;
  constructor(detail: string, fix: string) {
    super(detail);
    this.fix = fix;
  }
}

/** A finding that does. */
class Failure extends Warning {}

/** Could not be looked at. */
class Skip extends Error {}

function rowOf(check: string, thrown: unknown): DoctorRow {
  if (thrown instanceof Skip) return { check, status: 'skip', detail: thrown.message, fix: '' };
  if (thrown instanceof Failure) return { check, status: 'fail', detail: thrown.message, fix: thrown.fix };
  if (thrown instanceof Warning) return { check, status: 'warn', detail: thrown.message, fix: thrown.fix };
  const fix =
    typeof thrown === 'object' && thrown !== null && 'remedy' in thrown
      ? String(thrown.remedy)
      : 'This should not happen: please report it.';
  return { check, status: 'fail', detail: messageOf(thrown), fix };
}
