export type { BuiltInKind, BuiltInPart } from './built-in/built-in-kind.js';
export { builtInKind, builtInKinds, builtInSchema } from './built-in/built-in-kinds.js';
