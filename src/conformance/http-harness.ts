/**
 * @module
 * The harness of an exchange that serves `/control` on its own origin: `ballast sim` on this machine. What the suite changes
 * is put back at the end; accounts that it made stay.
 */
import { type Clock, formatJson, silentLog, silentMeter } from '../core/index.ts';
import { createNetworkTransport, parseBaseUrl, type Transport } from '../wire/gateway/index.ts';
import { Answer } from './answer.ts';
import { Deviation, NotOffered } from './expect.ts';
import type { Harness, HarnessAccount, HarnessFault } from './harness.ts';

/** Budgets while no check is about them. */
const WIDE_BUDGET = 100_000_000;
/** Moving the clock by an hour runs 36,000 blocks. */
const ACTION_MS_MAX = 30_000;

/** The harness behind `baseUrl`, `undefined` when it serves no control. */
export async function openHttpHarness(baseUrl: string, clock: Clock): Promise<Harness | undefined> {
  const transport = createNetworkTransport(parseBaseUrl(baseUrl), {
    clock,
    log: silentLog,
    meter: silentMeter,
  });
  const state = await ask(transport, 'state', {}).catch(() => undefined);
  if (state === undefined || state.status !== 200 || state.at('epoch') === undefined) {
    await transport.close?.();
    return undefined;
  }
  const harness = new HttpHarness(transport, state);
  await harness.reset();
  return harness;
}

async function ask(transport: Transport, action: string, parameters: object): Promise<Answer> {
  const answer = await transport.request({
    method: 'POST',
    path: `/control/${action}`,
    headers: { 'content-type': 'application/json' },
    body: formatJson(parameters),
    timeoutMs: ACTION_MS_MAX,
  });
  if (answer.kind !== 'answer') throw new Deviation(`control ${action}`, 'an answer', answer.why);
  return new Answer(`control ${action}`, answer);
}

class HttpHarness implements Harness {
  readonly #transport: Transport;
  readonly #budgets: Readonly<Record<'ip' | 'account', number>>;
  readonly #prices: ReadonlyMap<string, string>;
  readonly #touched = new Set<string>();

  constructor(transport: Transport, state: Answer) {
    this.#transport = transport;
    this.#budgets = { ip: state.number('rateLimits.ip'), account: state.number('rateLimits.account') };
    this.#prices = new Map(
      state.list('markets').map((market) => [market.text('symbol'), market.text('indexPrice')]),
    );
  }

  async createAccount({ amount: balance = '1000000', apiWallets = 2 } = {}): Promise<HarnessAccount> {
    return (await this.#do('account', { balance, apiWallets })).value as HarnessAccount;
  }

  async fund(account: string, amount: string, subaccount = 0): Promise<void> {
    await this.#do('fund', { account, amount, subaccount });
  }

  async withdraw(account: string, amount: string): Promise<void> {
    await this.#do('withdraw', { account, amount });
  }

  async createFreshVault(name: string, creator?: string): Promise<string> {
    const made = await this.#do('fresh-vault', { name, ...(creator === undefined ? {} : { creator }) });
    return made.text('vault');
  }

  async advance(ms: number): Promise<void> {
    await this.#do('advance', { by: `${Math.ceil(ms)}ms` });
  }

  async setIndexPrice(symbol: string, price: string): Promise<void> {
    this.#touched.add(symbol);
    await this.#do('price', { symbol, price });
  }

  async setMarketStatus(symbol: string, status: string): Promise<void> {
    this.#touched.add(symbol);
    await this.#do('market-status', { symbol, status });
  }

  async settleFunding(): Promise<void> {
    await this.#do('settle-funding', {});
  }

  async disturb({ kind, code, path, headers, method, times }: HarnessFault): Promise<void> {
    await this.#do('fault', {
      kind,
      ...(code === undefined ? {} : kind === 'reject' ? { reason: code } : { code }),
      ...(times === undefined ? {} : { times }),
      method: method ?? 'any',
      ...(path === undefined ? {} : { path: `${path}*` }),
      ...(headers === undefined ? {} : { headers }),
    });
  }

  async dropFrames(): Promise<void> {
    await this.#do('drop-frames', {});
  }

  async forceLagged(dropped = 0): Promise<void> {
    await this.#do('lag-streams', { dropped });
  }

  async changeEpoch({ keepStreams = false } = {}): Promise<void> {
    await this.#do('epoch', { keepStreams });
  }

  async setHistoryGaps(gaps: readonly { readonly first: number; readonly last: number }[]): Promise<void> {
    await this.#do('history-gaps', { gaps });
  }

  async setReplicaLag(ms: number): Promise<void> {
    await this.#do('replica-lag', { lag: `${ms}ms` });
  }

  async setDurabilityLag(ms: number): Promise<void> {
    await this.#do('durability-lag', { lag: `${ms}ms` });
  }

  async setBudget(bucket: 'ip' | 'account', quota: number): Promise<void> {
    await this.#do('rate-limit', { bucket, quota });
  }

  async reset(): Promise<void> {
    await this.#do('clear-faults', {});
    await this.setHistoryGaps([]);
    await this.setDurabilityLag(0);
    await this.setReplicaLag(0).catch(ignoreNotOffered);
    for (const bucket of ['ip', 'account'] as const) await this.setBudget(bucket, WIDE_BUDGET);
    for (const symbol of this.#touched) {
      await this.#do('market-status', { symbol, status: 'Active' });
      const price = this.#prices.get(symbol);
      if (price !== undefined) await this.#do('price', { symbol, price });
    }
    this.#touched.clear();
  }

  async close(): Promise<void> {
    for (const bucket of ['ip', 'account'] as const) await this.setBudget(bucket, this.#budgets[bucket]);
    await this.#transport.close?.();
  }

  /** @throws NotOffered when this exchange was started without what the action needs. */
  async #do(action: string, parameters: object): Promise<Answer> {
    const answer = await ask(this.#transport, action, parameters);
    if (answer.status === 200) return answer;
    if (answer.status === 404 || answer.status === 409)
      throw new NotOffered(`${action}: ${answer.text('error.message')}`);
    throw new Deviation(answer.about, 'status 200', `${answer.status} ${answer.body.slice(0, 300)}`);
  }
}

function ignoreNotOffered(thrown: unknown): void {
  if (!(thrown instanceof NotOffered)) throw thrown;
}
