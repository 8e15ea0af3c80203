/** @module The strategy of G18: a bid and an ask around the market, which follow it. */
import { defineStrategy, param } from 'ballast/strategy';
import { quoteAround } from '../../quote-around.ts';
import { soakPort } from './soak-port.ts';

const DISTANCE = 0.002;

export default defineStrategy({
  name: 'soak',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => ({
    onStart: () => soakPort.onReady(),
    onBook: (view) => quoteAround(context, view, { size, distance: DISTANCE, slack: 1 / 4 }),
  }),
});
