import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../generated/apiextensions/v1.js';
import { sameJson } from '../schema/json-shape.js';
import type { CompatibilityFinding, LocalFinding } from './compatibility-finding.js';
import { compareConversion, compareLosses } from './compare-conversion.js';
import { compareVersions } from './compare-versions.js';

/**
 * Compares two sets of CustomResourceDefinitions. Returns the differences and their effects on stored objects and clients. Definitions are
 * matched by name. The result is sorted by definition and version. The comparison does not evaluate CEL rules, `allOf`, `anyOf`, `oneOf`
 * and `not`, so each of these counts as a restriction when it is added. If an old definition is read from a cluster, its
 * `status.storedVersions` determines which versions can be removed.
 * @example
 * ```ts
 * const findings = compareDefinitions(released, crdsFor([Machine]));
 * if (verdictOf(findings) === 'breaking') { … }
 * ```
 */
export function compareDefinitions(
  before: readonly CustomResourceDefinition[],
  after: readonly CustomResourceDefinition[],
): readonly CompatibilityFinding[] {
  const byName = (crds: readonly CustomResourceDefinition[]): ReadonlyMap<string, CustomResourceDefinition> =>
    new Map(crds.map((crd) => [crd.metadata.name ?? '', crd]));
  const [old, next] = [byName(before), byName(after)];
  return [...new Set([...old.keys(), ...next.keys()])].toSorted().flatMap((definition) => {
    const pair = [old.get(definition), next.get(definition)] as const;
    return findingsBetween(...pair).map((finding) => ({ definition, ...finding }));
  });
}

type VersionFinding = Omit<CompatibilityFinding, 'definition'>;

function findingsBetween(
  before: CustomResourceDefinition | undefined,
  after: CustomResourceDefinition | undefined,
): readonly VersionFinding[] {
  if (before === undefined) {
    return [{ path: '.', change: 'definition added', class: 'safe', reason: 'there are no objects of the kind yet' }];
  }
  if (after === undefined) {
    const reason = 'deleting the definition from a cluster deletes all its objects';
    const remedy = 'keep the definition while objects exist; the name, group and plural of a kind are immutable';
    return [{ path: '.', change: 'definition removed', class: 'breaking', reason, remedy }];
  }
  return [...compareNames(before, after), ...versionFindings(before, after)];
}

function versionFindings(before: CustomResourceDefinition, after: CustomResourceDefinition): readonly VersionFinding[] {
  const names = [...before.spec.versions, ...after.spec.versions].map(({ name }) => name);
  return [...new Set(names)].toSorted().flatMap((version) => {
    const [was, is] = [versionOf(before, version), versionOf(after, version)];
    return between(was, is).map((finding) => ({ version, ...finding }));
  });

  function between(
    was: CustomResourceDefinitionVersion | undefined,
    is: CustomResourceDefinitionVersion | undefined,
  ): readonly LocalFinding[] {
    if (was !== undefined && is !== undefined) {
      const losses = isFirstUsed(was, is) ? compareLosses(is, before, after) : [];
      return [...compareVersions(was, is), ...compareStorage(was, is), ...losses];
    }
    if (was !== undefined) return removedVersion(was, before.status?.storedVersions);
    return is === undefined ? [] : [addedVersion, ...compareLosses(is, before, after)];
  }
}

/** Whether a version becomes served or becomes the storage version, so that existing objects use the version for the first time. */
function isFirstUsed(was: CustomResourceDefinitionVersion, is: CustomResourceDefinitionVersion): boolean {
  return (is.served && !was.served) || (is.storage && !was.storage);
}

const addedVersion: LocalFinding = {
  path: '.',
  change: 'version added',
  class: 'safe',
  reason: 'no client uses the version yet',
};

function versionOf(crd: CustomResourceDefinition, name: string): CustomResourceDefinitionVersion | undefined {
  return crd.spec.versions.find((version) => version.name === name);
}

/**
 * Classifies the removal of a version. The API server rejects the removal while `status.storedVersions` contains the version. Only a
 * definition that is read from a cluster has this status.
 */
