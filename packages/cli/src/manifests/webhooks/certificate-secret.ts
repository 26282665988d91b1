import type { DescribedWebhooks } from '@kubewright/runtime';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { ProjectSettings } from '../../project/project-settings.js';

/**
 * Returns the name of the Secret with the certificates of the webhooks: the name in the options of the manager, or the default. Returns
 * undefined if the user provides the files with the certificates.
 */
export function certificateSecretName(
  { name }: Pick<ProjectSettings, 'name'>,
  { certificates }: Pick<DescribedWebhooks, 'certificates'>,
): string | undefined {
  if (certificates.source === 'files') return undefined;
  const { secret } = webhookNames(name);
  return certificates.source === 'manager' ? (certificates.secret ?? secret) : secret;
}
