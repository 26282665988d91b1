import * as core from '@kubewright/api/core/v1';
import { partSchemaOf } from '@kubewright/api/metadata';
import { LabelSelector } from '@kubewright/api/meta/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import { canonical } from './canonical.js';
import { cleanSchema } from './clean-schema.js';
import { mapSchema } from './map-schema.js';
import type { PartPlan } from './value-plan.js';
import { without } from './without.js';

/** Parts of Kubernetes' own kinds that other kinds are made of. Others that look the same, do so by chance. */
const CORE =
  `Affinity Capabilities ConfigMapKeySelector Container EmptyDirVolumeSource EnvFromSource EnvVar LocalObjectReference
  NodeAffinity ObjectReference PersistentVolumeClaimSpec PodAffinity PodAntiAffinity PodSecurityContext PodSpec PodTemplateSpec
  Probe ResourceRequirements SecretKeySelector SecurityContext ServiceSpec Toleration TopologySpreadConstraint
  TypedLocalObjectReference TypedObjectReference Volume VolumeMount`.split(/\s+/);

/** Finds the part of a built-in kind that has exactly a schema. */
export class Parts {
  readonly #byForm = new Map<string, PartPlan>();

  constructor() {
    const parts = new Map(Object.entries(core));
    for (const name of CORE) this.#add(name, parts.get(name) as object, '@kubewright/api/core/v1');
    this.#add('LabelSelector', LabelSelector, '@kubewright/api/meta/v1');
  }

  /** The part, or undefined where none has this schema. Descriptions do not matter. */
  find(schema: StructuralSchema): PartPlan | undefined {
    return this.#byForm.get(formOf(schema));
  }

  #add(name: string, part: object, module: string): void {
    const schema = partSchemaOf(part)?.();
    if (schema !== undefined) this.#byForm.set(formOf(schema), { form: 'part', name, module });
  }
}

/** A schema as text that is the same where parts of it are said in another way: descriptions, the order of names, what is the default. */
function formOf(schema: StructuralSchema): string {
  const { schema: clean } = cleanSchema(schema);
  const told = mapSchema(clean, (each) => {
    const { required, 'x-kubernetes-list-type': listType, ...rest } = without(each, 'description');
    return {
      ...rest,
      ...(listType === undefined || listType === 'atomic' ? {} : { 'x-kubernetes-list-type': listType }),
      ...(required === undefined ? {} : { required: required.toSorted() }),
    };
  });
  return canonical(told);
}
