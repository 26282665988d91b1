import type { KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Service } from '@kubewright/api/core/v1';
import { EndpointSlice } from '@kubewright/api/discovery/v1';
import { isForbidden, KubewrightError } from '@kubewright/api/errors';
import type { ServiceKey } from '@kubewright/runtime/internal';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { CommandContext } from '../command/command-context.js';
import { inSteps } from '../deploy/apply-objects.js';
import { declaredDefinitions } from '../deploy/declared-definitions.js';
import { deployedObjects } from '../deploy/deployed-objects.js';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import type { DeclaredProject } from '../deploy/with-cluster.js';
import { podSelector } from '../manifests/operator-labels.js';
import { checkCaBundles, checkCertificates } from './check-webhook-certificates.js';
import { type Finding, ok, refused, warning, wrong } from './finding.js';

const CHECK = 'webhooks';

/**
 * Checks that the API server can call the webhooks of a project: the webhook configurations in the cluster are equal to the generated
 * configurations, the serving certificate is valid, the CA bundles verify the certificate, and the Service has endpoints. Does not change
 * the cluster.
 */
export async function checkWebhooks(
  context: CommandContext,
  api: KubeApi,
  project: DeclaredProject,
): Promise<readonly Finding[]> {
  const { webhooks } = project.declared.operator;
  if (webhooks === undefined) return [];
  const { name, namespace } = project.project.settings;
  const service = { name: webhookNames(name).service, namespace };
  const expected = await expectedConfigurations(context, project);
  if (!Array.isArray(expected)) return [refused(CHECK, expected as KubewrightError)];
  return checked(async () => {
    const definitions = declaredDefinitions(project).filter(({ spec }) => spec.conversion?.strategy === 'Webhook');
    const found = await Promise.all(expected.map((object) => api.find(object)));
    const converted = await Promise.all(definitions.map((crd) => foundConversion(api, crd)));
    const foundService = await api.client.live.find(Service, service);
    const callers = [...found, ...converted].filter((object) => object !== undefined);
    if (foundService === undefined && callers.length === 0) {
      return [warning(CHECK, `the webhooks of ${name} are not deployed`, "run 'kubewright deploy'")];
    }
    const { state, chain, findings } = await checkCertificates(api, { project, service });
    return [
      ...(await Promise.all(expected.map((object, index) => checkConfiguration(api, object, found[index])))),
      ...findings,
      ...checkCaBundles(callers, { service, state, chain, source: webhooks.certificates.source }),
      await checkEndpoints(api, { service, exists: foundService !== undefined, project }),
    ];
  });
}

/** Returns the findings of `work`, or a warning if the user does not have a required permission. */
async function checked(work: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return [warning(CHECK, `cannot check the webhooks: ${error.message}`, 'request this permission')];
  }
}

/** Returns the webhook configurations that `kubewright deploy` would apply, or the error that prevents building the manifests. */
async function expectedConfigurations(
  { env }: CommandContext,
  project: DeclaredProject,
): Promise<readonly KubeObject[] | KubewrightError> {
  try {
    const { admission } = inSteps(await deployedObjects(project, { env }));
    return admission.filter(({ kind }) => kind.endsWith('WebhookConfiguration'));
  } catch (error) {
    if (error instanceof KubewrightError) return error;
    throw error;
  }
}

/** Returns a definition in the cluster if the API server calls a webhook to convert its objects. */
async function foundConversion(api: KubeApi, { metadata }: CustomResourceDefinition): Promise<KubeObject | undefined> {
  const found = await api.client.live.find(CustomResourceDefinition, { name: metadata.name });
  return found?.spec.conversion?.strategy === 'Webhook' ? found : undefined;
}

async function checkConfiguration(api: KubeApi, expected: KubeObject, found: KubeObject | undefined): Promise<Finding> {
  const what = describeObject(expected);
  const remedy = "run 'kubewright deploy'";
  if (found === undefined) {
    return wrong(CHECK, `${what} does not exist, so the API server does not call its webhooks`, remedy);
  }
  // Compares the objects with a dry run, because only the server knows the defaults of omitted fields.
  const { changes } = await api.apply(expected, { dryRun: true, force: true });
  if (changes.length === 0) return ok(CHECK, `${what} exists as generated`);
  const where = changes
    .map(({ field }) => field)
    .slice(0, 3)
    .join(', ');
  return wrong(CHECK, `${what} exists with a different ${where}`, remedy);
}

interface EndpointsOptions {
  readonly service: ServiceKey;
  readonly exists: boolean;
  readonly project: DeclaredProject;
}

async function checkEndpoints(api: KubeApi, { service, exists, project }: EndpointsOptions): Promise<Finding> {
  const { name, namespace } = service;
  const what = `Service ${namespace}/${name}`;
  if (!exists) {
    return wrong(
      CHECK,
      `${what} does not exist, so the API server cannot call the webhooks`,
      "run 'kubewright deploy'",
    );
  }
  const labels = { 'kubernetes.io/service-name': name };
  const slices = await api.client.live.list(EndpointSlice, { namespace, labels });
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  // An endpoint without the condition `ready` counts as ready.
  const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false);
  if (ready.length > 0) {
    return ok(CHECK, `${what} has ${ready.length} ready ${ready.length === 1 ? 'endpoint' : 'endpoints'}`);
  }
  const selector = Object.entries(podSelector(project.project))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  return wrong(
    CHECK,
    `${what} has no ready endpoints, so the API server cannot call the webhooks`,
    `check the Pods of the operator: 'kubectl get pods --namespace ${namespace} --selector ${selector}'`,
  );
}
