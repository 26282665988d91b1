import type { MutatingWebhook, ValidatingWebhook } from '@kubewright/api/admissionregistration/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { isExemptKind, kindOf } from '@kubewright/api/metadata';
import type { LabelSelectorRequirement } from '@kubewright/api/meta/v1';
import type { DescribedAdmissionWebhook } from '@kubewright/runtime';
import { namespaceRequirement, withRequirement } from '@kubewright/runtime/internal';
import type { ManifestsInput } from '../manifests-input.js';

/** The label with the name of the operator, which all objects of the operator have. */
const OPERATOR_NAME = 'app.kubernetes.io/name';
/** The namespaces with the Leases of the nodes and of the components of the cluster. */
const LEASE_NAMESPACES = ['kube-node-lease', 'kube-system'];
/**
 * Restricts a webhook so that a failure of the operator cannot block the operator itself or the cluster:
 *
 * - If the operator is not namespaced, the webhook does not match objects in the namespace of the operator.
 * - If the operator is namespaced, the webhook matches only objects in the namespace of the operator. If the project does not declare the
 *   kind, the webhook also does not match objects with the name label of the operator.
 * - A webhook for Leases does not match the Leases of the nodes and of the components of the cluster.
 *
 * @throws KubewrightError INVALID_WEBHOOK if the API server never sends the kind to webhooks
 */
export function guardedWebhook<T extends MutatingWebhook | ValidatingWebhook>(
  webhook: T,
  described: DescribedAdmissionWebhook,
  input: ManifestsInput,
): T {
  const { group, kind } = kindOf(described.kind);
  if (isExemptKind({ group, kind })) {
    throw new KubewrightError(
      'INVALID_WEBHOOK',
      `cannot generate the webhook of ${described.declaredBy ?? webhook.name}: the API server never sends ${kind} to webhooks; remove the webhook`,
    );
  }
  const { settings } = input;
  const namespaces = guardedNamespaces(input, group === 'coordination.k8s.io' && kind === 'Lease');
  const isOwnKind = input.crds.some(({ spec }) => spec.group === group && spec.names.kind === kind);
  const others: LabelSelectorRequirement = { key: OPERATOR_NAME, operator: 'NotIn', values: [input.settings.name] };
  return {
    ...webhook,
    namespaceSelector: withRequirement(webhook.namespaceSelector, namespaces),
    ...(settings.namespaced && !isOwnKind && { objectSelector: withRequirement(webhook.objectSelector, others) }),
  };
}

function guardedNamespaces(
  { settings: { namespace, namespaced } }: ManifestsInput,
  isLease: boolean,
): LabelSelectorRequirement {
  if (namespaced) return namespaceRequirement('In', [namespace]);
  const values = new Set([namespace, ...(isLease ? LEASE_NAMESPACES : [])]);
  return namespaceRequirement('NotIn', [...values].toSorted());
}
