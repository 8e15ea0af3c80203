/** @module The form of a row of the table of control actions. */
import type { ControlApi } from './control-api.ts';
import type { Parameters, ValuesOf } from './parameters.ts';

/** One thing that can be done to an exchange from outside its interface. */
export interface ControlAction {
  /** As in the path, `/control/<name>`, and in scenarios, `do: <name>`. */
  readonly name: string;
  /** A sentence. */
  readonly description: string;
  readonly parameters: Parameters;
  /** What the answer holds. */
  readonly gives: string;
  /** May a scenario do it? What asks, or moves time, may not. */
  readonly isForScenarios: boolean;
  /** Works only on what it reads, and may be asked with GET. */
  readonly isRead: boolean;
  run(api: ControlApi, values: Readonly<Record<string, unknown>>): object | Promise<object>;
}

/** A row of the table. @throws BotError `CONTROL_INVALID` and `CONTROL_REFUSED` from its `run`. */
export function action<const P extends Parameters>(row: {
  readonly name: string;
  readonly description: string;
  readonly parameters: P;
  readonly gives?: string;
  readonly isForScenarios?: boolean;
  readonly isRead?: boolean;
  run(api: ControlApi, values: ValuesOf<P>): object | Promise<object>;
}): ControlAction {
  return {
    gives: 'nothing',
    isForScenarios: true,
    isRead: false,
    ...row,
    run: (api, values) => row.run(api, values as ValuesOf<P>),
  };
}
