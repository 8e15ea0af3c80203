/** @module Turns frames, snapshots and history into facts about markets and account, and says when they cannot be trusted. */

export { type WalkGoal, type WalkResult, type WalkSteps, walkHistory } from './account/history-walk.ts';
export { type AccountState, BUFFERED_MAX } from './account/seam-state.ts';
export { Backoff } from './backoff.ts';
export {
  Connection,
  type ConnectionListener,
  type ConnectionOptions,
  type ConnectionState,
  type Lag,
  type Pong,
} from './connection.ts';
export { AppliedIds, isCursor, seqOfCursor } from './cursors.ts';
export {
  FEED_CHARS_MAX,
  type Feeds,
  type FeedsOptions,
  type NamedFeed,
  startFeeds,
} from './feeds.ts';
export { createMarketStream, type MarketOnlyStream, type MarketStreamParts } from './market-only.ts';
export type {
  EffectJournal,
  FeedEvents,
  FeedSource,
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
export { checkSubscription, subscriptionKey } from './subscriptions.ts';
