import type { ContractApi } from './contract-api.js';

/** The schema of a small custom kind with a size, a `colour` and a status. */
export const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer', minimum: 1 }, colour: { type: 'string' } },
    },
    status: { type: 'object', properties: { size: { type: 'integer' }, selector: { type: 'string' } } },
  },
};

/** Returns one version of the small kind, served and stored. */
export function version(name: string, more: object = {}): object {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: widgetSchema }, ...more };
}

/** Optional subresources of a version. */
export const statusAndScale = {
  status: {},
  scale: {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.selector',
  },
};

/** Returns the definition of the kind Widget in the group of the case. */
export function widgets(api: ContractApi, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${api.group}`, ...metadata },
    spec: {
      group: api.group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [version('v1')],
      ...spec,
    },
  };
}

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Returns the path of the definition of Widget. */
export function definitionOf(api: ContractApi, plural = 'widgets'): string {
  return `${definitions}/${plural}.${api.group}`;
}

/** Returns the path of the Widgets in the namespace of the case. */
export function widgetsOf(api: ContractApi, inVersion = 'v1', plural = 'widgets'): string {
  return `/apis/${api.group}/${inVersion}/namespaces/${api.namespace}/${plural}`;
}

/** Returns a predicate that checks the status of a condition of a definition. */
export function has(type: string, status: string): (answer: { readonly body: Definition }) => boolean {
  return ({ body }) =>
    (body.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === status);
}

interface Definition {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null };
}

/** Installs a definition and waits until its objects can be listed in every served version. */
export async function install(api: ContractApi, definition: object): Promise<void> {
  await api.post(definitions, definition, { quiet: true });
  await served(api, definition);
}

/** Waits until the objects of a definition can be listed in every served version. */
export async function served(api: ContractApi, definition: object): Promise<void> {
  const { names, versions } = (definition as Written).spec;
  await api.until(definitionOf(api, names.plural), has('Established', 'True'));
  for (const { name, served: isServed } of versions) {
    const list = `/apis/${api.group}/${name}/${names.plural}`;
    if (isServed) await api.until(list, ({ status }) => status === 200);
  }
}

interface Written {
  readonly spec: {
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** Replaces fields of the spec of the installed definition, with its current resourceVersion. */
export async function change(
  api: ContractApi,
  spec: object,
  options: { readonly quiet?: boolean } = {},
): Promise<void> {
  const { body } = await api.get(definitionOf(api), { quiet: true });
  await api.put(definitionOf(api), { ...body, spec: { ...body.spec, ...spec } }, options);
}
