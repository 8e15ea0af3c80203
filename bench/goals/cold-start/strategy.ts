/** @module The strategy of G19: it only has to be started. */
import { defineStrategy, param } from 'ballast/strategy';
import { coldPort } from './cold-port.ts';

export default defineStrategy({
  name: 'cold',
  parameters: param.object({}),
  create: () => ({ onStart: () => coldPort.onReady() }),
});
