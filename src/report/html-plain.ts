/** @module A page without a script: what it shows is in its text. */
import { escaped } from './html-parts.ts';
import { PAGE_STYLE } from './html-style.ts';

/** A page of this heading and content; it opens offline. */
export function plainPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1></header>
<main>
${content}
</main>
<footer>Made by ballast.</footer>
</body>
</html>
`;
}
