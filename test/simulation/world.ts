/**
 * @module
 * A world out of a plan: the exchange with its market, the network, the disk, and the process of the bot, all on one
 * virtual clock. Nothing has happened in it yet but the funding of the account: the first life begins with
 * `bot.start()`, time passes with `clock.advanceAsync`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareStrategies } from '../../src/bot/setup/index.ts';
import { type ConfigSource, loadConfig } from '../../src/config/index.ts';
import { must, type Random, seededRandom, VirtualClock } from '../../src/core/index.ts';
import { type Address, quantums } from '../../src/domain/index.ts';
import { Exchange } from '../../src/exchange/index.ts';
import { type Crypto, loadCrypto } from '../../src/wire/crypto/index.ts';
import { settingsOfAmbiguities, watchAmbiguities } from './ambiguities.ts';
import { SimulatedProcess } from './bot-process.ts';
import { createDisk, type SimulationDisk } from './disk.ts';
import { keyedCrypto } from './keyed-crypto.ts';
import { calmFlow } from './market.ts';
import type { Gate } from './network/line.ts';
import { createNetwork, type SimulationNetwork } from './network.ts';
import type { BotProgram, SightWithoutTime } from './parts.ts';
import { LifeSigners } from './signers.ts';
import type { AmbiguityId, FaultId, Sight, SimulationPlan, Sometimes, World } from './types.ts';

/** A world whose end can be brought about. */
export interface OpenWorld extends World {
  readonly bot: SimulatedProcess;
  readonly network: SimulationNetwork;
  readonly disk: SimulationDisk;
  /** How often something happened, by id or condition. */
  readonly hits: Readonly<Record<string, number>>;
  /** Puts a sight before everybody who watches. */
  tell(sight: SightWithoutTime): void;
  /** Ends what disturbs network, disk and process; strikes that last are ended by who struck. */
  heal(): void;
  /** Ends blocks and streams. */
  close(): void;
}

/** Virtual time begins at a round minute, and with it a window of the request budgets. */
const START_MS = 1_767_700_020_000;
/** Cash of the account: 1,000,000 USDC. */
const CASH = quantums(1_000_000_000_000n);
/** How often the health of a life is looked at, for the times in its view. */
const LOOK_MS = 1_000;

let loaded: Promise<Crypto> | undefined;

/** What many worlds of one plan have in common. */
export type SharedProgram = Pick<BotProgram, 'source' | 'strategies'>;

/** Loads what worlds of this plan can share; `given`: a configuration in place of the one that the plan names. */
export async function programOf(plan: SimulationPlan, given?: ConfigSource): Promise<SharedProgram> {
  const source = sourceOf(plan, given);
  return { source, strategies: await prepareStrategies(source) };
}

/** Opens the world of a plan; `given`: a configuration in place of the one that the plan names. */
export async function openWorld(plan: SimulationPlan, given?: ConfigSource): Promise<OpenWorld> {
  return await openWorldWith(plan, await programOf(plan, given));
}

/** As {@link openWorld} with a program that was loaded before; `gate`: see {@link Gate}. */
export async function openWorldWith(
  plan: SimulationPlan,
  { source, strategies }: SharedProgram,
  gate?: Gate,
): Promise<OpenWorld> {
  loaded ??= loadCrypto();
  const real = await loaded;
  // A copy of its own: who watches a world may stand between it and its signatures.
  const crypto = plan.signatures === 'keyed' ? keyedCrypto(real) : { ...real };
  const clock = new VirtualClock(START_MS);
  const random = seededRandom(`simulation ${plan.seed}`);
  const exchange = new Exchange({
    clock,
    random: random.fork('exchange'),
    crypto,
    settings: { ...settingsOfAmbiguities(plan.ambiguities), ...plan.settings },
  });
  exchange.start();
  const owned = fundedAccount(exchange, plan.subaccount ?? 0);
  const account = plan.isVault === true ? vaultOf(exchange, owned) : owned;
  const traded = new Set<string>(source.config.markets.map(({ symbol }) => symbol));
  const lively = exchange.settings.markets.filter(({ market }) => traded.has(market.symbol));
  if (plan.isStill !== true)
    exchange.attachParticipants(calmFlow(lively.map(({ market }) => market.signingMarketId)));
  // The account is on the replica too before the bot begins.
  await clock.advanceAsync(exchange.settings.replicaLagMs);
  const program: BotProgram = { seed: plan.seed, source, strategies, crypto };
  return new MemoryWorld({ plan, clock, random, exchange, account, program, gate });
}

/** The account that is traded, with cash. */
function fundedAccount({ control }: Exchange, subaccount: number): World['account'] {
  const funded = control.createFundedAccount({ balance: CASH, apiWallets: 0 });
  if (subaccount === 0) return { ...funded, subaccount };
  const owner = funded.address;
  while (control.accountId(owner, subaccount) === undefined) control.subaccount({ account: owner });
  return {
    ...funded,
    subaccount,
    accountId: control.fund({ account: owner, amount: CASH, subaccount }).accountId,
  };
}

