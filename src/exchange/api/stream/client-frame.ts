/**
 * @module Frames of a client: their head is read before anything is done, so that each answer bears the id of its frame.
 */
import { isRecord, parseJson } from '../../../core/index.ts';

/** The longest client frame (own choice); no subscription needs more. */
const CLIENT_FRAME_LENGTH_MAX = 65_536;
const FIELDS: ReadonlySet<string> = new Set(['method', 'params', 'id']);

/** A frame whose method and params are to be looked at. `id`: the field as every answer carries it, empty without one. */
export type ClientFrame =
  | { readonly id: string; readonly method: unknown; readonly params: unknown }
  | { readonly id: string; readonly problem: string };

/** The frame of `text`, or what is wrong with its head. */
export function readClientFrame(text: string): ClientFrame {
  const frame = parsed(text);
  if (frame === undefined) return { id: '', problem: 'expected a JSON object with a method' };
  const { id, method, params } = frame;
  const problem = problemOf(frame);
  return { id: idField(id), ...(problem === undefined ? { method, params } : { problem }) };
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (text.length > CLIENT_FRAME_LENGTH_MAX) return undefined;
  try {
    const frame = parseJson(text);
    return isRecord(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

function problemOf(frame: Readonly<Record<string, unknown>>): string | undefined {
  const { id, method } = frame;
  const isId = id === undefined || typeof id === 'string' || Number.isSafeInteger(id);
  if (!isId) return 'expected id as text or an integer';
  const unknown = Object.keys(frame).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return `expected no field ${JSON.stringify(unknown.slice(0, 40))} in a frame`;
  return method === 'ping' && 'params' in frame ? 'expected ping without params' : undefined;
}

/** The id as it came, also where it is refused; of a list or an object nothing. */
function idField(id: unknown): string {
  if (id === undefined || (typeof id === 'object' && id !== null)) return '';
  return `,"id":${typeof id === 'bigint' ? id : JSON.stringify(id)}`;
}
