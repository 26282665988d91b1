declare const provided: unique symbol;
/** The property of a token that contains its key in the container. */
const key: unique symbol = Symbol('kubewright.token');

/** Identifies a service whose type is an interface or a plain value, because such a type does not exist at run time. */
export interface Token<T> {
  readonly [provided]?: T;
  readonly description: string;
}

/**
 * Creates a token for a service. Each call creates a different token, even with the same description.
 *
 * @example
 * const REGION = token<string>('region');
 */
export function token<T>(description: string): Token<T> {
  return Object.freeze({ description, [key]: Symbol(description) });
}

/** Returns the key that identifies the token in a container. */
export function keyOfToken(token: Token<unknown>): symbol {
  return (token as Token<unknown> & { readonly [key]: symbol })[key];
}
/** Whether the value is a token. Returns false for a class. */
export function isToken(value: unknown): value is Token<unknown> {
  return typeof value === 'object' && value !== null && key in value;
}
