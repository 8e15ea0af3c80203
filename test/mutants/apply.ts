/**
 * @module
 * Makes a mutant: changes the texts of sources, and has Node load those in place of the files'. Production code carries
 * no switches for it.
 */
import { registerHooks } from 'node:module';
import type { Change, Patch } from './mutant.ts';

/** The changes of a mutant, or of any other wrong product. */
export function changesOf({ file, find, replace, also = [] }: Patch): readonly Change[] {
  return [{ file, find, replace }, ...also];
}

/** `text` with a change in it. @throws Error when what is to be changed does not stand there exactly once. */
export function changed(text: string, { file, find, replace }: Change): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`expected this once in ${file}, got ${count} times: ${find}`);
  if (find === replace) throw new Error(`expected a change in ${file}, got none: ${find}`);
  return text.replace(find, () => replace);
}

/**
 * From now on this process loads the mutant. To be called before anything of the product is imported. `root`: the
 * address of the project's folder, with a slash at its end. Returns the files that were not loaded by now.
 */
export function install(mutant: Patch, root: string): () => readonly string[] {
  const changes = Map.groupBy(changesOf(mutant), ({ file }) => new URL(file, root).href);
  const waiting = new Map([...changes].map(([url, [first]]) => [url, first?.file ?? url]));
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const here = changes.get(url);
      if (here === undefined) return loaded;
      waiting.delete(url);
      const { source } = loaded;
      if (source === undefined || source === null) throw new Error(`expected the text of ${url}, got none`);
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
      return { ...loaded, source: here.reduce(changed, text) };
    },
  });
  return () => [...waiting.values()];
}
