declare const provided: unique symbol;
/** Under which name the container keeps what stands for a token. */
const key: unique symbol = Symbol('kubewright.token');

/** Stands for an interface in the container. */
export interface Token<T> {
  readonly [provided]?: T;
  readonly description: string;
}

/**
 * Makes a token. Two calls make two tokens, whatever their descriptions.
 *
 * @example
 * const REGION = token<string>('region');
 */
export function token<T>(description: string): Token<T> {
  return Object.freeze({ description, [key]: Symbol(description) });
}

/** The name of the token in a container. */
export function keyOfToken(token: Token<unknown>): symbol {
  return (token as Token<unknown> & { readonly [key]: symbol })[key];
}
/** Whether this is a token rather than a class. */
export function isToken(value: unknown): value is Token<unknown> {
  return typeof value === 'object' && value !== null && key in value;
}
