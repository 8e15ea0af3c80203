/**
 * @module
 * The files of the page: its document, its style, its modules and the libraries, read from this installation once. In
 * them is nothing of a run, so they are served without a token.
 */
import { readdirSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { OWN_CODE } from '../../core/index.ts';
import { chartLibrary } from '../../report/index.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A file as it is served. */
export interface PageFile {
  readonly type: string;
  readonly text: string;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const FOLDER = join(OWN_CODE, 'bot', 'dashboard', 'page');

/** Nothing but what the door itself serves is run, loaded or asked. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>ballast</title>
<link rel="stylesheet" href="/page/uplot.css">
<link rel="stylesheet" href="/page/page.css">
</head>
<body>
<div id="page"><noscript>This page needs JavaScript. <code>ballast top</code> shows the same on a terminal.</noscript></div>
<script src="/page/uplot.js"></script>
<script type="module" src="/page/libraries.js"></script>
<script type="module" src="/page/start.js"></script>
</body>
</html>
`;

/** Modules of the page find the libraries as globals: their names need no map that the policy would have to allow. */
const LIBRARIES = `import { h, render } from ${JSON.stringify('./preact.js')};
import htm from ${JSON.stringify('./htm.js')};
Object.assign(globalThis, { preact: { h, render }, htm });
`;

let files: ReadonlyMap<string, PageFile> | undefined;

/** All files by their path. */
export function pageFiles(): ReadonlyMap<string, PageFile> {
  files ??= new Map<string, PageFile>([
    ['/', { type: 'text/html; charset=utf-8', text: DOCUMENT }],
    ['/page/page.css', { type: STYLE, text: PAGE_STYLE }],
    ['/page/libraries.js', { type: SCRIPT, text: LIBRARIES }],
    ...libraries(),
    ...modules(),
  ]);
  return files;
}

function libraries(): readonly (readonly [string, PageFile])[] {
  const from = nodeModule.createRequire(import.meta.url);
  const read = (place: string, name: string) => readFileSync(join(dirname(place), name), 'utf8');
  const { script, style } = chartLibrary();
  return [
    ['/page/uplot.js', { type: SCRIPT, text: script }],
    ['/page/uplot.css', { type: STYLE, text: style }],
    ['/page/preact.js', { type: SCRIPT, text: read(from.resolve('preact'), 'preact.mjs') }],
    ['/page/htm.js', { type: SCRIPT, text: read(from.resolve('htm'), 'htm.mjs') }],
  ];
}

/** As they were built; from the sources of this repository, without their types. */
function modules(): readonly (readonly [string, PageFile])[] {
  return readdirSync(FOLDER)
    .filter((name) => /^[a-z-]+\.(?:js|ts)$/.test(name))
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      if (name.endsWith('.js')) return [`/page/${name}`, { type: SCRIPT, text }];
      const plain = nodeModule.stripTypeScriptTypes(text).replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'");
      return [`/page/${name.slice(0, -3)}.js`, { type: SCRIPT, text: plain }];
    });
}
