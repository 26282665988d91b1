import 'reflect-metadata';

/** A class to which a decorator can be applied. */
export type AnyClass = abstract new (...services: never[]) => unknown;

/** Stores the data of a decorator on the decorated class. A subclass does not inherit the data. */
export class ClassMetadata<V> {
  readonly #key: symbol | string;
  /**
   * `name` identifies the data in every copy of this package, so that several copies share the data. `foreignKey` replaces this identifier,
   * to share the data with another library that uses that metadata key.
   */
  constructor(name: string, { foreignKey }: { readonly foreignKey?: string } = {}) {
    this.#key = foreignKey ?? Symbol.for(`kubewright:${name}`);
  }
  get(target: AnyClass): V | undefined {
    return Reflect.getOwnMetadata(this.#key, target) as V | undefined;
  }
  set(target: AnyClass, value: V): void {
    Reflect.defineMetadata(this.#key, value, target);
  }
}

/**
 * Returns the types of the constructor parameters, which the TypeScript compiler emits. Returns undefined if the compiler emitted no types
 * for this class, for example because the option `emitDecoratorMetadata` is off.
 */
export function constructorParameterTypes(target: AnyClass): readonly unknown[] | undefined {
  return Reflect.getOwnMetadata('design:paramtypes', target) as readonly unknown[] | undefined;
}

/** Returns the class whose constructor runs for `new target()`: the class itself, or the nearest superclass that has a constructor. */
export function constructorOwner(target: AnyClass): AnyClass {
  const parent: unknown = Object.getPrototypeOf(target);
  if (typeof parent !== 'function' || parent === Function.prototype) return target;
  const isOwn = constructorParameterTypes(target) !== undefined || target.length > 0 || hasConstructor(target);
  return isOwn ? target : constructorOwner(parent as AnyClass);
}
function hasConstructor(target: AnyClass): boolean {
  return /(?<![.\w$])constructor\s*\(/.test(target.toString());
}
