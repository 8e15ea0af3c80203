/**
 * @module
 * An exchange as a process of its own, with what a live bot on it needs: an account, API wallets made and approved by
 * the command line, a configuration in a folder outside the project. And a reader that shares nothing with the bot.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJournal } from '../../src/bot/journal/index.ts';
import type { JournalReader } from '../../src/bot/journal/reader.ts';
import { changeGrants, type DoctorRow } from '../../src/bot/live/index.ts';
import { LAUNCHER, Processes, ROOT, type StartOptions, type TestProcess, until } from './processes.ts';

/** A funded account of the exchange. */
export interface RigAccount {
  readonly address: string;
  readonly privateKey: string;
}

/** Changes to the usual configuration, section by section. */
export type ConfigChanges = Readonly<Record<string, unknown>>;

/** The heartbeat and the timeout of the switch, short so that a death is over soon. */
export const TRIGGER_MS = 3_000;
/** The default of `ballast keys approve`. */
const GRANT_DAYS = 90;
/** A second process for each bot would be most of the work of a test machine: those that are about it have it. */
const SWITCH = { heartbeat: '1s', timeout: `${TRIGGER_MS}ms`, guardian: false };
/** With a guardian, and a switch that cannot be what empties the book. */
export const GUARDED = { heartbeat: '5s', timeout: '60s' };

/** `ballast sim` makes no more. */
const ACCOUNTS_MAX = 100;

/** An exchange with room for bots. */
export class LiveRig {
  readonly processes = new Processes();
  /** Outside of the project, removed at the end. */
  readonly folder = mkdtempSync(join(tmpdir(), 'ballast-rig-'));
  #exchange: TestProcess | undefined;
  #baseUrl = '';
  #accounts: RigAccount[] = [];

  /** Starts the exchange with `accounts` funded accounts. `script` runs in place of `ballast sim`, with the same first line. */
  static async start({
    seed,
    accounts = 1,
    isQuiet = false,
    script,
  }: {
    seed: number;
    accounts?: number;
    isQuiet?: boolean;
    script?: string;
  }): Promise<LiveRig> {
    const rig = new LiveRig();
    // A second try takes accounts of its own, as far as an exchange makes them.
    const args = ['--seed', String(seed), '--accounts', String(Math.min(2 * accounts, ACCOUNTS_MAX))];
    const exchange =
      script === undefined
        ? rig.processes.ballast(
            ['sim', '--port', '0', '--json', ...args, ...(isQuiet ? ['--no-participants'] : [])],
            {
              env: rig.env(),
            },
          )
        : rig.processes.start(process.execPath, ['--conditions=ballast-source', script, ...args], {
            env: rig.env(),
          });
    rig.#exchange = exchange;
    try {
      const first = JSON.parse(await exchange.line((line) => line.startsWith('{'), 15_000));
      rig.#baseUrl = first.baseUrl;
      rig.#accounts = first.accounts;
      return rig;
    } catch (error) {
      await rig.end();
      throw error;
    }
  }

