export { type GeneratedCrds, generateCrds } from './crd/generate-crds.js';
export { definitionErrors, definitionStatusErrors, definitionUpdateErrors } from './crd-rules/crd-errors.js';
export { unrecognizedFormats } from './crd-rules/formats.js';
