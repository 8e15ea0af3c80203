/** @module `ballast import`: a foreign recording becomes a tape. */
import { loadImportMapping } from '../../config/index.ts';
import { ConfigError } from '../../core/index.ts';
import {
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportResult,
  importTape,
} from '../../tape/importers/index.ts';

export { describeImportCounts, type ImportResult } from '../../tape/importers/index.ts';

/** What the command line says. */
export interface ImportRecordingOptions {
  /** One of IMPORT_FORMATS. */
  readonly format: string;
  readonly paths: readonly string[];
  readonly out: string;
  readonly symbol: string | undefined;
  readonly priceDecimals: number | undefined;
  readonly sizeDecimals: number | undefined;
  readonly locked: 'keep' | 'separate';
  readonly silenceMs: number | undefined;
  /** YAML file of columns, for `csv`. */
  readonly mapping: string | undefined;
}

/** Imports a recording; see `importTape`. @throws ConfigError for a format that is not known. */
export async function importRecording(options: ImportRecordingOptions): Promise<ImportResult> {
  const { format, paths, out, symbol, priceDecimals, sizeDecimals, locked, silenceMs, mapping } = options;
  return importTape({
    format: knownFormat(format),
    paths,
    out,
    locked,
    ...(symbol === undefined ? {} : { symbol }),
    ...(priceDecimals === undefined ? {} : { priceDecimals }),
    ...(sizeDecimals === undefined ? {} : { sizeDecimals }),
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(mapping === undefined ? {} : { mapping: loadImportMapping(mapping) }),
  });
}

function knownFormat(format: string): ImportFormat {
  const known = IMPORT_FORMATS.find((one) => one === format);
  if (known !== undefined) return known;
  throw new ConfigError({
    code: 'TAPE_FORMAT_UNKNOWN',
    message: `expected a format of ${IMPORT_FORMATS.join(', ')}, was ${JSON.stringify(format)}`,
    remedy: 'Name the format first, then files or folders; csv with a mapping reads any other CSV.',
  });
}
