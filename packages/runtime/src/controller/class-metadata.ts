import 'reflect-metadata';

/** A class as decorators see it. */
export type AnyClass = abstract new (...services: never[]) => unknown;

/** Keeps what a decorator says about a class, on the class itself; a subclass does not inherit it. */
export class ClassMetadata<V> {
  readonly #key: symbol | string;
  /**
   * The name is the same in every copy of this package, so that two copies understand each other. `foreignKey` is the metadata key of
   * another library, which reads and writes the same data.
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

/** The types of the parameters of a constructor as the compiler left them; undefined without `emitDecoratorMetadata`. */
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