/** A vault of the account, with most of its cash. */
function vaultOf({ control }: Exchange, owned: World['account']): World['account'] {
  const { address: owner } = owned;
  const asked = { owner };
  const { vault } = control.submit(asked, (account) => ({ kind: 'CreateVault', account, name: 'Maker' }));
  const id = must(vault, 'the new vault').vault;
  control.submit(asked, (account) => ({
    kind: 'DepositVault',
    account,
    vault: id,
    amount: (CASH * 9n) / 10n,
  }));
  return { ...owned, accountId: id, vault: String(id) };
}

/** The configuration of a plan, or the one `given`, with the header names of its exchange. */
export function sourceOf({ config, settings }: SimulationPlan, given?: ConfigSource): ConfigSource {
  const source = given ?? loadConfig(fileOf(config));
  const { headerPrefix } = settings;
  if (headerPrefix === undefined) return source;
  const { environment } = source.config;
  return { ...source, config: { ...source.config, environment: { ...environment, headerPrefix } } };
}

function fileOf(config: string): string {
  const own = join(import.meta.dirname, 'configs', `${config}.yaml`);
  return existsSync(own) ? own : join(import.meta.dirname, '..', '..', 'configs', `${config}.yaml`);
}

interface WorldParts {
  readonly plan: SimulationPlan;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly exchange: Exchange;
  readonly account: World['account'];
  readonly program: BotProgram;
  readonly gate: Gate | undefined;
}

class MemoryWorld implements OpenWorld {
  readonly plan: SimulationPlan;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly exchange: Exchange;
  readonly account: World['account'];
  readonly crypto: Crypto;
  readonly network: SimulationNetwork;
  readonly disk: SimulationDisk;
  readonly bot: SimulatedProcess;
  readonly hits: Record<string, number> = {};
  isHealed = false;
  readonly foreignStops = new Set<bigint>();
  readonly #signers: LifeSigners;
  readonly #listeners: ((sight: Sight) => void)[] = [];

  constructor({ plan, clock, random, exchange, account, program, gate }: WorldParts) {
    const { address, subaccount, privateKey, vault } = account;
    const grantingId = must(exchange.control.accountId(address, subaccount), 'the account of the grants');
    this.plan = plan;
    this.clock = clock;
    this.random = random;
    this.exchange = exchange;
    this.account = account;
    this.crypto = program.crypto;
    const { latency } = plan;
    this.network = createNetwork({
      clock,
      random: random.fork('network'),
      exchange,
      latency,
      gate,
      tell: (sight) => this.#show(sight),
    });
    this.disk = createDisk(latency.journalMs);
    this.#signers = new LifeSigners({
      ...{ exchange, clock, grantingId, address, subaccount, vault, privateKey },
      random: random.fork('wallets'),
      config: program.source.config,
      isLaneShared: plan.isLaneShared === true,
    });
    this.bot = new SimulatedProcess({
      program,
      world: clock,
      network: this.network,
      disk: this.disk,
      signers: this.#signers,
      random: random.fork('process'),
      tell: (sight) => this.tell(sight),
    });
    watchAmbiguities(exchange, (id) => this.hit(id));
    clock.every(LOOK_MS, () => this.bot.look());
    // What is green only for a moment between two looks is seen where it matters: as a renewal is written down.
    this.watch((sight) => {
      if (sight.kind === 'recorded' && sight.type === 'write') this.bot.look();
    });
  }

  agents(): readonly Address[] {
    return this.#signers.wallets.map(({ key }) => key.address as Address);
  }

  wallets(): LifeSigners['wallets'] {
    return this.#signers.wallets;
  }

  watch(listener: (sight: Sight) => void): void {
    this.#listeners.push(listener);
  }

  hit(what: FaultId | AmbiguityId | Sometimes): void {
    this.hits[what] = (this.hits[what] ?? 0) + 1;
  }

  withhold(text: string): void {
    this.tell({ kind: 'withheld', text });
  }

  tell(sight: SightWithoutTime): void {
    this.#show({ atMs: this.clock.monotonicMs(), ...sight } as Sight);
  }

  heal(): void {
    const { control, settings } = this.exchange;
    this.network.heal();
    this.disk.heal();
    control.clearFaults();
    control.rateLimit({ bucket: 'ip', quota: settings.ipWeightLimit });
    control.rateLimit({ bucket: 'account', quota: settings.accountWeightLimit });
    if (settings.replicaLagMs > 0) control.replicaLag({ lag: settings.replicaLagMs });
    control.durabilityLag({ lag: settings.durabilityLagMs });
    control.historyGaps({ gaps: [] });
    // A ledger that was rolled back (F40) stands as it stood then, with a market that is open again meanwhile (F39).
    for (const { market } of control.venue.markets())
      if (market.status !== 'Active') control.marketStatus({ symbol: market.symbol, status: 'Active' });
    // And with stops of the owner that were taken away later.
    this.cancelForeignStops();
    this.bot.heal();
    this.isHealed = true;
    this.tell({ kind: 'healed' });
  }

  cancelForeignStops(): void {
    const { control } = this.exchange;
    const { accountId } = this.account;
    for (const orderId of control.venue.triggerOrders(accountId))
      if (this.foreignStops.has(orderId.orderSeq))
        control.execute({ kind: 'CancelConditional', account: accountId, orderId });
  }

  close(): void {
    this.bot.kill('crash');
    this.exchange.stop();
  }

  #show(sight: Sight): void {
    for (const listener of this.#listeners) listener(sight);
  }
}
