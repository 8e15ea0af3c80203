/** @module A strategy without a number among its parameters, which does nothing. */
import { defineStrategy, param } from '../../src/bot/strategy/index.ts';

/** See the module. */
export default defineStrategy({
  name: 'no-number',
  parameters: param.object({ mode: param.choice(['fast', 'slow']) }),
  create: () => ({}),
});
