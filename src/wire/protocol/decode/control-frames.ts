/** @module Frames about the connection: acknowledgements, pong, errors, lagged. */
import {
  fieldOf,
  ID,
  INTEGER,
  type JsonObject,
  OBJECT,
  oneOf,
  optionalOf,
  TEXT,
} from '../../../core/index.ts';
import type { Epoch } from '../../../domain/index.ts';
import { CHANNELS, type Channel, type SubscriptionParams } from '../channels.ts';
import { optionalEpoch } from './fields.ts';
import type { ControlFrame } from './frame-types.ts';

/** The frame of a control channel; `undefined` when `channel` is none. */
export function readControlFrame(channel: string, frame: JsonObject): ControlFrame | undefined {
  switch (channel) {
    case 'subscribed': {
      const data = fieldOf(frame, 'data', OBJECT);
      const params = readParams(data);
      return {
        channel,
        params,
        epoch: optionalEpoch(frame) ?? optionalEpoch(data),
        id: requestIdOf(frame),
      };
    }
    case 'unsubscribed': {
      const data = frame['data'];
      const params = data === undefined ? undefined : readParams(fieldOf(frame, 'data', OBJECT));
      return { channel, params, id: requestIdOf(frame) };
    }
    case 'pong': {
      const data = frame['data'];
      return {
        channel,
        tsMs:
          data === undefined
            ? undefined
            : optionalOf(fieldOf(frame, 'data', OBJECT), 'ts', INTEGER, undefined),
      };
    }
    case 'error': {
      const data = fieldOf(frame, 'data', OBJECT);
      const message = optionalOf(data, 'message', TEXT, '');
      return { channel, code: optionalOf(data, 'code', ID, 'Unspecified'), message, id: requestIdOf(frame) };
    }
    case 'lagged': {
      const data = fieldOf(frame, 'data', OBJECT);
      return {
        channel,
        dropped: optionalOf(data, 'dropped', INTEGER, 0),
        epoch: fieldOf(data, 'epoch', ID) as Epoch,
        upper: fieldOf(data, 'upper', ID),
      };
    }
    default:
      return undefined;
  }
}

/** The id of a request of ours, which was an integer. */
function requestIdOf(frame: JsonObject): number | undefined {
  return optionalOf(frame, 'id', INTEGER, undefined);
}

const CHANNEL = oneOf(...CHANNELS);

function readParams(data: JsonObject): SubscriptionParams {
  const channel: Channel = fieldOf(data, 'channel', CHANNEL);
  const symbol = optionalOf(data, 'symbol', TEXT, undefined);
  const interval = optionalOf(data, 'interval', TEXT, undefined);
  const address = optionalOf(data, 'address', TEXT, undefined)?.toLowerCase();
  const vault = optionalOf(data, 'vault', ID, undefined);
  const depth = optionalOf(data, 'depth', INTEGER, undefined);
  const subaccount = optionalOf(data, 'subaccount', INTEGER, undefined);
  return {
    channel,
    ...(symbol === undefined ? {} : { symbol }),
    ...(depth === undefined ? {} : { depth }),
    ...(interval === undefined ? {} : { interval }),
    ...(address === undefined ? {} : { address }),
    ...(subaccount === undefined ? {} : { subaccount }),
    ...(vault === undefined ? {} : { vault }),
  };
}
