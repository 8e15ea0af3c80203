/**
 * @module
 * Fails the first try of each test that has a second one, so that a second try is seen to work: what a first try leaves
 * behind (folders, accounts, ports) must not stand in its way. `npm run prove -- second-tries` loads it.
 */
import { afterEach } from 'vitest';

afterEach(({ task }) => {
  if ((task.result?.retryCount ?? 0) === 0) throw new Error('the first try fails on purpose');
});
