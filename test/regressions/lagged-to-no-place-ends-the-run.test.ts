import { describe, expect, test } from 'vitest';
import { aScene, EPOCH } from '../unit/wire/stream/scripted.ts';

describe('a lagged frame whose bound is no place in history', () => {
  test.each(['-54-65535-4294967295', '', 'x', '1-2'])(
    '%o: a new connection, no error (O98, O104)',
    async (upper) => {
      const scene = aScene();
      await scene.sync();
      expect(scene.stream.state().account.isSynced).toBe(true);
      const socket = scene.socket();
      socket.frame({ channel: 'lagged', data: { dropped: 3, epoch: EPOCH, upper } });
      await scene.advance(10);
      expect(scene.stream.state().account).toMatchObject({ isSynced: false });
      await scene.advance(10_000);
      expect(scene.socket()).not.toBe(socket);
    },
  );
});
