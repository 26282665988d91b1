export { kindOf } from './kinds/kind-of.js';
export { objectSchemaOf, specSchemaOf } from './kinds/schema-of.js';
export type { KindInfo } from './metadata/kind-info.js';
