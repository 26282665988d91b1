export { mapSecretFields, maskSecretFields, type SecretRules, type SecretText } from './secrets/map-secret-fields.js';
export { maskCrashReports } from './secrets/mask-crash-reports.js';
export { maskErrorInPlace, maskTexts } from './secrets/mask-error.js';
export { maskFieldErrors } from './secrets/mask-field-errors.js';
export { maskText } from './secrets/mask-text.js';
export { isSecretName, MASK } from './secrets/secret-name.js';
export { isSecretObject } from './secrets/secret-object.js';
export { hasSecretFields, isSecretPath } from './secrets/secret-path.js';
export { maskerOf, secretValuesIn } from './secrets/secret-values.js';
