/** @module Control actions about time, rate limits, what is told of the environment, and what is known of the exchange. */
import { QUIRK_IDS, QUIRKS, type QuirkId } from '../state/index.ts';
import { action, type ControlAction } from './control-action.ts';
import { invalidField, refused } from './errors.ts';
import {
  choice,
  duration,
  integer,
  longText,
  optional,
  preset,
  required,
  share,
  text,
} from './parameters.ts';
import { exchangeState } from './state.ts';

const BUCKET = required(choice('ip', 'account'), 'Per IP, or per main wallet.');

/** Quirks that are asked for outside of the log, so that an answer can change while it goes on. */
const LIVE_QUIRKS: readonly QuirkId[] = ['A1', 'A4', 'A5', 'A6', 'A7', 'A9', 'A11', 'A14', 'A18'];

/** Rows of the table. */
export const SETTINGS_ACTIONS: readonly ControlAction[] = [
  action({
    name: 'state',
    description: 'What the exchange is like now. May be asked with GET.',
    parameters: {},
    gives:
      '`nowMs`, `clock`, `epoch`, `seq`, `blockAtMs`, `isDown`, `markets`, `accounts`, `replicas`, `quirks`, `rateLimits`, `streams`',
    isForScenarios: false,
    isRead: true,
    run: (api) => exchangeState(api),
  }),
  action({
    name: 'advance',
    description: 'Moves the clock ahead: every block, timer and expiry on the way happens at its own time.',
    parameters: { by: required(duration('24h'), 'How far.') },
    gives: '`nowMs`, `seq`',
    isForScenarios: false,
    run: async (api, { by }) => {
      if (api.controlledClock === undefined)
        throw refused('the clock of this exchange cannot be moved', 'Start it with `ballast sim`.');
      await api.controlledClock.advance(by);
      return { nowMs: api.clock.nowMs(), seq: api.exchange.seq };
    },
  }),
  action({
    name: 'blocks',
    description: 'Runs blocks now, whatever the clock says.',
    parameters: { count: preset(integer(1, 10_000), 1, 'How many.') },
    gives: '`seq`',
    run: (api, { count }) => {
      api.exchange.control.runBlocks(count);
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'clock-skew',
    description: 'How far the clock that the gateway tells is from the clock of its blocks.',
    parameters: { ms: required(integer(-86_400_000, 86_400_000), 'Ms ahead; below 0: behind.') },
    run: (api, { ms }) => {
      api.exchange.control.setServerClock(() => ms);
      return {};
    },
  }),
  action({
    name: 'replica-lag',
    description: 'How far a replica is behind from now on. Needs an exchange with replicas (`--replicas`).',
    parameters: {
      lag: required(duration('1h'), 'The lag.'),
      replica: optional(integer(0, 15), 'Its number, in the order of the setting.', 'all'),
    },
    run: (api, { lag, replica }) => {
      const count = api.exchange.control.replicas().length;
      if (count === 0)
        throw refused(
          'this exchange has no replica',
          'Start it with --replicas, such as --replicas 0ms,200ms.',
        );
      if (replica !== undefined && replica >= count)
        throw invalidField('replica', `a number from 0 to ${count - 1}`, replica);
      api.exchange.control.setReplicaLag(lag, replica);
      return {};
    },
  }),
  action({
    name: 'replica-share',
    description: 'Which share of the requests is answered by the replicas; the others see the newest state.',
    parameters: { share: required(share, 'The share.') },
    run: (api, { share: part }) => {
      api.exchange.control.setReplicaShare(part);
      return {};
    },
  }),
  action({
    name: 'rate-limit',
    description: 'Changes the request weight that an address or a main wallet may use.',
    parameters: { bucket: BUCKET, quota: required(integer(0, 1_000_000_000), 'Weight per 60 s.') },
    run: (api, { bucket, quota }) => {
      api.exchange.control.setBudget(bucket, quota);
      return {};
    },
  }),
  action({
    name: 'use-weight',
    description: 'Uses request weight of an address or a main wallet, as another client of it would.',
    parameters: {
      bucket: BUCKET,
      key: required(text('an IP address or a wallet address'), 'Whose.'),
      weight: required(integer(1, 1_000_000_000), 'How much.'),
    },
    gives: '`isWithin`: was it there',
    run: (api, { bucket, key, weight }) => ({
      isWithin: api.exchange.control.useBudget(bucket, key.toLowerCase(), weight),
    }),
  }),
  action({
    name: 'domain',
    description: 'Changes the signing domain. Writes that were signed for another are refused.',
    parameters: {
      name: optional(text(), 'Its name.', 'as it is'),
      version: optional(text(), 'Its version.', 'as it is'),
      chainId: optional(integer(1, 2_147_483_647), 'Its chain.', 'as it is'),
    },
    gives: '`domain`',
    run: (api, asked) => {
      const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
      api.exchange.control.setDomain({ ...api.exchange.domain, ...given });
      return { domain: api.exchange.domain };
    },
  }),
  action({
    name: 'snapshot',
    description: 'Takes a snapshot of the exchange. May be asked with GET.',
    parameters: {},
    gives: '`snapshot`: the text for `restore`, which takes this answer as it is',
    isForScenarios: false,
    isRead: true,
    run: (api) => ({ snapshot: api.snapshot() }),
  }),
  action({
    name: 'save',
    description: 'Writes a snapshot to the file that `--snapshot-out` named.',
    parameters: {},
    gives: '`length`: its characters, `seq`',
    run: (api) => ({ length: api.save(), seq: api.exchange.seq }),
  }),
  action({
    name: 'restore',
    description:
      'Serves the exchange of a snapshot in place of this one, at the time it was taken. Streams are cut; faults that wait, and events of a scenario that were still to come, are gone.',
    parameters: { snapshot: required(longText, 'The text of a snapshot.') },
    gives: '`seq`, `nowMs`',
    isForScenarios: false,
    run: (api, { snapshot }) => {
      api.restore(snapshot);
      return { seq: api.exchange.seq, nowMs: api.clock.nowMs() };
    },
  }),
  action({
    name: 'quirk',
    description: `Answers an open question of the interface otherwise from now on. While it goes on: ${LIVE_QUIRKS.join(', ')}; the others are told at the start (\`--quirk\`).`,
    parameters: {
      id: required(choice(...QUIRK_IDS), 'The question; see quirks.md.'),
      value: required(text('one of its answers'), 'The answer.'),
    },
    run: (api, { id, value }) => {
      const values: readonly string[] = QUIRKS[id].values;
      if (!values.includes(value)) throw invalidField('value', `one of ${values.join(', ')}`, value);
      if (!LIVE_QUIRKS.includes(id))
        throw refused(
          `the answer to ${id} holds for a whole ledger`,
          `Start the exchange with --quirk ${id}=${value}.`,
        );
      api.exchange.control.setQuirk(id, value);
      return {};
    },
  }),
];
