/** @module What a case of `npm run prove -- force` is: a bot, what is done to it, and how its orders went. */
import type { Random } from '../../../src/core/index.ts';
import type { LiveRig } from '../../../test/support/live-rig.ts';
import type { Going } from './book-log.ts';
import type { Scene } from './scene.ts';

/** What a case has at hand apart from the rig. */
export interface CaseTools {
  /** Name of its bot, another one each time. */
  readonly name: string;
  readonly random: Random;
}

/** One way to do violence to a bot. */
export interface ForceCase {
  readonly name: string;
  readonly what: string;
  run(rig: LiveRig, tools: CaseTools): Promise<{ readonly going: Going; readonly scene: Scene }>;
}
