/**
 * @module
 * The door of the guardian of a run: what a person reaches while the run itself does not answer. The guardian never writes
 * beside a run that lives, so it ends the run first, and it closes no positions: it has no market data and no risk checks.
 */
import { type ActionOn, actionRefused, actionsOn, type Log, runAction } from '../../core/index.ts';
import type { Instruction } from '../kernel/index.ts';
import { WHY } from './actions.ts';
import { removeControl, writeControl } from './control-file.ts';
import type { ActionAnswer } from './documents.ts';
import { operatorOpenApi } from './openapi.ts';
import { findRun, listRun } from './run-list.ts';

/** Whose guardian it is, and where its door is found. */
export interface GuardedDoor {
  readonly runId: string;
  /** Folder of the run. */
  readonly folder: string;
  /** The token of the run. */
  readonly token: string;
  /** Folder of the list of runs. */
  readonly runsFolder: string;
}

/** How a guardian ended the run. */
export interface GuardianEnd {
  readonly isProven: boolean;
  readonly text: string;
}

/** What the door asks of the guardian. */
export interface GuardianDoorOptions extends GuardedDoor {
  readonly log: Log;
  /** Ends the run and cancels everything; `undefined`: no order may rest, so there is nothing to do. */
  cancelAll(order: Instruction): Promise<GuardianEnd> | undefined;
}

/** A door of a guardian that is open. */
export interface GuardianDoor {
  /** Closes it. `end`: the guardian has ended the run, and the list of runs says so. */
  close(end?: GuardianEnd & { readonly atMs: number }): void;
}

const action = actionsOn<GuardianDoorOptions>();

const ACTIONS = [
  action({
    name: 'cancel-all',
    description: 'Ends the run and cancels every order of the account.',
    parameters: WHY,
    gives: 'an answer that is confirmed when it is proven that no order is open',
    run: async (guardian, order): Promise<ActionAnswer> => {
      const end = guardian.cancelAll(order);
      if (end === undefined)
        throw actionRefused(
          'expected a run whose orders may rest, got one that starts or has ended',
          'no order of it is open',
        );
      const { isProven, text } = await end;
      return {
        ...{ action: 'cancel-all', scope: 'account', before: 'no answer', after: 'ended by its guardian' },
        ...{ isConfirmed: isProven, waitsFor: isProven ? [] : [text], halts: [] },
      };
    },
  }),
  action({
    name: 'flatten',
    description: 'Is refused: see the module.',
    parameters: WHY,
    gives: 'nothing',
    run: (): object => {
      throw actionRefused(
        'expected the run to close its positions, got its guardian, which has no market data and no risk checks',
        'cancel-all at the guardian, then start the run again and flatten it',
      );
    },
  }),
] as const satisfies readonly ActionOn<GuardianDoorOptions>[];

/** Opens the door. @throws what the network and the file system answer. */
export async function openGuardianDoor(options: GuardianDoorOptions): Promise<GuardianDoor> {
  const { folder, token, runId, runsFolder, log } = options;
  const { openDoor } = await import('./door.ts');
  const door = await openDoor({
    ...{ port: 0, token, log, document: operatorOpenApi(), reads: ['run'], probes: new Map() },
    actions: ACTIONS.map(({ name }) => name),
    read: () => ({ runId, state: 'guarded' }),
    act: (name, body) => {
      const found = ACTIONS.find((one) => one.name === name);
      return found === undefined ? {} : runAction<GuardianDoorOptions>(found, options, body);
    },
  });
  writeControl(folder, 'guardian', { runId, baseUrl: door.baseUrl, token });
  return {
    close: (end) => {
      door.close();
      removeControl(folder, 'guardian');
      if (end === undefined) return;
      removeControl(folder, 'control');
      const { atMs, isProven, text } = end;
      const run = findRun(runsFolder, runId);
      if (run.ended === undefined) listRun(runsFolder, { ...run, ended: { atMs, reason: text, isProven } });
    },
  };
}
