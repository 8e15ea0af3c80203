/**
 * @module
 * What ballast uses of the package `yaml`. An installed package has this file with that code in it (`scripts/build.ts`):
 * it is 72 modules, and to find and link them took a third of a `config check`.
 */
export { isMap, isPair, isScalar, isSeq, LineCounter, parse, parseDocument, visit } from 'yaml';
