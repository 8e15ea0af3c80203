/** @module The form of a row of the table of control verbs. */
import type { ControlDesk } from './control-target.ts';
import type { Parameters, ValuesOf } from './parameters.ts';

/** One thing that can be done to an exchange from outside its interface. */
export interface Verb {
  /** As in the path, `/control/<name>`, and in scenarios, `do: <name>`. */
  readonly name: string;
  /** A sentence. */
  readonly about: string;
  readonly parameters: Parameters;
  /** What the answer holds. */
  readonly gives: string;
  /** May a scenario do it? What asks, or moves time, may not. */
  readonly isForScenarios: boolean;
  /** Works only on what it reads, and may be asked with GET. */
  readonly isRead: boolean;
  run(desk: ControlDesk, values: Readonly<Record<string, unknown>>): object | Promise<object>;
}

/** A row of the table. @throws BotError `CONTROL_INVALID` and `CONTROL_REFUSED` from its `run`. */
export function verb<const P extends Parameters>(row: {
  readonly name: string;
  readonly about: string;
  readonly parameters: P;
  readonly gives?: string;
  readonly isForScenarios?: boolean;
  readonly isRead?: boolean;
  run(desk: ControlDesk, values: ValuesOf<P>): object | Promise<object>;
}): Verb {
  return {
    gives: 'nothing',
    isForScenarios: true,
    isRead: false,
    ...row,
    run: (desk, values) => row.run(desk, values as ValuesOf<P>),
  };
}
