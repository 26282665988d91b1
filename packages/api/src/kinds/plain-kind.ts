import { type KindSource, kindSource } from '../metadata/kind-source.js';
import type { KindRef, KubeObject } from '../objects/kube-object.js';
import type { KindClass } from './kind-class.js';
import { newObject, type ObjectInit } from './new-object.js';

/** Returns the constructor of a kind that is declared without decorators. */
export function plainKind<T extends KubeObject, NewInit>(source: KindSource): KindClass<T, NewInit> {
  const value = class {
    static readonly [kindSource] = source;
    constructor(init: ObjectInit) {
      return newObject(new.target as unknown as KindRef, init);
    }
  };
  Object.defineProperty(value, 'name', { value: source.info.kind, configurable: true });
  return value as unknown as KindClass<T, NewInit>;
}
