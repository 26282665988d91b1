import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

/**
 * The annotation that API servers require on CustomResourceDefinitions in groups of the Kubernetes community (`*.k8s.io`). The generated
 * classes contain only this annotation.
 */
export const APPROVAL = 'api-approved.kubernetes.io';
/** Annotations and labels that tools add to a CustomResourceDefinition. `definitionDifferences` does not report them as differences. */
const FROM_TOOLS = [
  'controller-gen.kubebuilder.io/version',
  'kubectl.kubernetes.io/last-applied-configuration',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
];

/**
 * Returns the differences between an original definition and the definition that is generated from the classes, one sentence per
 * difference. Compares only the fields outside of `spec.versions`.
 */
export function definitionDifferences({ metadata, spec }: CustomResourceDefinition): readonly string[] {
  const { conversion, names, preserveUnknownFields } = spec;
  const { listKind = '', kind } = names;
  return [
    ...droppedKeys('label', metadata.labels),
    ...droppedKeys('annotation', metadata.annotations),
    ...(listKind === '' || listKind === `${kind}List` ? [] : [`the list kind is ${kind}List, not ${listKind}`]),
    ...(preserveUnknownFields === true ? ['preserveUnknownFields is false: unknown fields are pruned'] : []),
    ...(conversion?.strategy === 'Webhook'
      ? [
          'the conversion webhook is dropped: a field is lost if the object is written through a version that lacks the field',
        ]
      : []),
  ];
}

function droppedKeys(what: string, values: Readonly<Record<string, string>> = {}): readonly string[] {
  const keys = Object.keys(values).filter(
    (key) => !FROM_TOOLS.includes(key) && key !== APPROVAL && !key.startsWith('meta.helm.sh/'),
  );
  if (keys.length === 0) return [];
  const [noun, verb] = keys.length === 1 ? [what, 'is'] : [`${what}s`, 'are'];
  return [`the ${noun} ${keys.join(', ')} ${verb} dropped; add ${what}s with @Kind`];
}
