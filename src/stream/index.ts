/** @module Turns frames, snapshots and history into facts about markets and account, and says when they cannot be trusted. */
export type { AccountState } from './account/seam.ts';
export type { ConnectionState, Pong } from './connection.ts';
export type {
  EffectJournal,
  FrameTap,
  HistoryReader,
  PageQuery,
  PageResult,
  ReadResult,
  Socket,
  SocketEvents,
  SocketFactory,
  StreamWishes,
} from './ports.ts';
export { createStream, type Stream, type StreamOptions, type StreamState } from './stream.ts';
