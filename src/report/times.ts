/** @module Times of a report as text. */

/** An instant as ISO 8601 in UTC with milliseconds. */
export function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}
