import { KubewrightError } from '../errors/kubewright-error.js';
import { classSchema } from '../fields/class-schema.js';
import type { AnyClass } from '../metadata/any-class.js';
import type { KindOptions } from '../metadata/kind-options.js';
import { metadataOf, recordMetadata } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';
import { kindNames } from './kind-names.js';

/** Declares a class made with `CustomResource(…)` as a kind. Names, defaults and rules are checked when the class is loaded. */
export function Kind(options: KindOptions): (target: KindRef) => void {
  return (target) => {
    const { spec, status, resource, fields } = metadataOf(target);
    if (spec === undefined) {
      throw new KubewrightError(
        'NOT_A_KIND',
        `cannot load kind ${target.name}: its class does not extend CustomResource(…); write class ${target.name} extends CustomResource(Spec, Status)`,
      );
    }
    if (status === undefined && resource?.statusDefault !== undefined) {
      throw new KubewrightError(
        'INVALID_KIND',
        `cannot load kind ${target.name}: its status has a default, but no class; write CustomResource(${spec.name}, Status, …), or take statusDefault away`,
      );
    }
    const info = kindNames(options, target.name, status !== undefined && resource?.statusSubresource !== false);
    const [stray] = Object.keys(fields);
    if (stray !== undefined) {
      throw new KubewrightError(
        'INVALID_KIND',
        `cannot load kind ${info.kind}: field '${stray}' stands in the class of the kind, where no schema has it; put it into ${spec.name}${status === undefined ? '' : ` or ${status.name}`}`,
      );
    }
    for (const part of status === undefined ? [spec] : [spec, status]) checkClass(part, info.kind);
    recordMetadata(target, (metadata) => ({ ...metadata, kind: { options, info } }));
    checkConstructor(target);
  };
}

function checkClass(part: AnyClass, kind: string): void {
  const { fields, schema } = metadataOf(part);
  if (Object.keys(fields).length === 0 && schema === undefined) {
    throw new KubewrightError(
      'INVALID_KIND',
      `cannot load kind ${kind}: class ${part.name} has no field with a decorator; put @Field.… on its fields`,
    );
  }
  classSchema(part);
}

/** A field that the class of a kind declares again is undefined under useDefineForClassFields, and one with an initialiser overwrites. */
function checkConstructor(target: KindRef): void {
  const init = { metadata: { name: 'sample' }, spec: {}, status: {} };
  const made = new (target as unknown as new (init: object) => Readonly<Record<string, unknown>>)(init);
  for (const field of Object.keys(made)) {
    if (made[field] !== undefined && (field in init || field === 'apiVersion' || field === 'kind')) continue;
    throw new KubewrightError(
      'DEFINED_FIELDS',
      `cannot load kind ${target.name}: its field '${field}' overwrites what new was given; leave the body of the class empty, and set "useDefineForClassFields" to false in tsconfig.json`,
    );
  }
}
