/** @module Tells people what goes wrong with a run, over channels that never stand in its way. */
export { ALERT_KINDS } from './alert.ts';
export type { ChannelPlan } from './channels.ts';
export { type AlertPlan, openDesk } from './desk.ts';
export { postByNetwork } from './network.ts';
export { sendOnce } from './once.ts';
