import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

/** The annotation with which the owners of a Kubernetes group approve a definition. The generated classes keep only this annotation. */
export const APPROVAL = 'api-approved.kubernetes.io';
/** Annotations and labels that tools add. They do not belong to the definition. */
const FROM_TOOLS = [
  'controller-gen.kubebuilder.io/version',
  'kubectl.kubernetes.io/last-applied-configuration',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
];

/**
 * Returns the differences between a definition and the definition that is generated from its classes, one sentence per difference. Does not
 * compare versions.
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
          'the conversion webhook is dropped: a value is lost if its object is written through a version without the field',
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
