/**
 * @module
 * Where this installation of ballast is, whichever file of it asks. What is built becomes part of larger files, so no module
 * looks for another one beside itself.
 */
import { findPackageJSON } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder that holds its `package.json`. */
export const INSTALLATION = dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);

const IS_SOURCE = import.meta.url.endsWith('.ts');

/** The folder of the code that runs, as source or as built, with a separator at its end. */
export const OWN_CODE = join(INSTALLATION, ...(IS_SOURCE ? ['src'] : ['dist', 'src']), sep);

/**
 * A module that is loaded by its place: the file of a thread or a process, or a large library that few commands need.
 * `name` is its path in `src` without an ending, as a literal: the build keeps a file for each that it finds.
 */
export function ownModule(name: string): URL {
  return pathToFileURL(join(OWN_CODE, `${name}${IS_SOURCE ? '.ts' : '.js'}`));
}
