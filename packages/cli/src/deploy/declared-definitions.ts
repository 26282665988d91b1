import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { manifestsInput } from '../manifests/manifests-input.js';
import { definitionManifests } from '../manifests/webhooks/webhook-manifests.js';
import type { DeclaredProject } from './with-cluster.js';

/** Returns the definitions of a project as `kubewright generate` writes them, with the conversion by the webhooks of the operator. */
export function declaredDefinitions({ project, declared }: DeclaredProject): readonly CustomResourceDefinition[] {
  return definitionManifests(manifestsInput(project.settings, declared));
}