function removedVersion(
  { name, served, storage }: CustomResourceDefinitionVersion,
  stored: readonly string[] | undefined,
): readonly LocalFinding[] {
  const finding = { path: '.', change: 'version removed' } as const;
  const migrate = `rewrite every object (storage migration), then remove ${name} from status.storedVersions`;
  if (storage || stored?.includes(name) === true) {
    const reason = 'the API server rejects the definition while status.storedVersions contains the version';
    return [
      { ...finding, class: 'breaking', reason, remedy: `with another version as the storage version, ${migrate}` },
    ];
  }
  if (served) {
    const reason = 'every request for this version fails with 404 Not Found';
    return [
      {
        ...finding,
        class: 'breaking',
        reason,
        remedy: 'mark the version as deprecated, and serve it until no client requests it',
      },
    ];
  }
  if (stored !== undefined)
    return [{ ...finding, class: 'safe', reason: 'the version was not served, and no object is stored in it' }];
  const reason = 'if status.storedVersions of the cluster contains the version, the API server rejects the definition';
  const remedy = `compare with the cluster; if its status.storedVersions contains ${name}, ${migrate}`;
  return [{ ...finding, class: 'breaking', reason, remedy }];
}

function compareStorage(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
): readonly LocalFinding[] {
  if (before.storage === after.storage || before.storage) return [];
  const reason =
    'the API server stores new writes in this version; objects in older versions stay readable while these versions are defined';
  return [{ path: 'storage', change: 'becomes the storage version', class: 'safe', reason }];
}

/**
 * Compares the scope, the names, `preserveUnknownFields` and the conversion. The scope and the kind are immutable after a definition is
 * established.
 */
function compareNames(before: CustomResourceDefinition, after: CustomResourceDefinition): readonly LocalFinding[] {
  const [was, is] = [before.spec, after.spec];
  const immutable = [
    ['scope', was.scope, is.scope],
    ['names.kind', was.names.kind, is.names.kind],
  ] as const;
  const findings: LocalFinding[] = immutable.flatMap(([path, old, next]) => {
    if (old === next) return [];
    const reason = 'the API server rejects the change, because the field is immutable';
    const remedy = 'create a definition with a different name, and migrate the objects';
    return [{ path, change: `${old} → ${next}`, class: 'breaking' as const, reason, remedy }];
  });
  const [list, newList] = [was, is].map(({ names }) => names.listKind ?? `${names.kind}List`);
  if (list !== newList && was.names.kind === is.names.kind) {
    const reason = 'typed clients do not recognize the kind of the returned lists';
    findings.push({
      path: 'names.listKind',
      change: `${list} → ${newList}`,
      class: 'breaking',
      reason,
      remedy: 'keep the list kind',
    });
  }
  for (const key of ['singular', 'shortNames', 'categories'] as const) {
    const [old, next] = [was.names[key] ?? [], is.names[key] ?? []];
    if (sameJson(old, next) || (key === 'singular' && defaultSingular(was) === defaultSingular(is))) continue;
    const change = `${[old].flat().join(', ') || 'none'} → ${[next].flat().join(', ') || 'none'}`;
    findings.push({
      path: `names.${key}`,
      change,
      class: 'safe',
      reason: 'only kubectl uses these names; clients use the plural',
    });
  }
  return [...findings, ...comparePreserving(before, after), ...compareConversion(before, after)];
}

function defaultSingular({ names }: CustomResourceDefinition['spec']): string {
  return names.singular ?? names.kind.toLowerCase();
}

function comparePreserving(before: CustomResourceDefinition, after: CustomResourceDefinition): readonly LocalFinding[] {
  if (before.spec.preserveUnknownFields !== true || after.spec.preserveUnknownFields === true) return [];
  const reason = 'the API server drops stored fields that the schema does not name';
  const remedy = 'set x-kubernetes-preserve-unknown-fields in the schema for objects with additional fields';
  return [{ path: 'preserveUnknownFields', change: 'true → false', class: 'breaking', reason, remedy }];
}
