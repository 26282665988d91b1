export type { BuiltInKind, BuiltInPart } from './built-in/built-in-kind.js';
export { builtInKinds, builtInSchema } from './built-in/built-in-kinds.js';
