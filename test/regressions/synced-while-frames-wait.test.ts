/**
 * Symptom: quotes came back 19 s after `lagged` without a snapshot: its bound lay far beyond the known end of the log, so it
 * waited, and every frame behind it, for an answer that did not come; an audit that ended meanwhile took the account for
 * synced. What waits for a proven position is missing, whatever it is (obligations O95, O103).
 */
import { describe, expect, test } from 'vitest';
import {
  accountFrame,
  aFill,
  anAccount,
  aScene,
  EPOCH,
  type Scene,
  ScriptedHistory,
  statesAt,
} from '../unit/wire/stream/scripted.ts';

const FAR = 900_000_000_000;
const lagged = { channel: 'lagged', data: { dropped: 1, epoch: EPOCH, upper: `${FAR}-65535-4294967295` } };
const FRAMES = [
  ['lagged', lagged],
  ['a fill', accountFrame('fills', FAR, aFill(`${FAR}-0-0`))],
  ['an account', accountFrame('account', FAR, anAccount(), { isSnapshot: false })],
] as const;

/** Synced; audits are answered, and how far the log goes is told only once `isTold`. */
async function aSyncedScene(): Promise<{ scene: Scene; tell(seq: number): void }> {
  const history = new ScriptedHistory();
  history.body = statesAt(10);
  const audited = history.positions;
  let told: number | undefined;
  history.positions = async (_selection?: unknown, minSeq?: unknown) => {
    if (minSeq !== undefined) return await audited();
    return told === undefined ? { kind: 'retry', why: 'no room' } : statesAt(told)('positions');
  };
  const scene = aScene({ history });
  await scene.sync();
  expect(scene.stream.state().account.isSynced).toBe(true);
  return {
    scene,
    tell: (seq) => {
      told = seq;
    },
  };
}

describe.each(FRAMES)('%s at a position that nobody has proven', (_name, frame) => {
  test('degrades the account within half a second, and no audit makes it synced', async () => {
    const { scene } = await aSyncedScene();
    scene.socket().frame(frame);
    await scene.advance(500);
    expect(scene.stream.state().account.isSynced).toBe(false);
    const degraded = scene.of('AccountDegraded').length;
    const reads = scene.history.bodies.length;
    await scene.advance(5_000);
    expect(scene.history.bodies.length).toBeGreaterThan(reads);
    expect(scene.of('AccountSynced')).toHaveLength(1);
    expect(scene.of('AccountDegraded')).toHaveLength(degraded);
  });

  test('is left with its connection once the exchange says that its log ends before it', async () => {
    const { scene, tell } = await aSyncedScene();
    const socket = scene.socket();
    scene.socket().frame(frame);
    tell(12);
    await scene.advance(10_000);
    expect(socket.isClosed).toBe(true);
  });
});

describe('a jump that the exchange confirms', () => {
  const jump = accountFrame('account', 20_000, anAccount(), { isSnapshot: false });

  test('at once: the account stays synced', async () => {
    const { scene, tell } = await aSyncedScene();
    const degraded = scene.of('AccountDegraded').length;
    tell(20_000);
    scene.socket().frame(jump);
    await scene.advance(1_000);
    expect(scene.stream.state().account).toMatchObject({ isSynced: true, seq: 20_000n });
    expect(scene.of('AccountDegraded')).toHaveLength(degraded);
  });

  test('late: it is synced again, on the same connection', async () => {
    const { scene, tell } = await aSyncedScene();
    scene.socket().frame(jump);
    await scene.advance(1_000);
    expect(scene.stream.state().account.isSynced).toBe(false);
    tell(20_000);
    await scene.advance(1_000);
    expect(scene.stream.state().account.isSynced).toBe(true);
    expect(scene.sockets).toHaveLength(1);
  });
});
