/**
 * The last step of `npm run build`: puts viem into the one compiled file that uses it, and the licenses of what went in
 * beside it. Why: docs/decisions/0018-viem-inside-the-package.md.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/src/wire/gateway/signing');

const bundle = await rolldown({ input: join(folder, 'viem.js'), platform: 'node' });
const { output } = await bundle.write({ file: join(folder, 'viem.js'), format: 'esm', minify: false });
await bundle.close();

/** `@noble/curves` of a path in the folder of packages; of packages inside of packages the innermost. */
const packageOf = (path: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
const packages = [...new Set(Object.keys(output[0].modules).flatMap((path) => packageOf(path) ?? []))].sort();
const notices = packages.map((path) => {
  const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = ['LICENSE', 'LICENSE.md', 'license'].map((each) => join(path, each)).find(existsSync);
  if (file === undefined)
    throw new Error(`${path} has no license file; a package that holds its code needs one`);
  return `${name} ${version}\n\n${readFileSync(file, 'utf8').trim()}\n`;
});
writeFileSync(join(folder, 'viem.licenses.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
// It names packages that an installation does not have, and no type of ours needs it.
rmSync(join(folder, 'viem.d.ts'));