  get exchange(): TestProcess {
    if (this.#exchange === undefined) throw new Error('expected a started exchange');
    return this.#exchange;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** An account that no other bot of this rig has. */
  takeAccount(): RigAccount {
    const account = this.#accounts.pop();
    if (account === undefined) throw new Error('expected an account that is left');
    return account;
  }

  /** The environment of every process: locks lie in the rig's folder. */
  env(): Readonly<Record<string, string>> {
    return { BALLAST_STATE_HOME: join(this.folder, 'state'), NO_COLOR: '1' };
  }

  /** A bot with two approved API wallets and a configuration. */
  async bot(name: string, changes: ConfigChanges = {}): Promise<RigBot> {
    const bot = this.unapprovedBot(name, this.takeAccount(), changes);
    bot.makeKeys();
    await bot.approve();
    return bot;
  }

  /** A bot whose keys are not made yet. */
  unapprovedBot(name: string, account: RigAccount, changes: ConfigChanges = {}): RigBot {
    return new RigBot(this, { name, account, changes });
  }

  /** Runs a command to its end. @throws Error when it ends with another code than 0. */
  async done(args: readonly string[], options: StartOptions = {}): Promise<TestProcess> {
    const command = this.processes.ballast(args, { ...options, env: { ...this.env(), ...options.env } });
    const { code } = await command.toEnd(30_000);
    if (code !== 0) throw new Error(`ballast ${args.join(' ')} ended with ${code}\n${command.errors}`);
    return command;
  }

  /** Ends every process and removes the folder. */
  async end(): Promise<void> {
    await this.processes.endAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** How a run of the doctor ended, and its rows by check. */
export interface Examined {
  readonly code: number | null;
  readonly ok: boolean;
  readonly rows: ReadonlyMap<string, DoctorRow>;
}

/** A bot that may be started again and again. */
export class RigBot {
  readonly rig: LiveRig;
  readonly name: string;
  readonly account: RigAccount;
  readonly folder: string;
  readonly config: string;
  readonly reader: ExchangeReader;
  readonly #changes: ConfigChanges;

  constructor(rig: LiveRig, parts: { name: string; account: RigAccount; changes: ConfigChanges }) {
    this.rig = rig;
    this.name = parts.name;
    this.account = parts.account;
    this.#changes = parts.changes;
    // A folder of its own also for the second try of a test, whose bot has the same name.
    this.folder = mkdtempSync(join(rig.folder, `${parts.name}-`));
    this.config = join(this.folder, `${parts.name}.yaml`);
    this.reader = new ExchangeReader(rig.baseUrl, parts.account.address);
    this.configure();
  }

  /** Writes the configuration, with further `changes`. JSON is YAML. */
  configure(changes: ConfigChanges = {}): void {
    const usual: Readonly<Record<string, unknown>> = {
      environment: { name: 'test', baseUrl: this.rig.baseUrl },
      account: { address: this.account.address },
      wallets: [
        { name: 'maker', keyFile: 'maker.key' },
        { name: 'guard', role: 'safety', keyFile: 'guard.key' },
      ],
      markets: [{ symbol: 'BTC-USD' }],
      strategies: [ladder('ladder')],
      risk: {
        capital: 10000,
        minSwitchTimeLeft: '1s',
        maxSameSideFillsPer10s: 1000,
        maxTurnoverPer10s: '10000%',
      },
      deadMansSwitch: SWITCH,
      journal: { folder: 'journal', minFreeDiskMb: 1 },
      record: { enabled: false },
      log: { level: 'info' },
    };
    const whole = { ...usual, ...this.#changes, ...changes };
    writeFileSync(this.config, JSON.stringify(whole, undefined, 2));
  }

  /** Makes both keys as `ballast keys new` does (test/golden/keys.test.ts), without two more processes. */
  makeKeys(): void {
    for (const name of ['maker', 'guard'])
      writeFileSync(join(this.folder, `${name}.key`), `0x${randomBytes(32).toString('hex')}\n`, {
        mode: 0o600,
      });
  }

  /** Approves both wallets as `ballast keys approve` does (test/golden/keys.test.ts), without two more processes. */
  async approve(days = GRANT_DAYS): Promise<void> {
    await changeGrants(
      { config: this.config },
      { kind: 'approve', days },
      async () => this.account.privateKey,
    );
  }

  /** The words of its start. */
  command(args: readonly string[] = []): readonly string[] {
    return [process.execPath, LAUNCHER, 'run', this.config, '--mode', 'live', '--json', ...args];
  }

  /** Starts it live. */
  run(args: readonly string[] = []): TestProcess {
    const [node = '', ...words] = this.command(args);
    return this.rig.processes.start(node, words, { env: this.rig.env() });
  }

  /** What `ballast doctor` says, by check. */
  async examine(): Promise<Examined> {
    const command = this.rig.processes.ballast(['doctor', this.config, '--json'], { env: this.rig.env() });
    const { code } = await command.toEnd(30_000);
    const { ok, rows } = JSON.parse(command.lines.join('\n')) as {
      readonly ok: boolean;
      readonly rows: readonly DoctorRow[];
    };
    return { code, ok, rows: new Map(rows.map((row) => [row.check, row])) };
  }

  /** Waits until `process` has orders in the book that are not among `known` (labels). */
  quoting(process: TestProcess, known: ReadonlySet<string> = new Set()): Promise<readonly OpenOrder[]> {
    return until(
      () => `new orders of ${this.name}\n${process.errors}`,
      async () => {
        if (process.end !== undefined)
          throw new Error(`${this.name} ended with ${JSON.stringify(process.end)}\n${process.errors}`);
        const orders = await this.reader.openOrders();
        const isQuoting = orders.some((order) => !known.has(order.clientOrderId ?? order.orderId));
        return isQuoting ? orders : undefined;
      },
      { withinMs: 40_000, everyMs: 50 },
    );
  }

  /** Reads the bot's journal as another process may. */
  journal<T>(read: (journal: JournalReader) => T): T {
    const folder = join(this.folder, 'journal');
    const files = readdirSync(folder).filter((name) => name.endsWith('.journal.sqlite'));
    if (files.length !== 1 || files[0] === undefined)
      throw new Error(`expected one journal, got ${files.join(', ')}`);
    const journal = readJournal(join(folder, files[0]));
    try {
      return read(journal);
    } finally {
      journal.close();
    }
  }
}

/** The ladder of the project as a strategy of a configuration. */
export function ladder(name: string, changes: Readonly<Record<string, unknown>> = {}): object {
  return {
    name,
    module: join(ROOT, 'strategies/two-sided-ladder/index.ts'),
    markets: ['BTC-USD'],
    parameters: {
      levels: 2,
      size: 0.003,
      maxInventory: 0.03,
      touch: 'join',
      halfSpreadPpm: 350,
      minHalfSpreadPpm: 1,
      levelSpacingPpm: 100,
      skewPpm: 150,
      requoteTicks: 2,
      requoteInterval: '100ms',
    },
    ...changes,
  };
}

/** An order as the exchange lists it. */
export interface OpenOrder {
  readonly orderId: string;
  readonly clientOrderId?: string | null;
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  readonly status?: string;
}

/** A position as the exchange lists it. */
export interface OpenPosition {
  readonly symbol: string;
  readonly size: string;
}

/** An entry of a history. */
export interface HistoryEntry {
  readonly id: string;
  readonly [field: string]: unknown;
}

/**
 * Reads the exchange with nothing of ballast: another client on another loopback address, with a budget of its own.
 */
export class ExchangeReader {
  readonly #baseUrl: string;
  readonly #selector: Readonly<Record<string, string>>;

  /** Of a wallet's account, or of a vault. */
  constructor(baseUrl: string, whose: string | { readonly vault: string }) {
    this.#baseUrl = baseUrl;
    this.#selector = typeof whose === 'string' ? { address: whose } : { vault: whose.vault };
  }

  async openOrders(): Promise<readonly OpenOrder[]> {
    return (await this.#get('/v1/account/orders')).orders;
  }

  async orderHistory(): Promise<readonly OpenOrder[]> {
    return (await this.#get('/v1/account/orders/history', { limit: '1000' })).orders;
  }

  async positions(): Promise<readonly OpenPosition[]> {
    return (await this.#get('/v1/account/positions')).positions;
  }

  /** The whole history of fills or of the ledger. */
  async history(kind: 'fills' | 'ledger'): Promise<readonly HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    let page = await this.#get(`/v1/account/${kind}`, { limit: '1000' });
    const { epoch, upper } = page;
    for (;;) {
      entries.push(...page.data);
      if (!page.hasMore) return entries;
      page = await this.#get(`/v1/account/${kind}`, { limit: '1000', epoch, upper, after: page.next });
    }
  }

  async serverNowMs(): Promise<number> {
    const { text } = await get(new URL('/v1/time', this.#baseUrl));
    return Number(JSON.parse(text).serverTime);
  }

  /** The answer to a GET as JSON. @throws Error for any other status than 200. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
  async #get(path: string, query: Readonly<Record<string, string>> = {}): Promise<any> {
    const url = new URL(path, this.#baseUrl);
    for (const [name, value] of Object.entries({ ...this.#selector, ...query }))
      url.searchParams.set(name, value);
    const { status, text } = await get(url);
    if (status !== 200) throw new Error(`GET ${url.pathname}: ${status} ${text}`);
    return JSON.parse(text);
  }
}

function get(url: URL): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { localAddress: '127.0.0.2' }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .once('end', () => resolve({ status: response.statusCode ?? 0, text }))
        .once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}
