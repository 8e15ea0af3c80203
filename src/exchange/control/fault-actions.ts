/** @module Control actions that disturb: requests and their answers, streams, history, replicas, restarts. */
import {
  ANY_TEXT,
  actionRefused,
  actionsOn,
  durationFrom,
  FLAG_LIKE,
  FRACTION,
  integerFrom,
  invalidField,
  lineOf,
  listOf,
  oneOf,
  optional,
  preset,
  required,
  TEXT_MAP,
  type ValuesOf,
} from '../../core/index.ts';
import { type ExchangeRequest, jsonEdit, type RequestFault } from '../api/index.ts';
import type { ControlTarget } from './control-target.ts';
import { editOf, FRAME_FAULT_ACTION } from './frame-fault.ts';
import { integersByPath, positions, valuesByPath } from './kinds.ts';

const action = actionsOn<ControlTarget>();

/** Close code of a WebSocket whose server restarts. */
const RESTART_CODE = 1012;

const FAULT = {
  kind: required(
    oneOf(
      'dropRequest',
      'dropResponse',
      'deliverAfterTimeout',
      'delayRequest',
      'delayResponse',
      'deliverTwice',
      'answer',
      'replaceResponse',
      'edit',
      'reject',
      'httpError',
    ),
    'What happens to a request; see below.',
  ),
  method: preset(oneOf('POST', 'GET', 'any'), 'POST', 'Requests of this method.'),
  path: optional(
    lineOf('a path like /v1/orders, or /v1/orders/* for all below it'),
    'Requests to this path.',
    'all',
  ),
  times: preset(integerFrom(0, 1_000_000), 1, 'Requests that are hit; 0: all, until `clear-faults`.'),
  probability: preset(FRACTION, 1, 'Probability that a matching request is hit.'),
  delay: preset(durationFrom('0ms', '1h'), 1_000, 'Of deliverAfterTimeout, delayRequest, delayResponse.'),
  status: preset(integerFrom(100, 599), 503, 'HTTP status, of answer and replaceResponse.'),
  body: preset(ANY_TEXT, '', 'Body, of answer and replaceResponse.'),
  headers: optional(TEXT_MAP, 'Headers, of answer, replaceResponse, edit and httpError.', 'none'),
  set: optional(valuesByPath, 'Of edit: values of fields of the answer.', 'none'),
  add: optional(integersByPath, 'Of edit: what is added to integers of the answer.', 'none'),
  code: preset(
    lineOf('an error code'),
    'Unavailable',
    'Error code, of httpError; such as RateLimited, WrongNode, ReplicaBehind.',
  ),
  message: preset(lineOf(), 'a fault of the control', 'Message, of httpError.'),
  reason: preset(lineOf('a reason'), 'InsufficientMargin', 'Reason, of reject.'),
  nonceConsumed: preset(FLAG_LIKE, true, 'Of reject: true if the rejection uses up the nonce.'),
  laterMs: optional(
    integerFrom(0),
    'Of reject: the bytes go into the log all the same, this many ms later.',
    'never',
  ),
};
type FaultValues = ValuesOf<typeof FAULT>;

function faultOf(asked: FaultValues): RequestFault {
  const { kind, delay: delayMs, status, body, code, message, reason, nonceConsumed, laterMs } = asked;
  const headers = asked.headers ?? {};
  switch (kind) {
    case 'deliverAfterTimeout':
    case 'delayRequest':
    case 'delayResponse':
      return { kind, delayMs };
    case 'answer':
    case 'replaceResponse':
      return { kind, answer: { status, body, headers: { 'content-type': 'application/json', ...headers } } };
    case 'edit': {
      const edit = jsonEdit(editOf(asked));
      return {
        kind,
        edit: (given) => ({ ...given, headers: { ...given.headers, ...headers }, body: edit(given.body) }),
      };
    }
    case 'reject':
      return {
        kind,
        forced: { reason, isNonceConsumed: nonceConsumed },
        ...(laterMs === undefined ? {} : { laterMs }),
      };
    case 'httpError':
      return { kind, refusal: { code, message, headers } };
    default:
      return { kind };
  }
}

function matcherOf(
  control: ControlTarget,
  { method, path, probability }: FaultValues,
): (request: ExchangeRequest) => boolean {
  if (path !== undefined && !path.startsWith('/'))
    throw invalidField('path', 'a path that begins with a slash', path);
  const below = path?.endsWith('*') === true ? path.slice(0, -1) : undefined;
  return (request) => {
    if (method !== 'any' && request.method !== method) return false;
    const [asked = ''] = request.path.split('?', 1);
    if (below !== undefined ? !asked.startsWith(below) : path !== undefined && asked !== path) return false;
    return probability === 1 || control.draws.chance(probability);
  };
}

/** Armed switches survive a restart or not: the interface does not say (quirk A14). */
function endSwitchesAtReturn(control: ControlTarget): void {
  const { sequencer, quirks } = control.parts;
  for (const account of control.accountIds()) {
    if (sequencer.state.venue.account(account).scheduleCancelAtMs === 0 || quirks.takes('A14', 'kept'))
      continue;
    control.append({ kind: 'endSwitch', account, how: 'forget' });
  }
}

