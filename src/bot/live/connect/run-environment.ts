/** @module The connections of a run to its gateway, and its seat among the bots of this machine that share its budgets. */
import type { ConfigSource } from '../../../config/index.ts';
import { type Clock, type Log, type Metrics, seededRandom } from '../../../core/index.ts';
import type { Prepared } from '../../setup/index.ts';
import { instanceOf } from '../bot-name.ts';
import type { RunReport } from '../proof/run-report.ts';
import { type Environment, type EnvironmentOptions, openEnvironment } from './environment.ts';
import type { SimulatedMachine } from './machine.ts';
import { routeOf } from './route.ts';
import { type SharedBudget, shareBudget } from './shared-budget.ts';

/** What a run is connected by. */
interface ConnectOptions {
  readonly source: ConfigSource;
  /** URL of the gateway, without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a seat is taken by. */
interface SeatOptions extends ConnectOptions {
  readonly mode: RunReport['mode'] | 'record';
  /** Folder of the user's state; `undefined`: the user's own. */
  readonly lockFolder?: string | undefined;
  /** In place of the network: nobody else is there. */
  readonly machine?: unknown;
}

/** Works with a seat, which is given up with the work. An exchange of its own, or a simulated machine, has no others. */
export async function withSeat<Result>(
  options: SeatOptions,
  runId: string,
  work: (sharing: SharedBudget | undefined) => Promise<Result>,
): Promise<Result> {
  const { source, baseUrl, clock, log, mode, machine, lockFolder } = options;
  if (machine !== undefined || mode === 'sim' || mode === 'demo') return await work(undefined);
  const { account, environment } = source.config;
  const sharing = await shareBudget({
    ...{ stateHome: lockFolder, baseUrl, proxy: environment.proxy, clock, log },
    seat: {
      ...{ runId, name: instanceOf(source.config), processId: process.pid },
      // Paper runs and recordings write nothing.
      account: mode === 'live' ? account.address : undefined,
    },
  });
  try {
    return await work(sharing);
  } finally {
    await sharing.close();
  }
}

/** An environment with its own sockets and clock; both connections of a run are charged to one budget. */
export async function connectRun(
  {
    source,
    baseUrl,
    clock,
    log,
    machine,
  }: ConnectOptions & { readonly machine?: SimulatedMachine | undefined },
  { crypto, structs }: Prepared,
  given: {
    readonly seed: number;
    readonly recording: Pick<EnvironmentOptions, 'onAnswer'> | undefined;
    readonly meter: Metrics;
    /** The other connection of the run. */
    readonly beside?: Environment;
    readonly sharing?: SharedBudget | undefined;
  },
): Promise<Environment> {
  const { seed, recording, meter, beside, sharing } = given;
  const { headerPrefix } = source.config.environment;
  return await openEnvironment({
    baseUrl,
    ...(machine === undefined
      ? { route: routeOf(source.config.environment) }
      : { transport: machine.newTransport() }),
    headerPrefix,
    ...(beside === undefined ? { sharing } : { budget: beside.gateway.budget }),
    onAnswer: recording?.onAnswer,
    clock,
    random: seededRandom(`${seed} gateway`),
    log,
    meter,
    crypto,
    ...(structs === undefined ? {} : { structs: structs.structs }),
  });
}
