/** @module The version of ballast. */

/** As in package.json: journals, runs and messages name it. */
export const VERSION = '0.1.0';
