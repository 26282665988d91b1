declare const provided: unique symbol;
/** Stands for an interface in the container. */
export interface Token<T> {
  readonly [provided]?: T;
  readonly description: string;
}

/** Makes a token. Two calls make two tokens, whatever their descriptions. */
export function token<T>(description: string): Token<T> {
  return Object.freeze({ description });
}
