export { type GenerateCrdsOptions, type GeneratedCrds, generateCrds } from './crd/generate-crds.js';
export {
  definitionErrors,
  definitionErrorsSteps,
  definitionStatusErrors,
  definitionUpdateErrors,
  definitionUpdateErrorsSteps,
} from './crd-rules/crd-errors.js';
export { webhookClientErrors } from './crd-rules/webhook-client-errors.js';
export { unrecognizedFormats } from './crd-rules/formats.js';
