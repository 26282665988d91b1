/** One resource that a version of a group serves. */
export interface ServedResource {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The names without the resource: 'status', 'scale'. */
  readonly subresources: readonly string[];
}

/** One version of a group. */
export interface ServedVersion {
  readonly version: string;
  /** Undefined if the document of the group does not list the resources. */
  readonly resources: readonly ServedResource[] | undefined;
  /** Whether the server of this version was unreachable; the discovery data may be outdated. */
  readonly stale: boolean;
}

/** A group. The server's preferred version is first. */
export interface ServedGroup {
  /** Empty for the core group. */
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

/** The answer of `/api` and `/apis`: the aggregated document, or an unaggregated document of an older server. */
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

/** The answer of `/apis/<group>/<version>`. */
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

/** Returns the groups of a document in any of its forms; undefined for a document of another kind. */
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

/** Returns the resources of a version, each with its subresources. */
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

/** Returns a list with the resource; empty for a resource that has only subresources, which an aggregated server may report. */
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
