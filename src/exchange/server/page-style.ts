/** @module How the page at `/` looks. */

/** The style sheet. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --band: #f3f5f7; --line: #d5dae0; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --soft: #9aa4ae; --paper: #14171a; --band: #1d2226; --line: #343b42; --link: #7db7f5; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.25rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--link); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { background: var(--band); padding: .75rem 1rem; overflow-x: auto; border-radius: 4px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; width: 1%; padding-right: 1.5rem; }
td:first-child { white-space: nowrap; }
strong code { background: var(--band); outline: 1px solid var(--line); padding: 0 .25rem; }
`;
