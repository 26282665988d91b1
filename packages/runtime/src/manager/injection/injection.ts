import { type AnyClass, ClassMetadata } from '../../metadata/class-metadata.js';
import { keyOfToken, type Token } from './token.js';

const marked = new ClassMetadata<true>('injectable');
/** Uses the metadata key of tsyringe, so that the decorators of both libraries can be used on the same class. */
const entries = new ClassMetadata<Readonly<Record<number, InjectedParameter>>>('inject', {
  foreignKey: 'injectionTokens',
});

/** The data that a decorator stores for a constructor parameter, in the format of tsyringe. */
export interface InjectedParameter {
  /** The key of the service: a string, a symbol, a class, or a class that tsyringe's `delay` resolves later. */
  readonly token: unknown;
  /** Whether the parameter receives a list of all services that are registered with the token. */
  readonly multiple?: boolean;
  readonly isOptional?: boolean;
}

/**
 * Allows the container to construct a class. The decorators `@injectable()`, `@singleton()` and `@scoped()` of tsyringe have the same
 * effect. Controllers do not need this decorator.
 *
 * @example
 * import { Client, Injectable } from '@kubewright/runtime';
 *
 * @Injectable()
 * class CloudService {
 *   constructor(private readonly client: Client) {}
 * }
 */
export function Injectable(): (target: abstract new (...services: never[]) => object) => void {
  return (target) => marked.set(target, true);
}

/**
 * Specifies the token of a constructor parameter. The compiler checks that the type of the parameter is the type of the token.
 *
 * @example
 * import { Inject, Injectable, token } from '@kubewright/runtime';
 *
 * const REGION = token<string>('region');
 *
 * @Injectable()
 * class CloudService {
 *   constructor(@Inject(REGION) private readonly region: string) {}
 * }
 * manager.provide(REGION, { value: 'eu-1' });
 */
export function Inject<V>(
  token: Token<V>,
): <C extends abstract new (...services: never[]) => unknown, const I extends number>(
  target: C &
    ([V] extends [ConstructorParameters<C>[I]]
      ? unknown
      : `parameter ${I} of the constructor does not have the type of the token`),
  key: undefined,
  index: I,
) => void {
  return (target, _key, index) => {
    const constructor: AnyClass = target;
    const entry = { token: keyOfToken(token), multiple: false };
    entries.set(constructor, { ...entries.get(constructor), [index]: entry });
  };
}

/** Whether the class has the decorator `@Injectable()`. */
export function isInjectable(target: AnyClass): boolean {
  return marked.get(target) === true;
}
/** Returns the decorator data of the constructor parameters of a class, by parameter index. */
export function injectedParameters(target: AnyClass): Readonly<Record<number, InjectedParameter>> {
  return entries.get(target) ?? {};
}
