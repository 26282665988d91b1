/** A resource of a version of an API group. */
export interface ServedResource {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The subresources without the name of the resource, such as 'status' or 'scale'. */
  readonly subresources: readonly string[];
}

/** A version of an API group. */
export interface ServedVersion {
  readonly version: string;
  /** The resources. Undefined if the document of the group does not contain them. */
  readonly resources: readonly ServedResource[] | undefined;
  /** Whether the data may be outdated, because the server of this version could not be reached. */
  readonly stale: boolean;
}

/** An API group. The version that the server prefers is first. */
export interface ServedGroup {
  /** The name of the group. Empty for the core group. */
  readonly group: string;
  readonly versions: readonly ServedVersion[];
}

interface AggregatedResource {
  readonly resource?: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource?: string }[];
}

interface AggregatedVersion {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[];
}

/** The response of `/api` or `/apis`: the aggregated document, or the unaggregated document of an older server. */
export type GroupsDocument =
  | {
      readonly kind: 'APIGroupDiscoveryList';
      readonly items?: readonly {
        readonly metadata?: { readonly name?: string };
        readonly versions?: readonly AggregatedVersion[];
      }[];
    }
  | { readonly kind: 'APIVersions'; readonly versions?: readonly string[] }
  | {
      readonly kind: 'APIGroupList';
      readonly groups?: readonly {
        readonly name: string;
        readonly versions?: readonly { readonly version: string }[];
        readonly preferredVersion?: { readonly version: string };
      }[];
    };

/** The response of `/apis/<group>/<version>`. */
export interface ResourcesDocument {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly kind: string;
    readonly namespaced?: boolean;
    readonly verbs?: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

/** Returns the groups of a discovery document in any of its forms. Returns undefined for any other document. */
export function groupsOf(document: GroupsDocument | undefined): readonly ServedGroup[] | undefined {
  switch (document?.kind) {
    case 'APIGroupDiscoveryList':
      return (document.items ?? []).map(({ metadata, versions = [] }) => ({
        group: metadata?.name ?? '',
        versions: versions.map(aggregatedVersion),
      }));
    case 'APIVersions':
      return [{ group: '', versions: (document.versions ?? []).map(unreported) }];
    case 'APIGroupList':
      return (document.groups ?? []).map(({ name, versions = [], preferredVersion }) => {
        const names = versions.map(({ version }) => version);
        const preferred = names.filter((version) => version === preferredVersion?.version);
        const others = names.filter((version) => version !== preferredVersion?.version);
        return { group: name, versions: [...preferred, ...others].map(unreported) };
      });
    default:
      return undefined;
  }
}

/** Returns the resources of a version. Each resource contains its subresources. */
export function resourcesOf({ resources = [] }: ResourcesDocument): readonly ServedResource[] {
  const whole = resources.filter(({ name }) => !name.includes('/'));
  return whole.map(({ name, singularName, kind, namespaced, verbs, shortNames, categories }) => ({
    kind,
    plural: name,
    singular: singularName || kind.toLowerCase(),
    namespaced: namespaced ?? false,
    verbs: verbs ?? [],
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    subresources: resources
      .filter((other) => other.name.startsWith(`${name}/`))
      .map((other) => other.name.slice(name.length + 1)),
  }));
}

function unreported(version: string): ServedVersion {
  return { version, resources: undefined, stale: false };
}

function aggregatedVersion({ version, freshness, resources = [] }: AggregatedVersion): ServedVersion {
  return { version, stale: freshness === 'Stale', resources: resources.flatMap(aggregatedResource) };
}

/** Returns a list with the resource. Returns an empty list if aggregated discovery contains only subresources of the resource. */
function aggregatedResource(resource: AggregatedResource): readonly ServedResource[] {
  const { resource: plural, responseKind, scope, singularResource, verbs, shortNames, categories } = resource;
  const kind = responseKind?.kind;
  if (plural === undefined || !kind) return [];
  return [
    {
      kind,
      plural,
      singular: singularResource || kind.toLowerCase(),
      namespaced: scope === 'Namespaced',
      verbs: verbs ?? [],
      shortNames: shortNames ?? [],
      categories: categories ?? [],
      subresources: (resource.subresources ?? []).flatMap(({ subresource }) => subresource ?? []),
    },
  ];
}
