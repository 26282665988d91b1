import { Service } from '@kubewright/api/core/v1';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { ManifestsInput } from '../manifests-input.js';
import { operatorLabels, podSelector } from '../operator-labels.js';

/** The name of the port of the webhook Service, and of the port of the manager's container to which the Service forwards. */
export const WEBHOOK_PORT = 'webhooks';
/** The port of the webhook Service, which the API server uses by default. */
const SERVICE_PORT = 443;
/** The annotation with which the service CA of OpenShift creates the Secret with the serving certificate of a Service. */
const OPENSHIFT_SECRET = 'service.beta.openshift.io/serving-cert-secret-name';

/** Returns the Service through which the API server calls the webhooks; undefined if the operator has no webhooks. */
export function webhookService(input: ManifestsInput): Service | undefined {
  const { webhooks } = input.operator;
  if (webhooks === undefined) return undefined;
  const { service, secret } = webhookNames(input.settings.name);
  return new Service({
    metadata: {
      name: service,
      namespace: input.settings.namespace,
      labels: operatorLabels(input),
      ...(webhooks.certificates.source === 'openshift' && { annotations: { [OPENSHIFT_SECRET]: secret } }),
    },
    spec: {
      selector: podSelector(input),
      ports: [{ name: WEBHOOK_PORT, port: SERVICE_PORT, targetPort: WEBHOOK_PORT }],
    },
  });
}
