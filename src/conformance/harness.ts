/**
 * @module
 * Control of the exchange under test: its control actions (docs/reference/control.md), and everything put back after a
 * check. The embedded exchange offers it in process and over `/control`; a real environment does not, and checks that
 * need it are skipped there.
 */
import { Doc } from './answer.ts';
import { NotOffered } from './expect.ts';

/** How control actions reach an exchange. */
export interface ControlPort {
  /** Runs an action; gives its result as JSON. @throws NotOffered when this exchange was made without what it needs. */
  run(action: string, parameters: object): Promise<unknown>;
  /** Releases all resources; safe to call once. */
  close(): Promise<void>;
}

/** A funded wallet with its approved API wallets. Keys are hex. */
export interface HarnessAccount {
  /** Wallet address, 0x and 40 hexadecimal digits. */
  readonly address: string;
  /** Private key, 0x and 64 hexadecimal digits. */
  readonly privateKey: string;
  readonly apiWallets: readonly { readonly address: string; readonly privateKey: string }[];
}

/** Request weight while no check is about it. */
const UNLIMITED_WEIGHT = 100_000_000;
const BUCKETS = ['ip', 'account'] as const;

/** The control of one exchange. Accounts that checks make stay. */
export class Harness {
  readonly #port: ControlPort;
  /** The state before the first check. */
  readonly #before: Doc;
  readonly #touched = new Set<unknown>();

  private constructor(port: ControlPort, before: Doc) {
    this.#port = port;
    this.#before = before;
  }

  /** The harness on `port`, with everything put into the state that checks expect. */
  static async open(port: ControlPort): Promise<Harness> {
    const harness = new Harness(port, new Doc(await port.run('state', {})));
    await harness.reset();
    return harness;
  }

  /** Runs a control action. @throws NotOffered */
  async run(action: string, parameters: object = {}): Promise<Doc> {
    if ('symbol' in parameters) this.#touched.add(parameters.symbol);
    return new Doc(await this.#port.run(action, parameters));
  }

  /** A fresh wallet; default 1,000,000 USDC and two API wallets. */
  async createAccount(
    parameters: { readonly balance?: string; readonly apiWallets?: number } = {},
  ): Promise<HarnessAccount> {
    return (await this.run('account', parameters)).value as HarnessAccount;
  }

  /** Puts everything back: faults, gaps, lags, rate limits, market status and prices. */
  async reset(): Promise<void> {
    await this.run('clear-faults');
    await this.run('history-gaps', { gaps: [] });
    await this.run('durability-lag', { lag: 0 });
    await this.run('replica-lag', { lag: 0 }).catch(ignoreNotOffered);
    for (const bucket of BUCKETS) await this.run('rate-limit', { bucket, quota: UNLIMITED_WEIGHT });
    for (const market of this.#before.list('markets')) {
      const symbol = market.text('symbol');
      if (!this.#touched.has(symbol)) continue;
      await this.run('market-status', { symbol, status: 'Active' });
      await this.run('price', { symbol, price: market.text('indexPrice') });
    }
    this.#touched.clear();
  }

  /** Gives the rate limits back and lets the exchange go. */
  async close(): Promise<void> {
    for (const bucket of BUCKETS)
      await this.run('rate-limit', { bucket, quota: this.#before.number(`rateLimits.${bucket}`) });
    await this.#port.close();
  }
}

function ignoreNotOffered(thrown: unknown): void {
  if (!(thrown instanceof NotOffered)) throw thrown;
}
