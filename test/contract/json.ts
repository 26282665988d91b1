/** Parsed JSON of any shape. Cases access responses of every kind, and a wrong path fails the case. */
// oxlint-disable-next-line typescript/no-explicit-any -- responses can have any form
export type Json = any;
