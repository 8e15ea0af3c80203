/** @module Control actions about time, rate limits, what the gateway shows, and the state of the exchange. */
import {
  ADDRESS,
  ANY_TEXT,
  actionRefused,
  actionsOn,
  durationFrom,
  FRACTION,
  integerFrom,
  invalidField,
  type Kind,
  lineOf,
  oneOf,
  optional,
  preset,
  required,
} from '../../core/index.ts';
import { formatPrice, type Market, ticks } from '../../domain/index.ts';
import { QUIRK_IDS, QUIRKS, type QuirkId } from '../state/index.ts';
import type { ControlHost, ControlTarget } from './control-target.ts';

const action = actionsOn<ControlTarget>();

const BUCKET = required(oneOf('ip', 'account'), 'Per IP, or per main wallet.');

/** Quirks that are asked for outside of the log, so that an answer can change while it runs. */
const LIVE_QUIRKS: readonly QuirkId[] = ['A1', 'A4', 'A5', 'A6', 'A7', 'A9', 'A11', 'A14', 'A18'];

/** Code may also pass a function, which is asked at each answer and pong. */
const skew: Kind<number | (() => number)> = integerFrom(-86_400_000, 86_400_000);

function hostOf(control: ControlTarget): ControlHost {
  if (control.host === undefined)
    throw actionRefused('this exchange takes no snapshots', 'Start it with `ballast sim`.');
  return control.host;
}

/** The exchange as JSON. Keys are those of accounts that were made here: ephemeral keys. */
function stateOf(control: ControlTarget): object {
  const { sequencer, identity, settings, clock } = control.parts;
  const price = (market: Market, value: number) => (value === 0 ? null : formatPrice(market, ticks(value)));
  return {
    nowMs: clock.nowMs(),
    clock: control.host?.controlledClock?.mode ?? 'fixed',
    epoch: sequencer.state.epoch,
    seq: control.seq,
    blockAtMs: sequencer.blockAtMs,
    isDown: identity.isDown,
    markets: control.venue.markets().map(({ market, indexTicks, markTicks }) => ({
      symbol: market.symbol,
      status: market.status,
      indexPrice: price(market, indexTicks),
      markPrice: price(market, markTicks),
    })),
    accounts: control.accounts,
    replicas: control.replicas(),
    quirks: control.quirks,
    rateLimits: { ip: settings.ipWeightLimit, account: settings.accountWeightLimit },
    streams: control.streamCount,
  };
}

