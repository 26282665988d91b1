import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Service } from '@kubewright/api/core/v1';
import type { CommandContext } from '../command/command-context.js';
import { describeObject, type KubeApi } from './kube-api.js';

/** The fields of a definition on which its conversion depends. */
type Converted = Pick<CustomResourceDefinition, 'metadata' | 'spec'>;

/**
 * Returns the Service that a definition calls to convert objects, as 'namespace/name', if the Service does not exist. Returns undefined if
 * the Service exists, or if the definition calls no Service.
 */
export async function missingConversionService(api: KubeApi, { spec }: Converted): Promise<string | undefined> {
  const service = spec.conversion?.webhook?.clientConfig?.service;
  if (spec.conversion?.strategy !== 'Webhook' || service === undefined) return undefined;
  const { name, namespace } = service;
  const found = await api.client.live.find(Service, { name, namespace });
  return found === undefined ? `${namespace}/${name}` : undefined;
}

/**
 * Warns about each definition whose conversion calls a Service that does not exist. The API server then rejects requests that need a
 * conversion. Does not replace the conversion with the strategy None, because the API server would then silently drop the fields that the
 * storage version does not have.
 */
export async function warnOfMissingConversion(
  { output }: CommandContext,
  api: KubeApi,
  definitions: readonly CustomResourceDefinition[],
): Promise<void> {
  for (const definition of definitions) {
    const service = await missingConversionService(api, definition);
    if (service === undefined) continue;
    const stored = definition.spec.versions.find(({ storage }) => storage)?.name ?? 'the storage version';
    output.note(
      `${output.errorStyles.yellow('warning:')} ${definition.metadata.name} is converted between its versions by Service ${service}, which does not exist: the API server rejects requests for objects in versions other than ${stored} until 'kubewright deploy' creates the Service`,
    );
  }
}

/**
 * Sets the strategy None if the Service that converts the objects of a definition does not exist. Otherwise, the API server could not read
 * the objects in order to delete them. Call this function only before the definition is deleted, because the strategy None drops fields.
 */
export async function withoutMissingConversion(
  { output }: CommandContext,
  api: KubeApi,
  definition: CustomResourceDefinition,
): Promise<void> {
  const service = await missingConversionService(api, definition);
  if (service === undefined) return;
  await api.client.patch(definition, { merge: { spec: { conversion: { strategy: 'None', webhook: null } } } });
  output.line(
    output.styles.dim(`disabled the conversion of ${describeObject(definition)}: Service ${service} does not exist`),
  );
}
