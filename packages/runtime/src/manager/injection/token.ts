declare const provided: unique symbol;
/** The property that holds the container key of a token. */
const key: unique symbol = Symbol('kubewright.token');

/** Represents an interface in the container. */
export interface Token<T> {
  readonly [provided]?: T;
  readonly description: string;
}

/**
 * Creates a token. Each call creates a different token, regardless of the description.
 *
 * @example
 * const REGION = token<string>('region');
 */
export function token<T>(description: string): Token<T> {
  return Object.freeze({ description, [key]: Symbol(description) });
}

/** Returns the key of the token in a container. */
export function keyOfToken(token: Token<unknown>): symbol {
  return (token as Token<unknown> & { readonly [key]: symbol })[key];
}
/** Whether the value is a token rather than a class. */
export function isToken(value: unknown): value is Token<unknown> {
  return typeof value === 'object' && value !== null && key in value;
}
