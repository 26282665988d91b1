import * as core from '@kubewright/api/core/v1';
import { partSchemaOf } from '@kubewright/api/metadata';
import { LabelSelector } from '@kubewright/api/meta/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import { canonical } from './canonical.js';
import { cleanSchema } from './clean-schema.js';
import { mapSchema } from './map-schema.js';
import type { PartPlan } from './value-plan.js';
import { without } from './without.js';

/** Types within built-in kinds, such as PodSpec, that other kinds typically reuse. Any other type matches a schema only by coincidence. */
const CORE =
  `Affinity Capabilities ConfigMapKeySelector Container EmptyDirVolumeSource EnvFromSource EnvVar LocalObjectReference
  NodeAffinity ObjectReference PersistentVolumeClaimSpec PodAffinity PodAntiAffinity PodSecurityContext PodSpec PodTemplateSpec
  Probe ResourceRequirements SecretKeySelector SecurityContext ServiceSpec Toleration TopologySpreadConstraint
  TypedLocalObjectReference TypedObjectReference Volume VolumeMount`.split(/\s+/);

/** Finds the type within a built-in kind that has exactly a given schema. */
export class Parts {
  readonly #byForm = new Map<string, PartPlan[]>();
  /** The field names of each type. Most schemas have other field names, and need no further comparison. */
  readonly #names = new Set<string>();

  constructor() {
    const parts = new Map(Object.entries(core));
    for (const name of CORE) this.#add(name, parts.get(name) as object, '@kubewright/api/core/v1');
    this.#add('LabelSelector', LabelSelector, '@kubewright/api/meta/v1');
  }

  /**
   * Returns the type with the schema; undefined if there is none. Ignores descriptions. Several types can have the same schema, such as
   * PodAffinity and PodAntiAffinity. In this case, returns the type whose name has the longest common prefix with the name of the field.
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

/** Serializes a schema so that equivalent schemas have equal texts. Ignores descriptions, the order of names, and explicit defaults. */
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
