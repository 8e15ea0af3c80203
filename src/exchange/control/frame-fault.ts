/** @module The control action that disturbs single frames on their way to subscribers. */
import {
  actionsOn,
  durationFrom,
  integerFrom,
  lineOf,
  listOf,
  oneOf,
  optional,
  preset,
  required,
  type ValuesOf,
} from '../../core/index.ts';
import { channelOf, type FrameFault, jsonEdit } from '../api/index.ts';
import type { ControlTarget } from './control-target.ts';
import { fieldPath, integersByPath, valuesByPath } from './kinds.ts';

const action = actionsOn<ControlTarget>();

const EDITS: ReadonlySet<string> = new Set(['set', 'add', 'keep', 'freeze']);

/** What of `set`, `add`, `keep` and `freeze` was asked for. */
export function editOf<Edit extends object>(asked: Edit): { [Name in keyof Edit]?: NonNullable<Edit[Name]> } {
  return Object.fromEntries(
    Object.entries(asked).filter(([name, value]) => EDITS.has(name) && value !== undefined),
  ) as { [Name in keyof Edit]?: NonNullable<Edit[Name]> };
}

const FRAME_FAULT = {
  kind: required(oneOf('lose', 'repeat', 'delay', 'change'), 'What happens to a frame.'),
  channel: optional(lineOf('a channel'), 'Frames of this channel.', 'all'),
  containing: optional(lineOf('text of a frame'), 'Frames that hold this text.', 'all'),
  skip: preset(integerFrom(0, 1_000_000), 0, 'Matching frames that pass before the first that is hit.'),
  times: preset(
    integerFrom(0, 1_000_000),
    1,
    'Frames that are hit, over all streams; 0: all, until `clear-faults`.',
  ),
  delay: preset(durationFrom('1ms', '1h'), 1_000, 'Of delay. The channel keeps its order, others pass.'),
  set: optional(valuesByPath, 'Of change: values of fields.', 'none'),
  add: optional(integersByPath, 'Of change: what is added to integers.', 'none'),
  keep: optional(listOf(fieldPath), 'Of change: the fields of `data` that are left.', 'all'),
  freeze: optional(
    listOf(fieldPath),
    'Of change: fields that stay as they were in the first frame of their symbol that is hit.',
    'none',
  ),
};
type FrameFaultValues = ValuesOf<typeof FRAME_FAULT>;

function frameFaultOf(asked: FrameFaultValues): FrameFault {
  const { kind, delay: delayMs } = asked;
  if (kind === 'delay') return { kind, delayMs };
  return kind === 'change' ? { kind, edit: jsonEdit(editOf(asked)) } : { kind };
}

/** A row of the table. */
export const FRAME_FAULT_ACTION = action({
  name: 'frame-fault',
  description:
    'Disturbs frames that match, in silence: no `lagged` follows. Of several that match, the oldest hits.',
  parameters: FRAME_FAULT,
  gives: '`id`: for `clear-faults`',
  run: (control, asked) => {
    const { channel, containing = '', skip, times } = asked;
    const end = control.parts.publisher.faults.add({
      fault: frameFaultOf(asked),
      matches: (text) => (channel === undefined || channelOf(text) === channel) && text.includes(containing),
      skip,
      times: times === 0 ? Number.POSITIVE_INFINITY : times,
    });
    return { id: control.keepFault(end) };
  },
});
