/** @module Control actions that disturb: requests and their answers, streams, history, replicas, the life of the exchange. */
import type { ExchangeRequest, RequestFault } from '../api/index.ts';
import { action, type ControlAction } from './control-action.ts';
import type { ControlApi } from './control-api.ts';
import { invalidField, refused } from './errors.ts';
import {
  choice,
  duration,
  flag,
  integer,
  listOf,
  longText,
  optional,
  positions,
  preset,
  required,
  share,
  text,
  textMap,
  type ValuesOf,
} from './parameters.ts';

const FAULT = {
  kind: required(
    choice(
      'dropRequest',
      'dropResponse',
      'deliverAfterTimeout',
      'delayRequest',
      'delayResponse',
      'deliverTwice',
      'answer',
      'replaceResponse',
      'reject',
      'httpError',
    ),
    'What happens to a request; see below.',
  ),
  method: preset(choice('POST', 'GET', 'any'), 'POST', 'Requests of this method.'),
  path: optional(
    text('a path like /v1/orders, or /v1/orders/* for all below it'),
    'Requests to this path.',
    'all',
  ),
  times: preset(integer(0, 1_000_000), 1, 'Requests that are hit; 0: all, until `clear-faults`.'),
  probability: preset(share, 1, 'Probability that a matching request is hit.'),
  delay: preset(duration('1h'), 1_000, 'Of deliverAfterTimeout, delayRequest, delayResponse.'),
  status: preset(integer(100, 599), 503, 'HTTP status, of answer and replaceResponse.'),
  body: preset(longText, '', 'Body, of answer and replaceResponse.'),
  headers: optional(textMap, 'Headers, of answer, replaceResponse and httpError.', 'none'),
  code: preset(
    text('an error code'),
    'Unavailable',
    'Error code, of httpError; such as RateLimited, WrongNode, ReplicaBehind.',
  ),
  message: preset(text(), 'a fault of the control', 'Message, of httpError.'),
  reason: preset(text('a reason'), 'InsufficientMargin', 'Reason, of reject.'),
  nonceConsumed: preset(flag, true, 'Does the rejection spend the nonce, of reject?'),
  laterMs: optional(
    integer(0),
    'Of reject: the bytes go into the log all the same, so many ms later.',
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
  api: ControlApi,
  { method, path, probability }: FaultValues,
): (request: ExchangeRequest) => boolean {
  if (path !== undefined && !path.startsWith('/'))
    throw invalidField('path', 'a path that begins with a slash', path);
  const below = path?.endsWith('*') === true ? path.slice(0, -1) : undefined;
  return (request) => {
    if (method !== 'any' && request.method !== method) return false;
    const [asked = ''] = request.path.split('?', 1);
    if (below !== undefined ? !asked.startsWith(below) : path !== undefined && asked !== path) return false;
    return probability === 1 || api.random.chance(probability);
  };
}

/** Rows of the table. */
export const FAULT_ACTIONS: readonly ControlAction[] = [
  action({
    name: 'fault',
    description: 'Disturbs requests that match. Of several that match, the oldest hits.',
    parameters: FAULT,
    gives: '`id`: for `clear-faults`',
    run: (api, asked) => {
      const end = api.exchange.control.disturb({
        fault: faultOf(asked),
        matches: matcherOf(api, asked),
        times: asked.times === 0 ? Number.POSITIVE_INFINITY : asked.times,
      });
      return { id: api.keepFault(end) };
    },
  }),
  action({
    name: 'clear-faults',
    description: 'Ends faults of requests.',
    parameters: { id: optional(integer(1), 'The fault.', 'all') },
    run: (api, { id }) => {
      api.endFaults(id);
      return {};
    },
  }),
  action({
    name: 'drop-frames',
    description: 'Every stream that is open loses its frames in silence, until `lag-streams`.',
    parameters: {},
    run: (api) => {
      api.exchange.control.dropFrames();
      return {};
    },
  }),
  action({
    name: 'lag-streams',
    description: 'Tells every stream `lagged`: by what `drop-frames` dropped, and `dropped` more.',
    parameters: { dropped: preset(integer(0, 1_000_000), 0, 'Frames that were not even counted.') },
    run: (api, { dropped }) => {
      api.exchange.control.forceLagged(dropped);
      return {};
    },
  }),
  action({
    name: 'repeat-lagged',
    description: 'Tells every stream `lagged` although nothing was dropped, with a bound that may be old.',
    parameters: { upperSeq: required(integer(0), 'The bound; at most the last position.') },
    run: (api, { upperSeq }) => {
      api.exchange.control.repeatLagged(upperSeq);
      return {};
    },
  }),
  action({
    name: 'disconnect',
    description: 'Closes every stream.',
    parameters: { code: preset(integer(1000, 4999), 1012, 'Close code of the WebSocket protocol.') },
    run: (api, { code }) => {
      if (
        code < 3000 &&
        ![1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014].includes(code)
      )
        throw invalidField('code', 'a close code that may be sent, such as 1001, 1012 or 4000', code);
      api.exchange.control.disconnectStreams(code);
      return {};
    },
  }),
  action({
    name: 'epoch',
    description:
      'Begins a new ledger: positions, balances, orders and nonces stay, cursors and receipts are void.',
    parameters: {
      epoch: optional(text('an epoch'), 'Its name.', 'made from clock and seed'),
      keepStreams: preset(flag, false, 'Leave streams open; a restart would cut them.'),
    },
    gives: '`epoch`, `seq`',
    run: (api, { epoch, keepStreams }) => {
      if (epoch === api.exchange.epoch) throw invalidField('epoch', `an epoch other than ${epoch}`, epoch);
      api.exchange.control.changeEpoch(epoch, { keepStreams });
      return { epoch: api.exchange.epoch, seq: api.exchange.seq };
    },
  }),
  action({
    name: 'history-gaps',
    description:
      'Tears holes into the history: pages and receipts that touch them end in 503. An empty list mends it.',
    parameters: { gaps: required(listOf(positions), 'Ranges of log positions.') },
    run: (api, { gaps }) => {
      api.exchange.control.setHistoryGaps(gaps);
      return {};
    },
  }),
  action({
    name: 'durability-lag',
    description: 'How long results stay pending and out of history from now on.',
    parameters: { lag: required(duration('1h'), 'The time; 0ms: none.') },
    run: (api, { lag }) => {
      api.exchange.control.setDurabilityLag(lag);
      return {};
    },
  }),
  action({
    name: 'restart',
    description:
      'Restarts the exchange: for a while nobody is at home, then it goes on where it was. Streams are cut.',
    parameters: { down: preset(duration('1h'), 1_000, 'How long.') },
    run: (api, { down }) => {
      if (api.exchange.isDown) throw refused('the exchange is down', 'Wait until it is back.');
      api.exchange.control.restart({ downMs: down });
      return {};
    },
  }),
];
