/** @module ballast as its user has it: packed, and installed into a folder of its own. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../show.ts';
import { must } from './environment.ts';

/** The launcher of a package that is built from the sources in `root` and installed below `folder`. @throws Error when npm fails. */
export function installBallast(root: string, folder: string): string {
  say('bench:peers: building the package and installing it');
  const place = join(folder, 'installed');
  mkdirSync(place, { recursive: true });
  must('npm', ['pack', root, '--silent', '--pack-destination', place]);
  const file = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '';
  must('npm', ['install', '--silent', '--no-audit', '--prefix', place, join(place, file)]);
  return join(place, 'node_modules', 'ballast', 'bin', 'ballast.mjs');
}
