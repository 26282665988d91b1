import { type AnyClass, ClassMetadata } from '../../metadata/class-metadata.js';
import { keyOfToken, type Token } from './token.js';

const marked = new ClassMetadata<true>('injectable');
/** tsyringe reads the same entries, so the decorators of both libraries work on one class. */
const entries = new ClassMetadata<Readonly<Record<number, InjectedParameter>>>('inject', {
  foreignKey: 'injectionTokens',
});

/** The data of a constructor parameter decorator, in the format of tsyringe. */
export interface InjectedParameter {
  /** A string, a symbol, a class, or a class that tsyringe's `delay` resolves later. */
  readonly token: unknown;
  /** Whether the parameter receives all services that are registered under the token, as a list. */
  readonly multiple?: boolean;
  readonly isOptional?: boolean;
}

/**
 * Marks a class that the container can construct. tsyringe's `@injectable()`, `@singleton()` and `@scoped()` have the same effect.
 * Controllers do not need the decorator.
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
 * Specifies the token of a constructor parameter. The type of the parameter must be the type that the token represents.
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
      : `parameter ${I} of the constructor is not of the type that the token stands for`),
  key: undefined,
  index: I,
) => void {
  return (target, _key, index) => {
    const constructor: AnyClass = target;
    const entry = { token: keyOfToken(token), multiple: false };
    entries.set(constructor, { ...entries.get(constructor), [index]: entry });
  };
}

/** Whether the class has the `@Injectable()` decorator. */
export function isInjectable(target: AnyClass): boolean {
  return marked.get(target) === true;
}
/** Returns the decorator data of the constructor parameters of a class, by the index of the parameter. */
export function injectedParameters(target: AnyClass): Readonly<Record<number, InjectedParameter>> {
  return entries.get(target) ?? {};
}
