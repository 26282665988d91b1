import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { DescribedAdmissionWebhook } from '@kubewright/runtime';
import { type WebhookConfigurations, webhookConfigurations } from '@kubewright/runtime/internal';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { ManifestsInput } from '../manifests-input.js';
import { operatorLabels } from '../operator-labels.js';
import { injectionAnnotations } from './certificate-manifests.js';
import { checkConditions } from './check-conditions.js';
import { guardedWebhook } from './guarded-webhook.js';

/**
 * Returns the webhook configurations of an operator, restricted by `guardedWebhook`. The list is empty if the operator has no admission
 * webhooks. The configurations have no `caBundle`: a later `kubectl apply` of the same configurations then keeps the bundle that the
 * manager, cert-manager or OpenShift has written, both with and without server-side apply.
 * @throws KubewrightError INVALID_WEBHOOK if a match condition is not valid, or if the API server never sends the kind to webhooks
 */
export function admissionManifests(input: ManifestsInput): readonly KubeObject[] {
  const { webhooks } = input.operator;
  if (webhooks === undefined) return [];
  for (const webhook of webhooks.admission) checkConditions(webhook, input);
  const { mutating, validating } = configurations(input);
  return [mutating, validating].flatMap((configuration) => {
    if (configuration === undefined) return [];
    const type: DescribedAdmissionWebhook['type'] = configuration === mutating ? 'mutating' : 'validating';
    const described = webhooks.admission.filter((each) => each.type === type);
    const guarded = (configuration.webhooks ?? []).map((webhook) => {
      const of = described.find(({ name }) => name === webhook.name);
      return of === undefined ? webhook : guardedWebhook(webhook, of, input);
    });
    return [{ ...configuration, metadata: { ...configuration.metadata, ...metadataOf(input) }, webhooks: guarded }];
  });
}

/**
 * Returns the definitions of the operator, with the conversion by the webhook Service if the operator converts the kind. Like webhook
 * configurations, the definitions have no `caBundle`.
 */
export function definitionManifests(input: ManifestsInput): readonly CustomResourceDefinition[] {
  if (input.operator.webhooks === undefined) return input.crds;
  const { conversions } = configurations(input);
  return input.crds.map((crd) => {
    const of = conversions.find(({ definition }) => definition === crd.metadata.name);
    if (of === undefined) return crd;
    const { annotations } = crd.metadata;
    const injected = injectionAnnotations(input);
    const all = { ...annotations, ...injected };
    return {
      ...crd,
      metadata: { ...crd.metadata, ...(Object.keys(all).length > 0 && { annotations: all }) },
      spec: { ...crd.spec, conversion: of.conversion },
    };
  });
}

/** Returns the definitions of the kinds that the operator converts. */
export function convertedDefinitions(input: ManifestsInput): readonly CustomResourceDefinition[] {
  return definitionManifests(input).filter(({ spec }) => spec.conversion?.strategy === 'Webhook');
}

function configurations({ settings, operator }: ManifestsInput): WebhookConfigurations {
  const { service: name, mutatingConfiguration, validatingConfiguration } = webhookNames(settings.name);
  return webhookConfigurations(
    operator.webhooks ?? { admission: [], conversions: [] },
    (path) => ({ service: { name, namespace: settings.namespace, path } }),
    { mutating: mutatingConfiguration, validating: validatingConfiguration },
  );
}

function metadataOf(input: ManifestsInput): Pick<KubeObject['metadata'], 'labels' | 'annotations'> {
  const annotations = injectionAnnotations(input);
  return { labels: operatorLabels(input), ...(Object.keys(annotations).length > 0 && { annotations }) };
}
