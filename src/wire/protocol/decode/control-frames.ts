/** @module Frames about the connection: acknowledgements, pong, errors, lagged. */
import type { Epoch } from '../../../domain/index.ts';
import { CHANNELS, type Channel, type SubscriptionParams } from '../wire/frames.ts';
import {
  choiceOf,
  type Fields,
  idOf,
  objectOf,
  optionalId,
  optionalInteger,
  optionalText,
} from './fields.ts';
import type { ControlFrame } from './frame-types.ts';

/** The frame of a control channel; `undefined` when `channel` is none. */
export function readControlFrame(channel: string, frame: Fields): ControlFrame | undefined {
  switch (channel) {
    case 'subscribed': {
      const params = readParams(objectOf(frame['data'], 'data'));
      return {
        channel,
        params,
        epoch: optionalId(frame, 'epoch') as Epoch | undefined,
        id: requestIdOf(frame),
      };
    }
    case 'unsubscribed': {
      const data = frame['data'];
      const params = data === undefined ? undefined : readParams(objectOf(data, 'data'));
      return { channel, params, id: requestIdOf(frame) };
    }
    case 'pong': {
      const data = frame['data'];
      return {
        channel,
        tsMs: data === undefined ? undefined : optionalInteger(objectOf(data, 'data'), 'ts', undefined),
      };
    }
    case 'error': {
      const data = objectOf(frame['data'], 'data');
      const message = optionalText(data, 'message') ?? '';
      return { channel, code: optionalId(data, 'code') ?? 'Unspecified', message, id: requestIdOf(frame) };
    }
    case 'lagged': {
      const data = objectOf(frame['data'], 'data');
      return {
        channel,
        dropped: optionalInteger(data, 'dropped', 0),
        epoch: idOf(data, 'epoch') as Epoch,
        upper: idOf(data, 'upper'),
      };
    }
    default:
      return undefined;
  }
}

/** The id of a request of ours, which was an integer. */
function requestIdOf(frame: Fields): number | undefined {
  return optionalInteger(frame, 'id', undefined);
}

function readParams(data: Fields): SubscriptionParams {
  const channel: Channel = choiceOf(data, 'channel', CHANNELS);
  const symbol = optionalText(data, 'symbol');
  const interval = optionalText(data, 'interval');
  const address = optionalText(data, 'address')?.toLowerCase();
  const vault = optionalId(data, 'vault');
  const depth = optionalInteger(data, 'depth', undefined);
  const subaccount = optionalInteger(data, 'subaccount', undefined);
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
