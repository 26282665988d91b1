import type { ContainerPort, EnvVar, Volume, VolumeMount } from '@kubewright/api/core/v1';
import { MOUNTED_CERTIFICATES, webhookNames } from '@kubewright/runtime/permissions';
import type { ManifestsInput } from '../manifests-input.js';
import { WEBHOOK_PORT } from './webhook-service.js';

/** The environment variable with the base name of the objects that the webhooks use. */
const NAME_VARIABLE = 'KUBEWRIGHT_WEBHOOKS_NAME';
const VOLUME = 'webhook-certificates';

/** The additions to the Pod of the operator that the webhooks require. All lists are empty if the operator has no webhooks. */
export interface WebhookPod {
  readonly ports: readonly ContainerPort[];
  readonly env: readonly EnvVar[];
  readonly volumes: readonly Volume[];
  readonly volumeMounts: readonly VolumeMount[];
}

/**
 * Returns the port, the environment, and the certificate volume of the operator's Pod. Omits the volume if the manager creates the
 * certificates, because the manager reads the Secret through the API server.
 */
export function webhookPod({ settings, operator: { webhooks } }: ManifestsInput): WebhookPod {
  if (webhooks === undefined) return { ports: [], env: [], volumes: [], volumeMounts: [] };
  const isMounted = webhooks.certificates.source !== 'manager';
  return {
    ports: [{ name: WEBHOOK_PORT, containerPort: webhooks.port, protocol: 'TCP' }],
    env: [{ name: NAME_VARIABLE, value: settings.name }],
    volumes: isMounted ? [{ name: VOLUME, secret: { secretName: webhookNames(settings.name).secret } }] : [],
    volumeMounts: isMounted ? [{ name: VOLUME, mountPath: MOUNTED_CERTIFICATES, readOnly: true }] : [],
  };
}