/** Rows of the table. */
export const FAULT_ACTIONS = [
  action({
    name: 'fault',
    description: 'Disturbs requests that match. Of several that match, the oldest hits.',
    parameters: FAULT,
    gives: '`id`: for `clear-faults`',
    run: (control, asked) => {
      const end = control.parts.faults.add({
        fault: faultOf(asked),
        matches: matcherOf(control, asked),
        times: asked.times === 0 ? Number.POSITIVE_INFINITY : asked.times,
      });
      return { id: control.keepFault(end) };
    },
  }),
  action({
    name: 'clear-faults',
    description: 'Ends faults of requests and frames.',
    parameters: { id: optional(integerFrom(1), 'The fault.', 'all') },
    run: (control, { id }) => {
      control.endFaults(id);
      return {};
    },
  }),
  FRAME_FAULT_ACTION,
  action({
    name: 'drop-frames',
    description: 'Every stream that is open loses its frames in silence, until `lag-streams`.',
    parameters: {},
    run: (control) => {
      for (const connection of control.parts.publisher.connections) connection.hold();
      return {};
    },
  }),
  action({
    name: 'lag-streams',
    description: 'Sends `lagged` to every stream: with what `drop-frames` dropped, and `dropped` more.',
    parameters: { dropped: preset(integerFrom(0, 1_000_000), 0, 'Frames that were not even counted.') },
    run: (control, { dropped }) => {
      for (const connection of control.parts.publisher.connections) connection.release(dropped);
      return {};
    },
  }),
  action({
    name: 'repeat-lagged',
    description: 'Sends `lagged` to every stream although nothing was dropped, with a bound that may be old.',
    parameters: { upperSeq: required(integerFrom(0), 'The bound; at most the last position.') },
    run: (control, { upperSeq }) => {
      const { publisher } = control.parts;
      const upper = Math.min(upperSeq, control.seq);
      for (const connection of publisher.connections) publisher.tellLagged(connection, 0, upper);
      return {};
    },
  }),
  action({
    name: 'disconnect',
    description: 'Closes every stream.',
    parameters: {
      code: preset(integerFrom(1000, 4999), RESTART_CODE, 'Close code of the WebSocket protocol.'),
    },
    run: (control, { code }) => {
      if (
        code < 3000 &&
        ![1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014].includes(code)
      )
        throw invalidField('code', 'a close code that may be sent, such as 1001, 1012 or 4000', code);
      control.closeStreams(code);
      return {};
    },
  }),
  action({
    name: 'epoch',
    description:
      'Begins a new ledger: positions, balances, orders and nonces stay, cursors and receipts are void.',
    parameters: {
      epoch: optional(lineOf('an epoch'), 'Its name.', 'made from clock and seed'),
      keepStreams: preset(
        FLAG_LIKE,
        false,
        'Leave streams open, which a restart would cut: frames of the new ledger follow on them.',
      ),
    },
    gives: '`epoch`, `seq`',
    run: (control, { epoch, keepStreams }) => {
      const next = epoch ?? control.nextEpoch();
      if (next === control.parts.sequencer.state.epoch)
        throw invalidField('epoch', `an epoch other than ${next}`, next);
      // What begins the new ledger is published, and must not reach a subscription of the old one.
      if (!keepStreams) control.closeStreams(RESTART_CODE);
      control.append({ kind: 'epoch', epoch: next });
      return { epoch: next, seq: control.seq };
    },
  }),
  action({
    name: 'history-gaps',
    description:
      'Makes gaps in the history: pages and receipts that touch them end in 503. An empty list closes them.',
    parameters: {
      gaps: required(listOf(positions), 'Ranges of log positions.'),
      silent: preset(
        FLAG_LIKE,
        false,
        'The exchange does not know of them: pages leave the positions out, and their cursors go beyond.',
      ),
    },
    run: (control, { gaps, silent }) => {
      control.parts.setGaps(silent ? gaps.map((gap) => ({ ...gap, isSilent: true })) : gaps);
      return {};
    },
  }),
  action({
    name: 'durability-lag',
    description: 'How long results stay pending and out of history from now on.',
    parameters: { lag: required(durationFrom('0ms', '1h'), 'The time; 0ms: none.') },
    run: (control, { lag }) => {
      control.parts.sequencer.setDurabilityLag(lag);
      return {};
    },
  }),
  action({
    name: 'ping-streams',
    description:
      'Sends every stream a ping of the WebSocket protocol, as an intermediary that keeps sockets alive would.',
    parameters: {},
    run: (control) => {
      const { publisher } = control.parts;
      for (const connection of publisher.connections) publisher.receivePing(connection);
      return {};
    },
  }),
  action({
    name: 'restart',
    description:
      'Restarts the exchange: it answers nothing for a while, then continues where it was. Streams are cut.',
    parameters: {
      down: preset(durationFrom('0ms', '1h'), 1_000, 'How long.'),
      rollBackTo: optional(
        integerFrom(0),
        'Log position after which nothing has happened; a new ledger begins. Needs an exchange made with `keepsLog`.',
        'nothing is lost',
      ),
    },
    run: (control, { down, rollBackTo }) => {
      const { identity, settings, sequencer, clock } = control.parts;
      if (identity.isDown) throw actionRefused('the exchange is down', 'Wait until it is back.');
      if (rollBackTo !== undefined && !settings.keepsLog)
        throw actionRefused('this exchange keeps no log', 'Make it with the setting keepsLog.');
      identity.isDown = true;
      control.closeStreams(RESTART_CODE);
      if (rollBackTo !== undefined) {
        const epoch = control.nextEpoch();
        sequencer.rollBack(rollBackTo);
        control.append({ kind: 'epoch', epoch, rolledBackTo: rollBackTo });
      }
      clock.after(down, () => {
        identity.isDown = false;
        endSwitchesAtReturn(control);
        // The first block after the restart comes before the first answer: no answer has the time of the last block before it.
        control.parts.runBlock();
      });
      return {};
    },
  }),
] as const;
