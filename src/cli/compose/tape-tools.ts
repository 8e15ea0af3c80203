/** @module What `ballast tape` does, from the room that knows tapes. */

export { type Manifest, openTape, repairTape, type TornFile } from '../../tape/format/index.ts';
export { type ExportFormat, exportTape, mergeTapes, sliceTape, verifyTape } from '../../tape/tools/index.ts';
