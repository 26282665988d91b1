import { covers, type Permission } from '@kubewright/api/rbac';

/** The permissions in a `+kubebuilder:rbac` comment. */
export interface RbacMarker {
  /** The API groups; '' for the core group. */
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly urls: readonly string[];
  readonly verbs: readonly string[];
  readonly names: readonly string[];
  /** The namespace in which the permissions apply; undefined for permissions in all namespaces. */
  readonly namespace?: string;
}

/** Returns the RBAC markers of a Go source. */
export function markersIn(text: string): readonly RbacMarker[] {
  return [...text.matchAll(/^\s*\/\/\s*\+kubebuilder:rbac:(.+)$/gm)].map(([, rule = '']) => markerOf(rule));
}

function markerOf(rule: string): RbacMarker {
  const fields = new Map(
    [...rule.matchAll(/(\w+)=((?:"(?:[^"\\]|\\.)*"|\{[^}]*\}|[^,"{])*)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const list = (name: string): readonly string[] => {
    const value = fields.get(name);
    if (value === undefined) return [];
    const items = value.replace(/[{}"]/g, '').split(/[;,]/);
    return [...new Set(items.map((each) => each.trim()))];
  };
  const namespace = list('namespace')[0];
  return {
    groups: list('groups').map((group) => (group === 'core' ? '' : group)),
    resources: list('resources'),
    urls: list('urls'),
    verbs: list('verbs'),
    names: list('resourceNames'),
    ...(namespace !== undefined && namespace !== '' && { namespace }),
  };
}

/** The permissions that a controller has without `@Rbac`. */
export interface PermissionsAlready {
  readonly declared: readonly Permission[];
  /** The only namespace in which the operator works. Permissions without a namespace apply to this namespace. @default all namespaces */
  readonly ownNamespace?: string;
}

/** Returns the markers without the permissions that declarations already grant. Merges markers that differ only in the resources. */
export function remainingMarkers(
  markers: readonly RbacMarker[],
  { declared, ownNamespace }: PermissionsAlready,
): readonly RbacMarker[] {
  const remaining = markers.flatMap(({ namespace, ...marker }): readonly RbacMarker[] => {
    const isElsewhere = namespace !== undefined && namespace !== ownNamespace;
    const placed = isElsewhere ? { ...marker, namespace } : marker;
    if (marker.urls.length > 0) return [marker];
    return marker.groups.flatMap((group) =>
      marker.resources.flatMap((resource) => {
        const isGiven = (verb: string): boolean => declared.some((each) => covers(each, { group, resource, verb }));
        const verbs =
          isElsewhere && ownNamespace !== undefined ? marker.verbs : marker.verbs.filter((verb) => !isGiven(verb));
        return verbs.length === 0 ? [] : [{ ...placed, groups: [group], resources: [resource], verbs }];
      }),
    );
  });
  return joined(remaining);
}

/** Merges markers that differ only in the resources. */
function joined(markers: readonly RbacMarker[]): readonly RbacMarker[] {
  const byVerbs = new Map<string, RbacMarker>();
  for (const marker of markers) {
    const key = JSON.stringify({ ...marker, resources: [] });
    const before = byVerbs.get(key);
    const resources = [...new Set([...(before?.resources ?? []), ...marker.resources])];
    byVerbs.set(key, { ...marker, resources });
  }
  return [...byVerbs.values()];
}
