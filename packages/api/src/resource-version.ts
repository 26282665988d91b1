export { compareResourceVersions } from './resource-version/compare.js';
