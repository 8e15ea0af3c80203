/** @module One action, asked for by name with parameters that nobody has read yet. */
import type { ControlApi } from './control-api.ts';
import { invalidField, invalidFields } from './errors.ts';
import { readParameters } from './parameters.ts';
import { controlActionOf } from './table.ts';

/** Carries out an action and gives what it gives. @throws BotError `CONTROL_INVALID`, `CONTROL_REFUSED`. */
export async function runControlAction(api: ControlApi, name: string, input: unknown): Promise<object> {
  const action = controlActionOf(name);
  if (action === undefined) throw invalidField('action', 'an action of docs/reference/control.md', name);
  const read = readParameters(action.parameters, input);
  if ('problems' in read) throw invalidFields(read.problems);
  return action.run(api, read.values);
}
