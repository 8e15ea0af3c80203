/**
 * @module
 * Preloaded into a process by NODE_OPTIONS: at its end it leaves a file in the folder `LOADED_FOLDER` that names the
 * packages and the rooms it has loaded. Erasable syntax alone: Node runs it as it is.
 */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { roomOf } from '../tidy/source.ts';

const folder = process.env['LOADED_FOLDER'];
const loaded = new Set<string>();

/** `viem`, `@noble/curves` or `src/wire/gateway`; `undefined`: a file of no package and no room. */
function placeOf(url: string): string | undefined {
  const found = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1];
  if (found !== undefined) return found;
  const room = roomOf(/\/(src\/.*)$/.exec(url)?.[1] ?? '');
  return room === undefined ? undefined : `src/${room}`;
}

registerHooks({
  load(url, context, next) {
    const place = placeOf(url);
    if (place !== undefined) loaded.add(place);
    return next(url, context);
  },
});

process.on('exit', () => {
  if (folder !== undefined)
    writeFileSync(join(folder, String(process.pid)), JSON.stringify([...loaded].sort()));
});
