import type { Transport } from '@kubewright/runtime/internal';

const discovered = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const metadataOnly = 'application/json;as=PartialObjectMetaList;g=meta.k8s.io;v=v1, application/json';

interface DiscoveredGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly { readonly resource: string; readonly verbs: readonly string[] }[];
  }[];
}

/** The metadata of an object in a list. */
export interface ListedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly managedFields?: readonly { readonly manager?: string }[];
  };
}

/** Returns the path of each list whose objects can be deleted, in the first version that has the resource. */
export async function deletableLists(transport: Transport): Promise<readonly string[]> {
  const groups = await Promise.all(
    ['/api', '/apis'].map((path) =>
      transport.request<{ readonly items: readonly DiscoveredGroup[] }>({ method: 'GET', path, accept: discovered }),
    ),
  );
  return groups.flatMap(({ items }) => items).flatMap(listsOf);
}

/** Returns the metadata of the objects in a list. */
export async function metadataIn(transport: Transport, list: string): Promise<readonly ListedObject[]> {
  const { items } = await transport.request<{ readonly items: readonly ListedObject[] }>({
    method: 'GET',
    path: list,
    accept: metadataOnly,
  });
  return items;
}

/** Returns the path of an object in a list. */
export function pathOf(list: string, { metadata: { namespace, name } }: ListedObject): string {
  const [, root, resource] = /^(.*)\/([^/]+)$/.exec(list) ?? [];
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${resource}/${name}`;
}

function listsOf({ metadata: { name }, versions }: DiscoveredGroup): readonly string[] {
  const lists = new Map<string, string>();
  for (const { version, resources } of versions) {
    for (const { resource, verbs } of resources) {
      const list =
        name === undefined || name === '' ? `/api/${version}/${resource}` : `/apis/${name}/${version}/${resource}`;
      if (verbs.includes('list') && verbs.includes('delete') && !lists.has(resource)) lists.set(resource, list);
    }
  }
  return [...lists.values()];
}
