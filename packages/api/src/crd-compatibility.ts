export {
  type CompatibilityClass,
  type CompatibilityFinding,
  verdictOf,
} from './crd-compatibility/compatibility-finding.js';
export { compareDefinitions } from './crd-compatibility/compare-definitions.js';
