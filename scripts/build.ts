/**
 * What `npm run build` does after the types: puts the code of `src` into few files, so that a command finds and reads dozens of
 * them in place of hundreds. Each door of package.json, the command line, and each module that is loaded by its place
 * (`ownModule`) keeps its name; what they share is in `chunks`. Why: docs/decisions/0020-code-in-few-files.md, and for
 * the packages inside docs/decisions/0018-viem-inside-the-package.md.
 */
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type OutputOptions, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const src = join(root, 'src');
const dist = join(root, 'dist', 'src');
/** Packages whose code becomes part of the files, with what they need themselves. */
const INSIDE = /^(?:apache-arrow|viem|yaml|yargs|zod|@noble\/\w+)(?:\/|$)/;
const FORM: OutputOptions = {
  format: 'esm',
  dir: dist,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  comments: { legal: true, annotation: true, jsdoc: false },
};

/** What a page of a browser gets, or takes the text of its functions from: each file stays one, with its names. */
const pages = globSync('{report,bot/dashboard}/page/*.ts', { cwd: src }).map(nameOf);
const byPlace = loadedByPlace().filter((name) => !pages.includes(name));

const parts = await write([...doors(), ...byPlace, 'cli/main', 'cli/resolve-ballast'], FORM);
await write(pages, { ...FORM, preserveModules: true, preserveModulesRoot: src });
writeFileSync(join(dist, 'licenses.txt'), licensesOf(parts));
// They name packages that an installation does not have, and no type of ours needs them.
for (const name of ['core/yaml/yaml-package', 'wire/gateway/signing/viem'])
  rmSync(join(dist, `${name}.d.ts`));

/** `bot/guardian/process` of `bot/guardian/process.ts`. */
function nameOf(file: string): string {
  return file.replace(/\.ts$/, '').replaceAll(sep, '/');
}

/** Sources that package.json exports. */
function doors(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly 'ballast-source': string }>>;
  };
  return Object.values(exports).map((door) => nameOf(door['ballast-source'].replace('./src/', '')));
}

/** Modules that another one loads by their place. */
function loadedByPlace(): readonly string[] {
  const found = globSync('**/*.ts', { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/\bownModule\('([^']+)'\)/g)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(found)];
}

/** Builds these modules of `src`. The paths of all files that became part of it. */
async function write(modules: readonly string[], form: OutputOptions): Promise<readonly string[]> {
  const input = Object.fromEntries(modules.map((name) => [name, join(src, `${name}.ts`)]));
  const isOutside = (id: string, importer = '') =>
    /^[^./]/.test(id) && !INSIDE.test(id) && !importer.includes(`${sep}node_modules${sep}`);
  const build = await rolldown({ input, platform: 'node', external: isOutside });
  const { output } = await build.write(form);
  await build.close();
  return output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
}

/** The licenses of the packages that these files are of. */
function licensesOf(paths: readonly string[]): string {
  /** `@noble/curves` of a path in the folder of packages; of packages inside of packages the innermost. */
  const packageOf = (path: string) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [];
  const notices = [...new Set(paths.flatMap(packageOf))].sort().map((path) => {
    const manifest = readFileSync(join(path, 'package.json'), 'utf8');
    const { name, version } = JSON.parse(manifest) as Readonly<Record<string, string>>;
    const [license, ...notices] = readdirSync(path)
      .filter((name) => /^(?:licen[cs]e|notice)/i.test(name))
      .sort()
      .map((each) => join(path, each))
      .map((file) => readFileSync(file, 'utf8').trim());
    if (license === undefined)
      throw new Error(`${path} has no license file; a package that holds its code needs one`);
    return `${[`${name} ${version}`, license, ...notices].join('\n\n')}\n`;
  });
  return notices.join(`\n${'-'.repeat(80)}\n\n`);
}
