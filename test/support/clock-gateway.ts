/** @module A gateway of which nothing is asked but the time. */
import { seededRandom, silentLog, silentMeter, type VirtualClock } from '../../src/core/index.ts';
import { createGateway, type Gateway, type Transport } from '../../src/wire/gateway/index.ts';

/** One on `clock` that answers each question by `request`. */
export function aClockGateway(clock: VirtualClock, request: Transport['request']): Gateway {
  const open = () => {
    throw new Error('no socket is needed');
  };
  return createGateway({
    ...{ clock, random: seededRandom('clock'), log: silentLog, meter: silentMeter },
    baseUrl: 'http://127.0.0.1:1',
    transport: { request, open },
  });
}
