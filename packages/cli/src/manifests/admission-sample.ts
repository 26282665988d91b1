import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { AdmissionBindings } from '@kubewright/api/cel';
import { type KindInfo, kindOf } from '@kubewright/api/metadata';
import type { DescribedAdmissionWebhook } from '@kubewright/runtime';
import { sampleOf } from './samples/sample-of.js';

/** Returns the data of a small request to which a webhook or a policy applies, to measure the cost of expressions. */
export function admissionSample(
  { kind: ref, operations, subresource = '' }: Pick<DescribedAdmissionWebhook, 'kind' | 'operations' | 'subresource'>,
  crds: readonly CustomResourceDefinition[],
): AdmissionBindings {
  const info = kindOf(ref);
  const { group, version, kind } = info;
  const object = sampleOfKind(info, crds);
  const resource = { group, version, resource: definitionOf(info, crds)?.spec.names.plural ?? '' };
  const { name, namespace = '' } = object.metadata;
  return {
    object,
    oldObject: operations.includes('UPDATE') ? object : undefined,
    request: {
      uid: '',
      kind: { group, version, kind },
      resource,
      subResource: subresource,
      name,
      namespace,
      operation: operations[0] ?? 'CREATE',
      userInfo: { username: 'user', groups: ['system:authenticated'] },
      dryRun: false,
    },
    authorize: () => ({ allowed: false, reason: '' }),
    requestResource: { group, resource: resource.resource, subresource, namespace, name },
  };
}

/** Returns a sample of a kind. If the project does not declare the kind, the sample contains only a name. */
export function sampleOfKind(
  info: Pick<KindInfo, 'group' | 'kind' | 'version'>,
  crds: readonly CustomResourceDefinition[],
): Pick<KubeObject, 'metadata'> {
  const crd = definitionOf(info, crds);
  return crd === undefined ? { metadata: { name: 'sample' } as KubeObject['metadata'] } : sampleOf(crd, info.version);
}

function definitionOf(
  { group, kind }: Pick<KindInfo, 'group' | 'kind'>,
  crds: readonly CustomResourceDefinition[],
): CustomResourceDefinition | undefined {
  return crds.find(({ spec }) => spec.group === group && spec.names.kind === kind);
}
