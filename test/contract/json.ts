/** Parsed JSON of any shape: cases reach into answers of every kind, and a wrong path fails the case that wrote it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one place where tests leave the types
export type Json = any;
