/** @module A venue that looks at each row: `takeRows` by `onRow` alone. */
import type { LocalVenue } from '../../src/research/venue/index.ts';
import { takeUntil } from '../../src/research/venue/taking.ts';

/** Adds that to a venue. */
export function rowByRow<T extends Pick<LocalVenue, 'onRow' | 'dueUs'>>(
  venue: T,
): T & Pick<LocalVenue, 'takeRows'> {
  const takeRows: LocalVenue['takeRows'] = (rows, from, to, limitUs) =>
    takeUntil(venue, [], rows, from, to, limitUs);
  return Object.assign(venue, { takeRows });
}
