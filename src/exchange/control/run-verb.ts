/** @module One verb, asked for by name with parameters that nobody has read yet. */
import type { ControlDesk } from './control-target.ts';
import { invalidField, invalidFields } from './errors.ts';
import { readParameters } from './parameters.ts';
import { verbOf } from './table.ts';

/** Carries out a verb and gives what it gives. @throws BotError `CONTROL_INVALID`, `CONTROL_REFUSED`. */
export async function runVerb(desk: ControlDesk, name: string, input: unknown): Promise<object> {
  const verb = verbOf(name);
  if (verb === undefined) throw invalidField('verb', 'a verb of docs/reference/control.md', name);
  const read = readParameters(verb.parameters, input);
  if ('problems' in read) throw invalidFields(read.problems);
  return verb.run(desk, read.values);
}
