import 'reflect-metadata';
import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from './any-class.js';
import { type ClassMetadata, emptyMetadata } from './class-metadata.js';

/** The one key under which decorators record. */
const key = 'kubewright';
/** The functions that were there when this module was loaded; another copy of reflect-metadata has others. */
const { defineMetadata, getOwnMetadata } = Reflect;

/** What the decorators of a class and of the classes it extends recorded. What `@Kind` said is not inherited. */
export function metadataOf(target: AnyClass): ClassMetadata {
  const own = getOwnMetadata(key, target) as ClassMetadata | undefined;
  if (own !== undefined) return own;
  const parent: unknown = Object.getPrototypeOf(target);
  if (typeof parent !== 'function' || parent === Function.prototype) return emptyMetadata;
  const { kind: _, ...inherited } = metadataOf(parent as AnyClass);
  return inherited;
}

/** Records more about a class, on an own copy of what it inherits. */
export function recordMetadata(target: AnyClass, change: (metadata: ClassMetadata) => ClassMetadata): void {
  defineMetadata(key, change(metadataOf(target)), target);
}

/**
 * Refuses a field whose type the compiler did not emit.
 * @throws KubewrightError REFLECT_METADATA_TWICE or DECORATOR_METADATA_MISSING
 */
export function assertTypeEmitted(prototype: object, field: string): void {
  if (getOwnMetadata('design:type', prototype, field) !== undefined) return;
  const where = `cannot load field '${field}' of ${prototype.constructor.name}`;
  if (Reflect.getOwnMetadata !== getOwnMetadata) {
    throw new KubewrightError(
      'REFLECT_METADATA_TWICE',
      `${where}: two copies of reflect-metadata are loaded; keep one (npm ls reflect-metadata shows both, npm dedupe joins them)`,
    );
  }
  throw new KubewrightError(
    'DECORATOR_METADATA_MISSING',
    `${where}: it was compiled without emitDecoratorMetadata; set "experimentalDecorators" and "emitDecoratorMetadata" to true in tsconfig.json and compile with tsc (esbuild-based loaders drop the metadata)`,
  );
}
