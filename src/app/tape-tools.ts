/** @module What `ballast tape` does, from the room that knows tapes. */
export {
  type ExportFormat,
  exportTape,
  type Manifest,
  mergeTapes,
  openTape,
  repairTape,
  sliceTape,
  type TornFile,
  verifyTape,
} from '../tape/index.ts';
