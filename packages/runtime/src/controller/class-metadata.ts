import 'reflect-metadata';

/** A class as decorators see it. */
export type AnyClass = abstract new (...services: never[]) => unknown;

/** Keeps what a decorator says about a class, on the class itself; a subclass does not inherit it. */
export class ClassMetadata<V> {
  readonly #key: symbol;
  /** The name is the same in every copy of this package, so that two copies understand each other. */
  constructor(name: string) {
    this.#key = Symbol.for(`kubewright:${name}`);
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
