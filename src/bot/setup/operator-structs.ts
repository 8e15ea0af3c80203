/**
 * @module
 * The structs that are signed, as the operator's document names them (`environment.openapiFile`): they replace ballast's
 * own where they differ. What ballast cannot fill, and commands that it would encode otherwise, are
 * refused by name before anything is signed.
 */
import {
  type ConfigSource,
  type Finding,
  invalidDocument,
  loadOperatorDocument,
  type OperatorCode,
  type OperatorDocument,
  type OperatorStruct,
} from '../../config/index.ts';
import {
  CODEC_VERSION,
  COMMAND_TAGS,
  STRUCTS,
  type StructTable,
  structOfWrite,
} from '../../wire/protocol/index.ts';

/** The table that holds for a configuration. */
export interface OperatorStructs {
  readonly structs: StructTable;
  /** Names of those that the document states otherwise than ballast's own table. */
  readonly replaced: readonly string[];
  /** Type strings of writes that ballast does not know. */
  readonly unused: readonly string[];
}

const OWN: OperatorStructs = { structs: STRUCTS, replaced: [], unused: [] };

/**
 * Reads `environment.openapiFile`; without it the own table holds.
 * @throws ConfigError `CONFIG_DOCUMENT_INVALID` with every finding and its location.
 */
export function operatorStructs({ config }: Pick<ConfigSource, 'config'>): OperatorStructs {
  const { openapiFile } = config.environment;
  return openapiFile === undefined ? OWN : structsOfDocument(loadOperatorDocument(openapiFile));
}

/** What a document makes of the own table. @throws ConfigError as {@link operatorStructs}. */
export function structsOfDocument(document: OperatorDocument): OperatorStructs {
  const findings = document.codes.flatMap((code) => codeFinding(document, code));
  const stated = new Map<keyof StructTable, string>();
  const unused = new Set<string>();
  for (const struct of document.structs) {
    const read = structOfWrite(struct.typeString, struct.route);
    if (read.kind === 'foreign') unused.add(struct.typeString);
    else if (read.kind === 'defect') findings.push(findingOf(document, struct, read));
    else if ((stated.get(read.name) ?? struct.typeString) !== struct.typeString)
      findings.push(
        findingOf(document, struct, { expected: `${stated.get(read.name)}, as above`, found: '' }),
      );
    else stated.set(read.name, struct.typeString);
  }
  if (findings.length > 0) throw invalidDocument(findings);
  const replaced = [...stated].filter(([name, typeString]) => STRUCTS[name] !== typeString);
  return {
    structs: { ...STRUCTS, ...Object.fromEntries(replaced) },
    replaced: replaced.map(([name]) => name),
    unused: [...unused],
  };
}

/** One line about what the document changes. */
export function describeOperatorStructs({ replaced, unused }: OperatorStructs): string {
  const changes = replaced.length === 0 ? 'as ballast signs them' : `replaced ${replaced.join(', ')}`;
  const names = unused.map((typeString) => typeString.replace(/\(.*$/, ''));
  return names.length === 0
    ? changes
    : `${changes}; not used, since ballast knows no such write: ${names.join(', ')}`;
}

function findingOf(
  document: OperatorDocument,
  { at }: OperatorStruct,
  { expected, found }: { readonly expected: string; readonly found: string },
): Finding {
  const finding = document.find(at, expected);
  return found === '' ? finding : { ...finding, found };
}

function codeFinding(document: OperatorDocument, { command, text, at }: OperatorCode): Finding[] {
  const codes: Readonly<Record<string, number>> = COMMAND_TAGS;
  const own = command === undefined ? CODEC_VERSION : codes[command];
  if (own === undefined || Number(text) === own) return [];
  const what = command === undefined ? 'commands of version' : `${command} with the tag`;
  return [document.find(at, `${what} ${own}, as this version of ballast encodes them`)];
}
