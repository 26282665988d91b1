import type { KubeObject } from '@kubewright/api';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@kubewright/api/admissionregistration/v1';
import { webhookConfigurations } from '@kubewright/runtime/internal';
import { sessionMetadata } from '../dev-sessions/session-objects.js';
import type { SessionConversion } from '../dev-sessions/replaced-conversion.js';
import type { SessionLease } from '../dev-sessions/session-lease.js';
import { manifestsInput } from '../manifests/manifests-input.js';
import { admissionManifests } from '../manifests/webhooks/webhook-manifests.js';
import { describedWebhooks } from '../manifests/webhooks/described-webhooks.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { ProjectSettings } from '../project/project-settings.js';
import { clientConfigOf } from './dev-webhooks.js';
import type { LocalWebhooks } from './local-webhooks.js';

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** The input of `sessionConfigurations`. */
export interface SessionWebhooks {
  readonly settings: ProjectSettings;
  readonly declared: InspectedProject;
  readonly session: Pick<SessionLease, 'key' | 'name'>;
  readonly local: LocalWebhooks;
  /** The URL of the webhook server without a path. */
  readonly url: string;
}

/**
 * Returns the webhook configurations of a session: the generated configurations, with URLs instead of the Service. All webhooks have the
 * failure policy Ignore. Therefore, no request of another user fails while the operator does not run.
 */
export function sessionConfigurations({
  settings,
  declared,
  session,
  local,
  url,
}: SessionWebhooks): readonly KubeObject[] {
  const clientConfig = clientConfigOf(local, url);
  const manifests = admissionManifests(manifestsInput(settings, declared)) as readonly Configuration[];
  return manifests.map((manifest) => ({
    ...manifest,
    metadata: {
      ...manifest.metadata,
      name: `${session.name}-${manifest.kind === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating'}`,
      ...sessionMetadata(session.key),
    },
    webhooks: (manifest.webhooks ?? []).map((webhook) => ({
      ...webhook,
      clientConfig: clientConfig(webhook.clientConfig.service?.path ?? '/'),
      failurePolicy: 'Ignore',
    })),
  }));
}

/** Returns the conversions of the kinds, which call the webhook server at its URL instead of through the Service. */
export function sessionConversions(
  { operator }: InspectedProject,
  local: LocalWebhooks,
  url: string,
): readonly SessionConversion[] {
  if (operator.webhooks === undefined) return [];
  const names = { mutating: '', validating: '' };
  return webhookConfigurations(describedWebhooks(operator.webhooks), clientConfigOf(local, url), names).conversions;
}