/** Rows of the table. */
export const SETTINGS_ACTIONS = [
  action({
    name: 'state',
    description: 'The exchange as it is now. GET works too.',
    parameters: {},
    gives:
      '`nowMs`, `clock`, `epoch`, `seq`, `blockAtMs`, `isDown`, `markets`, `accounts`, `replicas`, `quirks`, `rateLimits`, `streams`',
    isForScenarios: false,
    isRead: true,
    run: (control) => stateOf(control),
  }),
  action({
    name: 'advance',
    description: 'Moves the clock ahead: every block, timer and expiry on the way happens at its own time.',
    parameters: { by: required(durationFrom('0ms', '24h'), 'How far.') },
    gives: '`nowMs`, `seq`',
    isForScenarios: false,
    run: async (control, { by }) => {
      const clock = control.host?.controlledClock;
      if (clock === undefined)
        throw actionRefused('the clock of this exchange cannot be moved', 'Start it with `ballast sim`.');
      await clock.advance(by);
      return { nowMs: clock.nowMs(), seq: control.seq };
    },
  }),
  action({
    name: 'blocks',
    description: 'Runs blocks now, whatever the clock says.',
    parameters: { count: preset(integerFrom(1, 10_000), 1, 'How many.') },
    gives: '`seq`',
    run: (control, { count }) => {
      for (let block = 0; block < count; block++) control.parts.runBlock();
      return { seq: control.seq };
    },
  }),
  action({
    name: 'clock-skew',
    description: 'Offset of the reported clock from the clock of blocks.',
    parameters: { ms: required(skew, 'Ms that it is fast; below 0: slow.') },
    run: (control, { ms }) => {
      control.parts.identity.skewMs = typeof ms === 'number' ? () => ms : ms;
      return {};
    },
  }),
  action({
    name: 'replica-lag',
    description: 'Lag of a replica from now on. Needs an exchange with replicas (`--replicas`).',
    parameters: {
      lag: required(durationFrom('0ms', '1h'), 'The lag.'),
      replica: optional(integerFrom(0, 15), 'Its number, in the order of the setting.', 'all'),
    },
    run: (control, { lag, replica }) => {
      const count = control.replicas().length;
      if (count === 0)
        throw actionRefused(
          'this exchange has no replica',
          'Start it with --replicas, such as --replicas 0ms,200ms.',
        );
      if (replica !== undefined && replica >= count)
        throw invalidField('replica', `a number from 0 to ${count - 1}`, replica);
      control.parts.sequencer.setReplicaLag(lag, replica);
      return {};
    },
  }),
  action({
    name: 'replica-share',
    description: 'Which share of the requests is answered by the replicas; the others see the newest state.',
    parameters: { share: required(FRACTION, 'The share.') },
    run: (control, { share: fraction }) => {
      control.parts.sequencer.setReplicaShare(fraction);
      return {};
    },
  }),
  action({
    name: 'rate-limit',
    description: 'Changes the request weight that an address or a main wallet may use.',
    parameters: { bucket: BUCKET, quota: required(integerFrom(0, 1_000_000_000), 'Weight per 60 s.') },
    run: (control, { bucket, quota }) => {
      control.parts.weightLimits[bucket].setQuota(quota);
      return {};
    },
  }),
  action({
    name: 'use-weight',
    description: 'Uses request weight of an address or a main wallet, as another client of it would.',
    parameters: {
      bucket: BUCKET,
      key: required(lineOf('an IP address or a wallet address'), 'Whose.'),
      weight: required(integerFrom(1, 1_000_000_000), 'How much.'),
    },
    gives: '`isWithin`: was it there',
    run: (control, { bucket, key, weight }) => ({
      isWithin: control.parts.weightLimits[bucket].charge(key.toLowerCase(), weight).isWithin,
    }),
  }),
  action({
    name: 'domain',
    description: 'Changes the signing domain. Writes that were signed for another are refused.',
    parameters: {
      name: optional(lineOf(), 'Its name.', 'as it is'),
      version: optional(lineOf(), 'Its version.', 'as it is'),
      chainId: optional(integerFrom(1, 2_147_483_647), 'Its chain.', 'as it is'),
      verifyingContract: optional(ADDRESS, 'Its contract.', 'as it is'),
    },
    gives: '`domain`',
    run: (control, asked) => {
      const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
      const { identity, authenticator } = control.parts;
      const domain = { ...identity.domain, ...given };
      identity.domain = domain;
      authenticator.setDomain(domain);
      return { domain };
    },
  }),
  action({
    name: 'snapshot',
    description: 'Takes a snapshot of the exchange. GET works too.',
    parameters: {},
    gives: '`snapshot`: the text for `restore`, which takes this answer as it is',
    isForScenarios: false,
    isRead: true,
    run: (control) => ({ snapshot: hostOf(control).snapshot() }),
  }),
  action({
    name: 'save',
    description: 'Writes a snapshot to the file that `--snapshot-out` named.',
    parameters: {},
    gives: '`length`: its characters, `seq`',
    run: (control) => ({ length: hostOf(control).save(), seq: control.seq }),
  }),
  action({
    name: 'restore',
    description:
      'Serves the exchange of a snapshot instead of this one, at the time it was taken. Streams are cut; faults that wait, and events of a scenario that were still to come, are gone.',
    parameters: { snapshot: required(ANY_TEXT, 'The text of a snapshot.') },
    gives: '`seq`, `nowMs`',
    isForScenarios: false,
    run: (control, { snapshot }) => hostOf(control).restore(snapshot),
  }),
  action({
    name: 'quirk',
    description: `Changes the answer to an open question of the interface. While the exchange runs: ${LIVE_QUIRKS.join(', ')}; the others are set at the start (\`--quirk\`).`,
    parameters: {
      id: required(oneOf(...QUIRK_IDS), 'The question; see quirks.md.'),
      value: required(lineOf('one of its answers'), 'The answer.'),
    },
    run: (control, { id, value }) => {
      const values: readonly string[] = QUIRKS[id].values;
      if (!values.includes(value)) throw invalidField('value', `one of ${values.join(', ')}`, value);
      if (!LIVE_QUIRKS.includes(id))
        throw actionRefused(
          `the answer to ${id} is fixed for the life of a ledger`,
          `Start the exchange with --quirk ${id}=${value}.`,
        );
      control.parts.quirks.answer(id, value);
      return {};
    },
  }),
] as const;
