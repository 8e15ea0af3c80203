/** @module P15: no order rests unless the dead man's switch is armed and confirmed. */
import type { OrderCheck } from '../check.ts';

/** Checks that the switch will outlive the order's first seconds. */
export const switchArmed: OrderCheck = {
  control: 'P15',
  codes: ['RISK_SWITCH_NOT_ARMED'],
  review(_spec, scene) {
    const { isSwitchRequired, switchRemainingMsMin } = scene.limits;
    if (!isSwitchRequired) return undefined;
    const { armedUntilMs, switchHeldReasons } = scene.view.account;
    const remainingMs = armedUntilMs === undefined ? 0 : armedUntilMs - scene.serverNowMs;
    // Held back: the health is red, and what is armed now will not be renewed.
    if (remainingMs >= switchRemainingMsMin && switchHeldReasons.length === 0) return undefined;
    const held = switchHeldReasons.length === 0 ? '' : ` (held back: ${switchHeldReasons.join(', ')})`;
    return {
      code: 'RISK_SWITCH_NOT_ARMED',
      message: `expected the switch to be armed for ${switchRemainingMsMin} ms or more, got ${Math.max(0, remainingMs)} ms${held}`,
    };
  },
};
