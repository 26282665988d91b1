import { KubewrightError } from '../errors/kubewright-error.js';
import { classSchema } from '../fields/class-schema.js';
import type { AnyClass } from '../metadata/any-class.js';
import type { KindOptions } from '../metadata/kind-options.js';
import type { ClassMetadata } from '../metadata/class-metadata.js';
import { metadataOf, recordMetadata } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';
import { kindNames } from './kind-names.js';

/**
 * Declares a class that extends `CustomResource(…)` as a kind. Validates names, defaults and rules when the class is loaded.
 * @throws KubewrightError INVALID_KIND, NOT_A_KIND if the class does not extend `CustomResource(…)`, DEFINED_FIELDS if the body of the
 * class declares a field of the object, and the errors of the classes for the spec and the status
 */
export function Kind(options: KindOptions): (target: KindRef) => void {
  return (target) => {
    const { spec, status, resource, fields } = metadataOf(target);
    if (resource === undefined) {
      throw new KubewrightError(
        'NOT_A_KIND',
        `cannot load kind ${target.name}: the class does not extend CustomResource(…); write class ${target.name} extends CustomResource(Spec, Status)`,
      );
    }
    const { statusSubresource = status !== undefined, topLevel } = resource;
    const info = kindNames(options, target.name, statusSubresource);
    const fail = (problem: string): never => {
      throw new KubewrightError('INVALID_KIND', `cannot load kind ${info.kind}: ${problem}`);
    };
    const parts = [spec, status, topLevel].filter((part) => part !== undefined);
    const [declaredField] = Object.keys(fields);
    if (declaredField !== undefined) {
      const classes = parts.map(({ name }) => name).join(' or ');
      const where = classes === '' ? 'a class for the spec' : classes;
      fail(
        `field '${declaredField}' is declared in the class of the kind, which is not part of the schema; move it to ${where}`,
      );
    }
    checkDefaults(metadataOf(target), fail);
    checkTopLevel(metadataOf(target), fail);
    for (const part of parts) checkClass(part, info.kind);
    recordMetadata(target, (metadata) => ({ ...metadata, kind: { options, info } }));
    checkConstructor(target);
  };
}

type Fail = (problem: string) => never;

function checkDefaults({ spec, status, resource = {} }: ClassMetadata, fail: Fail): void {
  if (status === undefined && resource.statusDefault !== undefined) {
    const specName = spec?.name ?? 'undefined';
    fail(
      `it has statusDefault, but no class for the status; write CustomResource(${specName}, Status, …), or remove statusDefault`,
    );
  }
  if (spec === undefined && (resource.specDefault !== undefined || resource.specOptional === true)) {
    const option = resource.specDefault === undefined ? 'specOptional' : 'specDefault';
    fail(`it has ${option}, but no class for the spec; pass the class as the first argument, or remove ${option}`);
  }
}

function checkTopLevel({ spec, status, resource = {} }: ClassMetadata, fail: Fail): void {
  const { topLevel } = resource;
  if (topLevel === undefined) return;
  for (const field of Object.keys(metadataOf(topLevel).fields)) {
    if (['apiVersion', 'kind', 'metadata'].includes(field)) {
      fail(`field '${field}' of ${topLevel.name} is a field of every object; remove it`);
    }
    const part = field === 'spec' ? spec : field === 'status' ? status : undefined;
    if (part !== undefined)
      fail(`${topLevel.name} declares '${field}', which ${part.name} already declares; remove one of them`);
  }
}

function checkClass(part: AnyClass, kind: string): void {
  const { fields, schema } = metadataOf(part);
  if (Object.keys(fields).length === 0 && schema === undefined) {
    throw new KubewrightError(
      'INVALID_KIND',
      `cannot load kind ${kind}: class ${part.name} has no decorated fields; add @Field.… to its fields`,
    );
  }
  classSchema(part);
}

/**
 * Throws DEFINED_FIELDS if the body of the class declares a field of the object again. With useDefineForClassFields, such a declaration
 * makes `new` set the field to undefined or to the value of its initializer.
 */
function checkConstructor(target: KindRef): void {
  const { spec, status, resource } = metadataOf(target);
  const { topLevel } = resource ?? {};
  const others = topLevel === undefined ? [] : Object.keys(metadataOf(topLevel).fields);
  const init = {
    metadata: { name: 'sample' },
    ...(spec === undefined ? {} : { spec: {} }),
    ...(status === undefined ? {} : { status: {} }),
    ...Object.fromEntries(others.map((field) => [field, {}])),
  };
  const made = new (target as unknown as new (init: object) => Readonly<Record<string, unknown>>)(init);
  for (const field of Object.keys(made)) {
    if (made[field] !== undefined && (field in init || field === 'apiVersion' || field === 'kind')) continue;
    throw new KubewrightError(
      'DEFINED_FIELDS',
      `cannot load kind ${target.name}: its field '${field}' overwrites the value passed to new; remove all fields from the class body, and set "useDefineForClassFields" to false in tsconfig.json`,
    );
  }
}
