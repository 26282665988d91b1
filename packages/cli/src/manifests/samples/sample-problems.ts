import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { RuleValidator } from '@kubewright/api/cel';
import { KubewrightError } from '@kubewright/api/errors';
import { groupOf } from '@kubewright/api/metadata';
import type { KubeObject } from '@kubewright/api';
import { applyDefaults, prune, type StructuralSchema, validate } from '@kubewright/api/schema';
import { isSecretPath, maskFieldErrors } from '@kubewright/api/secrets';
import type { ProjectFiles } from 'create-operator';
import { objectsIn } from '../objects-in.js';

/**
 * Returns the reasons why an API server would reject the samples in config/samples, one sentence for each sample and field. Ignores objects
 * whose API group has no definition in `crds`.
 *
 * @param files the texts by path relative to the project; files outside of config/samples are ignored
 */
export function sampleProblems(files: ProjectFiles, crds: readonly CustomResourceDefinition[]): readonly string[] {
  return [...files]
    .filter(([path]) => /^config\/samples\/(?:.*\/)?(?!kustomization\.)[^/]+\.(?:ya?ml|json)$/.test(path))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => fileProblems(path, text, crds));
}

function fileProblems(path: string, text: string, crds: readonly CustomResourceDefinition[]): readonly string[] {
  try {
    return objectsIn(text, path).flatMap((object) =>
      objectProblems(object, crds).map((problem) => `${path}: ${object.kind} ${object.metadata.name}: ${problem}`),
    );
  } catch (error) {
    if (error instanceof KubewrightError && error.code === 'INVALID_MANIFEST')
      return [error.message.split('\n', 1).join()];
    throw error;
  }
}

function objectProblems(object: KubeObject, crds: readonly CustomResourceDefinition[]): readonly string[] {
  const group = groupOf(object.apiVersion);
  const inGroup = crds.filter(({ spec }) => spec.group === group);
  if (inGroup.length === 0) return [];
  const crd = inGroup.find(({ spec }) => spec.names.kind === object.kind);
  if (crd === undefined) return [`the project has no kind ${object.kind} in ${group}`];
  const version = crd.spec.versions.find(({ name }) => `${group}/${name}` === object.apiVersion);
  if (version?.served !== true) {
    const served = crd.spec.versions.filter((each) => each.served).map(({ name }) => name);
    return [`${object.apiVersion} is not a served version of its kind; the served versions are ${served.join(', ')}`];
  }
  return schemaProblems(object, (version.schema?.openAPIV3Schema ?? {}) as StructuralSchema);
}

function schemaProblems(object: KubeObject, schema: StructuralSchema): readonly string[] {
  const { value, unknownFields } = prune(object, schema);
  const stored = applyDefaults(value, schema);
  const errors = validate(stored, schema);
  const broken = errors.length > 0 ? errors : (RuleValidator.compile(schema)?.validate(stored).errors ?? []);
  return [
    ...unknownFields.map((field) => `${field}: the schema does not contain this field`),
    ...broken.map(({ field, message }) => {
      const shown = maskFieldErrors(message, (path) => isSecretPath(path, { schema }), field).replaceAll(/\s+/g, ' ');
      return `${field === '<nil>' ? '' : `${field}: `}${shown}`;
    }),
  ];
}
