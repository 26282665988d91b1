import type { KubeObject } from '@kubewright/api';
import {
  type MutatingWebhookConfiguration,
  MutatingWebhookConfiguration as Mutating,
  type ValidatingWebhookConfiguration,
  ValidatingWebhookConfiguration as Validating,
} from '@kubewright/api/admissionregistration/v1';
import { isForbidden, KubewrightError } from '@kubewright/api/errors';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { CommandContext } from '../command/command-context.js';
import { operatorLabels } from '../manifests/operator-labels.js';
import type { ProjectSettings } from '../project/project-settings.js';
import { type DoneObject, doneObject } from './apply-objects.js';
import { describeObject, type KubeApi } from './kube-api.js';

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** The objects that a deployment applies, and the settings of the project. */
export interface RemovedConfigurations {
  readonly settings: ProjectSettings;
  readonly objects: readonly KubeObject[];
  readonly dryRun: boolean;
}

/**
 * Deletes the webhook configurations of an earlier version of the operator that the current version does not have. Otherwise, the API
 * server would call webhooks that no longer exist, and reject requests. Deletes only configurations with the labels of the operator. Does
 * nothing if the user may not read webhook configurations.
 */
export async function removeOldConfigurations(
  { output }: CommandContext,
  api: KubeApi,
  { settings, objects, dryRun }: RemovedConfigurations,
): Promise<readonly DoneObject[]> {
  const { mutatingConfiguration, validatingConfiguration } = webhookNames(settings.name);
  const labels = Object.entries(operatorLabels({ settings }));
  const done: DoneObject[] = [];
  for (const [kind, name] of [
    [Mutating, mutatingConfiguration],
    [Validating, validatingConfiguration],
  ] as const) {
    const found = await findIfAllowed(api, kind, name);
    const isCurrent = objects.some((object) => object.kind === found?.kind && object.metadata.name === name);
    const isOurs = labels.every(([key, value]) => found?.metadata.labels?.[key] === value);
    if (found === undefined || isCurrent || !isOurs) continue;
    if (!dryRun) await api.client.delete(found);
    output.line(`${output.styles.red(dryRun ? 'would delete' : 'deleted')} ${describeObject(found)}`);
    done.push(doneObject(found, 'deleted'));
  }
  return done;
}

async function findIfAllowed(
  api: KubeApi,
  kind: typeof Mutating | typeof Validating,
  name: string,
): Promise<KubeObject | undefined> {
  try {
    return await api.client.live.find<KubeObject>(kind, { name });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** The options of `untilInjected`. */
export interface InjectionOptions {
  readonly settings: ProjectSettings;
  /** The objects of the deployment. */
  readonly objects: readonly KubeObject[];
  /** The time limit in milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until every webhook of the operator has a CA bundle, so that the API server can call the webhooks. Ignores other webhook
 * configurations among the objects.
 * @throws KubewrightError NOT_AVAILABLE when the time limit is exceeded
 */
export async function untilInjected(api: KubeApi, options: InjectionOptions): Promise<void> {
  const { settings, objects } = options;
  const { mutatingConfiguration, validatingConfiguration } = webhookNames(settings.name);
  for (const object of objects) {
    const { kind, metadata } = object;
    const isMutating = kind === 'MutatingWebhookConfiguration' && metadata.name === mutatingConfiguration;
    const isValidating = kind === 'ValidatingWebhookConfiguration' && metadata.name === validatingConfiguration;
    if (isMutating || isValidating) await untilOneInjected(api, object, options);
  }
}

async function untilOneInjected(
  api: KubeApi,
  object: KubeObject,
  { limitMs, signal }: InjectionOptions,
): Promise<void> {
  const kind = object.kind === 'MutatingWebhookConfiguration' ? Mutating : Validating;
  const { name } = object.metadata;
  const isInjected = ({ webhooks = [] }: Configuration): boolean =>
    webhooks.every(({ clientConfig }) => (clientConfig.caBundle ?? '') !== '');
  try {
    await api.cache.until<Configuration>(kind, { name }, isInjected, { timeout: `${limitMs}ms`, signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof KubewrightError) || cause.code !== 'WAIT_TIMEOUT') throw cause;
    throw new KubewrightError(
      'NOT_AVAILABLE',
      `${describeObject(object)} is not available: its webhooks have no CA bundle after ${limitMs / 1000} s; check the log of the operator, or of the component that injects the CA bundle`,
      { cause },
    );
  }
}
