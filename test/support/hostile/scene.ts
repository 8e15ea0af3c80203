/**
 * @module
 * One exchange, one hostile proxy before it, and one bot that trades through the proxy, each a process of its own or as good
 * as one. Who looks at the exchange to judge the bot goes past the proxy.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigChanges, LiveRig, type RigBot } from '../live-rig.ts';
import { LAUNCHER, pause, type TestProcess, until } from '../processes.ts';
import { HostileProxy, type Json, type Put } from './proxy.ts';

/** What a bot is started with, where it is not the usual. */
export interface BotStart {
  readonly changes?: ConfigChanges;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard error goes here. */
  readonly errorsTo?: string;
}

/** The market of all scenarios. */
export const SYMBOL = 'BTC-USD';
const QUOTA = 1_000_000_000;
const ENDED_MS_MAX = 20_000;

/** Says Date what a file says it is off by: the clock of the bot's machine. */
const CLOCK = `import { readFileSync } from 'node:fs';
const now = Date.now.bind(Date);
let offset = 0;
setInterval(() => {
  try {
    offset = Number(readFileSync(process.env.CLOCK_FILE, 'utf8')) || 0;
  } catch {}
}, 20).unref();
Date.now = () => now() + offset;
`;

/** Exchange, proxy and bot. */
export class HostileScene {
  readonly rig: LiveRig;
  readonly proxy: HostileProxy;
  #exchange: TestProcess;
  #bot: RigBot | undefined;
  #process: TestProcess | undefined;
  #start: BotStart = {};
  #bots = 0;

  private constructor(rig: LiveRig, proxy: HostileProxy) {
    this.rig = rig;
    this.proxy = proxy;
    this.#exchange = rig.exchange;
  }

  static async open({ seed, bots }: { readonly seed: number; readonly bots: number }): Promise<HostileScene> {
    const rig = await LiveRig.start({ seed, accounts: bots });
    const scene = new HostileScene(rig, await HostileProxy.start(rig.baseUrl));
    writeFileSync(join(rig.folder, 'clock.mjs'), CLOCK);
    await scene.widen();
    return scene;
  }

  /** Budgets of requests are no subject here. */
  async widen(): Promise<void> {
    for (const bucket of ['ip', 'account']) await this.control('rate-limit', { bucket, quota: QUOTA });
  }

  get bot(): RigBot {
    if (this.#bot === undefined) throw new Error('expected a bot');
    return this.#bot;
  }

  get process(): TestProcess {
    if (this.#process === undefined) throw new Error('expected a started bot');
    return this.#process;
  }

  get exchange(): TestProcess {
    return this.#exchange;
  }

  /** Another bot with an account of its own; the one before is killed. */
  async newBot(start: BotStart = {}): Promise<void> {
    await this.#process?.kill();
    this.#start = start;
    const environment = { name: 'test', baseUrl: this.proxy.baseUrl };
    const risk = {
      ...{ capital: 10_000, minSwitchTimeLeft: '1s', maxSameSideFillsPer10s: 1_000 },
      // Many fills in a short time are what makes faults hit; controls of the pace are no subject here.
      ...{ maxTurnoverPer10s: '10000%', maxReplacesPerSecond: 100 },
    };
    this.#bot = await this.rig.bot(`bot${++this.#bots}`, { environment, risk, ...start.changes });
    this.startBot();
  }

  /** Starts the bot, again too. */
  startBot(): void {
    const { env, errorsTo } = this.#start;
    const args = ['run', this.bot.config, '--mode', 'live', '--json'];
    const options = {
      env: {
        ...this.rig.env(),
        NODE_OPTIONS: `--import=${join(this.rig.folder, 'clock.mjs')}`,
        CLOCK_FILE: this.clockFile,
        ...env,
      },
    };
    this.#process =
      errorsTo === undefined
        ? this.rig.processes.ballast(args, options)
        : this.rig.processes.start(
            'sh',
            ['-c', `exec "$0" "$@" 2>${errorsTo}`, process.execPath, LAUNCHER, ...args],
            options,
          );
  }

  /** Ends the bot in order. */
  async stopBot(): Promise<void> {
    this.process.signal('SIGTERM');
    await this.process.toEnd(ENDED_MS_MAX);
  }

  /** Kills the bot itself. */
  async killBot(): Promise<void> {
    await this.process.kill();
  }

  /** Sends the bot itself, not its launcher, a signal. */
  async signalBot(signal: NodeJS.Signals): Promise<void> {
    process.kill((await this.process.worker()).pid, signal);
  }

  get clockFile(): string {
    return join(this.rig.folder, 'clock');
  }

  /** Sets the clock of the bot's machine off by this, ms. */
  stepClock(offsetMs: number): void {
    writeFileSync(this.clockFile, String(offsetMs));
  }

  /** An action of the exchange's control. */
  async control(action: string, parameters: object = {}): Promise<Json> {
    const { origin } = new URL(this.rig.baseUrl);
    const answer = await fetch(`${origin}/control/${action}`, {
      method: 'POST',
      body: JSON.stringify(parameters),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`/control/${action}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** The exchange itself, asked about the account of the bot. */
  async read(path: string): Promise<Json> {
    const answer = await fetch(`${this.rig.baseUrl}${path}?address=${this.bot.account.address}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return await answer.json();
  }

  /** Another participant takes what the bot offers. */
  async poke(): Promise<void> {
    const { orders } = await this.read('/v1/account/orders');
    const [order] = orders;
    if (order === undefined) return;
    const side = order.side === 'buy' ? 'sell' : 'buy';
    await this.control('order', { symbol: SYMBOL, side, price: order.price, size: '2', timeInForce: 'ioc' });
  }

  /** Lets fills happen until the fault has hit so often. */
  async hit(fault: Put, times = 1): Promise<void> {
    await until(
      () => `the fault to hit\n${this.process.errors.slice(-1_500)}`,
      async () => {
        if (fault.hits >= times) return true;
        await this.poke();
        await pause(150);
        return fault.hits >= times;
      },
      { withinMs: 4_000 },
    );
    fault.take();
  }

  /** Puts faults in for so long. */
  async during(ms: number, ...faults: readonly Put[]): Promise<void> {
    await pause(ms);
    for (const fault of faults) fault.take();
  }

  /** The exchange dies, and comes back with all that it had. */
  async exchangeDies(downMs: number): Promise<void> {
    const snapshot = join(this.rig.folder, 'snapshot');
    const { port } = new URL(this.rig.baseUrl);
    // Nobody has seen what the snapshot does not hold.
    await this.proxy.close();
    writeFileSync(snapshot, (await this.control('snapshot')).snapshot);
    await this.#exchange.kill();
    await pause(downMs);
    this.#exchange = this.rig.processes.ballast(
      ['sim', '--port', port, '--json', '--snapshot-in', snapshot],
      {
        env: this.rig.env(),
      },
    );
    await this.#exchange.line((line) => line.startsWith('{'), 20_000);
    rmSync(snapshot);
    await this.widen();
    await this.proxy.open();
  }

  /** Copies the journals of the bot aside, or back in place. */
  backup(isBack = false): void {
    const [journal, aside] = [join(this.bot.folder, 'journal'), join(this.bot.folder, 'backup')];
    const [from, to] = isBack ? [aside, journal] : [journal, aside];
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
  }

  async end(): Promise<void> {
    await this.proxy.close();
    await this.rig.end();
  }
}
