import * as core from '@kubewright/api/core/v1';
import { partSchemaOf } from '@kubewright/api/metadata';
import { LabelSelector } from '@kubewright/api/meta/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import { canonical } from './canonical.js';
import { cleanSchema } from './clean-schema.js';
import { mapSchema } from './map-schema.js';
import type { PartPlan } from './value-plan.js';
import { without } from './without.js';

/**
 * Types of fields of built-in kinds, such as PodSpec, that custom kinds often reuse. Other types would match a schema only by coincidence.
 */
const CORE =
  `Affinity Capabilities ConfigMapKeySelector Container EmptyDirVolumeSource EnvFromSource EnvVar LocalObjectReference
  NodeAffinity ObjectReference PersistentVolumeClaimSpec PodAffinity PodAntiAffinity PodSecurityContext PodSpec PodTemplateSpec
  Probe ResourceRequirements SecretKeySelector SecurityContext ServiceSpec Toleration TopologySpreadConstraint
  TypedLocalObjectReference TypedObjectReference Volume VolumeMount`.split(/\s+/);

/** Finds built-in types, such as PodSpec, by schema, so that a generated class can import a type instead of repeating its fields. */
export class Parts {
  readonly #byForm = new Map<string, PartPlan[]>();
  /**
   * The joined field names of each type. `find` compares the field names before the schemas, because the field names alone exclude most
   * types.
   */
  readonly #names = new Set<string>();

  constructor() {
    const parts = new Map(Object.entries(core));
    for (const name of CORE) this.#add(name, parts.get(name) as object, '@kubewright/api/core/v1');
    this.#add('LabelSelector', LabelSelector, '@kubewright/api/meta/v1');
  }

  /**
   * Returns the type with the given schema; undefined if no type has this schema. Ignores descriptions. If several types have the schema,
   * such as PodAffinity and PodAntiAffinity, returns the type whose name has the longest common prefix with `field`.
   * @param field the field path's last word in PascalCase
   */
  find(schema: StructuralSchema, field: string): PartPlan | undefined {
    if (!this.#names.has(namesOf(schema))) return undefined;
    const [first, ...others] = this.#byForm.get(formOf(schema)) ?? [];
    let best = first;
    for (const part of others) {
      if (best !== undefined && commonStart(part.name, field) > commonStart(best.name, field)) best = part;
    }
    return best;
  }

  #add(name: string, part: object, module: string): void {
    const schema = partSchemaOf(part)?.();
    if (schema === undefined) return;
    this.#names.add(namesOf(schema));
    const form = formOf(schema);
    this.#byForm.set(form, [...(this.#byForm.get(form) ?? []), { form: 'part', name, module }]);
  }
}

function namesOf({ properties = {} }: StructuralSchema): string {
  return Object.keys(properties).toSorted().join(' ');
}

/** Returns the length of the common prefix of two names. */
function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/**
 * Serializes a schema so that equivalent schemas have equal texts. Ignores descriptions, the order of keys, and `x-kubernetes-list-type:
 * atomic`.
 */
function formOf(schema: StructuralSchema): string {
  const { schema: clean } = cleanSchema(schema);
  const reported = mapSchema(clean, (each) => {
    const { required, 'x-kubernetes-list-type': listType, ...rest } = without(each, 'description');
    return {
      ...rest,
      ...(listType === undefined || listType === 'atomic' ? {} : { 'x-kubernetes-list-type': listType }),
      ...(required === undefined ? {} : { required: required.toSorted() }),
    };
  });
  return canonical(reported);
}
