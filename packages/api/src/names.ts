export { compareVersions } from './names/compare-versions.js';
export {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  pathSegmentErrors,
} from './names/dns-names.js';
export { pluralOf } from './kinds/plural.js';
export { generateName } from './names/generate-name.js';
export { labelValueErrors, qualifiedNameErrors } from './names/label-names.js';
export { nearest } from './names/nearest.js';
