import 'reflect-metadata';
import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from './any-class.js';
import { type ClassMetadata, emptyMetadata } from './class-metadata.js';

/** The metadata key that all decorators use. */
const key = 'kubewright';
/**
 * The functions of the copy of reflect-metadata that this module loads. A second copy replaces the functions of `Reflect`, but not these
 * constants.
 */
const { defineMetadata, getOwnMetadata } = Reflect;

/** Returns the recorded metadata of a class and its base classes. The settings of `@Kind`, webhooks and policies are not inherited. */
export function metadataOf(target: AnyClass): ClassMetadata {
  const own = getOwnMetadata(key, target) as ClassMetadata | undefined;
  if (own !== undefined) return own;
  const parent: unknown = Object.getPrototypeOf(target);
  if (typeof parent !== 'function' || parent === Function.prototype) return emptyMetadata;
  const { kind: _kind, webhooks: _webhooks, policies: _policies, ...inherited } = metadataOf(parent as AnyClass);
  return inherited;
}

/** Records a change of the metadata of a class. Copies inherited metadata, so that the metadata of the base class does not change. */
export function recordMetadata(target: AnyClass, change: (metadata: ClassMetadata) => ClassMetadata): void {
  defineMetadata(key, change(metadataOf(target)), target);
}

/**
 * Validates that the compiler emitted the type of a field.
 * @throws KubewrightError DUPLICATE_REFLECT_METADATA or DECORATOR_METADATA_MISSING
 */
export function assertTypeEmitted(prototype: object, field: string): void {
  if (getOwnMetadata('design:type', prototype, field) !== undefined) return;
  const where = `cannot load field '${field}' of ${prototype.constructor.name}`;
  if (Reflect.getOwnMetadata !== getOwnMetadata) {
    throw new KubewrightError(
      'DUPLICATE_REFLECT_METADATA',
      `${where}: two copies of reflect-metadata are loaded; find them with npm ls reflect-metadata, and merge them with npm dedupe`,
    );
  }
  throw new KubewrightError(
    'DECORATOR_METADATA_MISSING',
    `${where}: it was compiled without emitDecoratorMetadata; set "experimentalDecorators" and "emitDecoratorMetadata" to true in tsconfig.json and compile with tsc (esbuild-based loaders drop the metadata)`,
  );
}
