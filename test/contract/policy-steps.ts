import type { ContractApi, RequestOptions } from './contract-api.js';
import { admission, configMapRule, mutatingPolicy, validatingPolicy } from './policy-bodies.js';

const quiet = { quiet: true };

/** A policy of a case: the fields of its spec, and the fields of the spec of each binding. */
export interface CasePolicy {
  readonly spec: object;
  /** @default one binding */
  readonly bindings?: readonly object[];
}

/** Returns `matchResources` that match only the namespace of the case. */
export function inNamespace(api: ContractApi, more: object = {}): object {
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': api.namespace } };
  return { namespaceSelector, ...more };
}

/** Returns matchConstraints for rules that replace the rule for ConfigMaps. */
export function constraints(...rules: readonly object[]): object {
  return { matchConstraints: { resourceRules: rules.map((rule) => ({ ...configMapRule, ...rule })) } };
}

/** Returns the path of the ConfigMaps of the case. */
export function configMaps(api: ContractApi): string {
  return `/api/v1/namespaces/${api.namespace}/configmaps`;
}

/** Creates ValidatingAdmissionPolicies that deny violations, and waits until the server uses them. */
export async function validating(api: ContractApi, ...policies: readonly (CasePolicy | object)[]): Promise<void> {
  await installAll(api, 'validating', policies);
  const marker = 'marker-validating';
  const hasMarker = `!has(object.metadata.labels) || !('${marker}' in object.metadata.labels)`;
  await install(api, 'validating', { spec: { ...onMarked, validations: [{ expression: hasMarker }] } });
  await api.eventually(
    'the creation of a marked object',
    () => api.post(markedPath(api), marked(marker), quiet),
    ({ status }) => status === 422,
  );
}

/** Creates MutatingAdmissionPolicies, and waits until the server uses them. */
export async function mutating(api: ContractApi, ...policies: readonly (CasePolicy | object)[]): Promise<void> {
  await installAll(api, 'mutating', policies);
  const marker = 'marker-mutating';
  const conditions = [
    { name: 'marked', expression: `has(object.metadata.labels) && '${marker}' in object.metadata.labels` },
  ];
  const expression = "Object{metadata: Object.metadata{annotations: {'marked': 'yes'}}}";
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  await install(api, 'mutating', { spec: { ...onMarked, matchConditions: conditions, mutations } });
  await api.eventually(
    'the creation of a marked object',
    () => api.post(markedPath(api), marked(marker), quiet),
    ({ body }) => body?.metadata?.annotations?.marked === 'yes',
  );
}

// The marked object is a ServiceAccount, which no policy of a case matches. Otherwise, a policy could deny the object.
const onMarked = constraints({ resources: ['serviceaccounts'] });

function markedPath(api: ContractApi): string {
  return `/api/v1/namespaces/${api.namespace}/serviceaccounts?dryRun=All`;
}

function marked(marker: string): object {
  return { metadata: { name: marker, labels: { [marker]: '' } } };
}

async function installAll(
  api: ContractApi,
  kind: 'validating' | 'mutating',
  policies: readonly (CasePolicy | object)[],
): Promise<void> {
  for (const policy of policies) await install(api, kind, 'spec' in policy ? policy : { spec: policy });
}

// A server reads the policies and the bindings from two watches. If the server uses the last object of a watch, it also uses all others.
async function install(api: ContractApi, kind: 'validating' | 'mutating', policy: CasePolicy): Promise<void> {
  const name = api.name('policy');
  const bodyOf = kind === 'validating' ? validatingPolicy : mutatingPolicy;
  await created(api, `${kind}admissionpolicies`, bodyOf(name, policy.spec));
  for (const spec of policy.bindings ?? [{}]) {
    const matchResources = inNamespace(api);
    const actions = kind === 'validating' ? { validationActions: ['Deny'] } : {};
    await created(api, `${kind}admissionpolicybindings`, {
      metadata: { name: api.name('binding') },
      spec: { policyName: name, ...actions, matchResources, ...spec },
    });
  }
}

async function created(api: ContractApi, plural: string, object: object): Promise<void> {
  const { status, body } = await api.post(admission(plural), object, quiet);
  if (status !== 201) throw new Error(`cannot create an object of ${plural}: ${JSON.stringify(body)}`);
}

/** The parts of a response that show the decision of policies. */
export const decided: RequestOptions = { only: ['message', 'reason', 'code', 'details', 'metadata.name'] };

/** Creates a ConfigMap, and compares the decision. */
export async function create(
  api: ContractApi,
  object: { readonly data?: object; readonly metadata?: object } = {},
  options: RequestOptions = {},
): Promise<void> {
  await api.post(configMaps(api), { metadata: { name: 'a' }, ...object }, { ...decided, ...options });
}

/** Creates a ConfigMap in a dry run, and compares its metadata and data. */
export async function changed(
  api: ContractApi,
  object: { readonly data?: object; readonly metadata?: object } = {},
  options: RequestOptions = {},
): Promise<void> {
  const only = ['message', 'reason', 'code', 'details', 'data', 'metadata.labels', 'metadata.annotations', 'immutable'];
  await api.post(`${configMaps(api)}?dryRun=All`, { metadata: { name: 'a' }, ...object }, { only, ...options });
}
