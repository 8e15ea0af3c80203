/** @module Turns frames, snapshots and history into facts about markets and account, and says when they cannot be trusted. */

export { type WalkGoal, walkHistory } from './account/history-walk.ts';
export { JoinDeadline } from './account/join-deadline.ts';
export { BUFFERED_MAX } from './account/resync-state.ts';
export { Backoff } from './backoff.ts';
export { AppliedIds, isCursor } from './cursors.ts';
export { type NamedFeed, startFeeds } from './feeds.ts';
export { overloadText } from './frame-backlog.ts';
export { createMarketStream, type MarketOnlyStream } from './market-only.ts';
export type { EffectJournal, HistoryReader } from './ports.ts';
export { createStream, type Stream } from './stream.ts';
export { type ConnectionState, StreamConnection } from './stream-connection.ts';
export { checkSubscription, isAccountChannel, subscriptionKey } from './subscriptions.ts';
