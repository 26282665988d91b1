import type { KindRef, KubeObject } from '@kubewright/api';
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@kubewright/api/admissionregistration/v1';
import { ignoreNotFound, isForbidden, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { CommandContext } from '../command/command-context.js';
import { operatorLabels } from '../manifests/operator-labels.js';
import type { ProjectSettings } from '../project/project-settings.js';
import { type DoneObject, doneObject } from './apply-objects.js';
import { describeObject, type KubeApi } from './kube-api.js';
import type { RemovedConfigurations } from './webhook-configurations.js';

/** The kinds of policies and bindings. Bindings are deleted first, so that no binding refers to a deleted policy. */
const KINDS: readonly KindRef[] = [
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
];

/**
 * Deletes the admission policies of an earlier version of the operator that the current version does not have. Otherwise, the API server
 * would still enforce them. Deletes only objects with the labels of the operator. Ignores kinds that the user may not list, and kinds that
 * an older API server does not serve.
 */
export async function removeOldPolicies(
  { output }: CommandContext,
  api: KubeApi,
  { settings, objects, dryRun }: RemovedConfigurations,
): Promise<readonly DoneObject[]> {
  const done: DoneObject[] = [];
  for (const old of await policiesExcept(api, settings, objects)) {
    if (!dryRun) await ignoreNotFound(api.client.delete(old));
    output.line(`${output.styles.red(dryRun ? 'would delete' : 'deleted')} ${describeObject(old)}`);
    done.push(doneObject(old, 'deleted'));
  }
  return done;
}

/** Returns the policies and bindings of the operator in the cluster that are not among the given objects. */
export async function policiesExcept(
  api: KubeApi,
  settings: ProjectSettings,
  objects: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for (const kind of KINDS) append(found, await listIfPossible(api, kind, operatorLabels({ settings })));
  return found.filter(
    ({ kind, metadata }) => !objects.some((object) => object.kind === kind && object.metadata.name === metadata.name),
  );
}

async function listIfPossible(
  api: KubeApi,
  kind: KindRef,
  labels: Readonly<Record<string, string>>,
): Promise<readonly KubeObject[]> {
  try {
    return await api.client.live.list<KubeObject>(kind, { labels });
  } catch (error) {
    const isNotServed = error instanceof KubewrightError && error.code === 'KIND_NOT_SERVED';
    if (isForbidden(error) || isNotFound(error) || isNotServed) return [];
    throw error;
  }
}
