/**
 * @module
 * The numbers of codec version 1: version, tags, sides, times in force (exchange.md#command-bytes). Tags are
 * append-only.
 */
import type { CanonicalCommand, Side, TimeInForce } from '../../../domain/index.ts';

/** The first byte of every command. Clients stop when the exchange reports another version. */
export const CODEC_VERSION = 1;

/** The second byte of every command. `CancelAll` is in no known codec: x-assumed. */
export const COMMAND_TAGS = {
  PlaceOrder: 0x05,
  CancelOrder: 0x06,
  SetLeverage: 0x0a,
  BatchCancel: 0x0f,
  PlaceConditional: 0x11,
  CancelConditional: 0x12,
  PlaceTwap: 0x13,
  CancelTwap: 0x14,
  ModifyOrder: 0x15,
  ScheduleCancel: 0x16,
  PlaceTpslPair: 0x17,
  BatchPlace: 0x31,
  BatchReplace: 0x3e,
  CancelAll: 0xf0,
} as const satisfies Record<CanonicalCommand['kind'], number>;

/** The byte of a side. */
export const SIDE_CODES = { buy: 0, sell: 1 } as const satisfies Record<Side, number>;

/** The byte of a time in force. */
export const TIME_IN_FORCE_CODES = {
  gtc: 0,
  ioc: 1,
  postOnly: 2,
  fok: 3,
} as const satisfies Record<TimeInForce, number>;
