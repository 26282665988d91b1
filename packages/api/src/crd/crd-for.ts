import { KubewrightError } from '../errors/kubewright-error.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import { newObject } from '../kinds/new-object.js';
import { CustomResourceDefinition as CustomResourceDefinitionKind } from '../generated/apiextensions/v1.js';
import type { KindRef } from '../objects/kube-object.js';
import { compareVersions } from '../names/compare-versions.js';
import type { Descriptions } from '../fields/descriptions.js';
import { crdVersion, type DeclaredVersion, declaredVersion } from './crd-version.js';

/** Options of `crdFor` and `crdsFor`. */
export interface CrdOptions {
  /** The documented descriptions of classes and fields. @default no descriptions */
  readonly descriptions?: Descriptions;
}

/**
 * Returns the CustomResourceDefinition of a kind. The result is a plain object that depends only on the metadata of the kind. Several
 * classes must be versions of the same kind. The versions are sorted from oldest to newest (v1alpha1, v1beta1, v1, v2, v10). Exactly one of
 * several versions must be the storage version. A single version is the storage version by default.
 * @throws KubewrightError INVALID_KIND with the kind, the reason and the fix
 */
export function crdFor(kinds: KindRef | readonly KindRef[], options: CrdOptions = {}): CustomResourceDefinition {
  const refs = typeof kinds === 'function' ? [kinds] : kinds;
  const declared = refs
    .map((ref) => declaredVersion(ref, options.descriptions))
    .toSorted((a, b) => compareVersions(b.info.version, a.info.version));
  const [first] = declared;
  if (first === undefined) {
    throw new KubewrightError(
      'INVALID_KIND',
      'cannot generate a CustomResourceDefinition: no kind is given; pass at least one kind',
    );
  }
  checkTogether(declared, first);
  const { group, kind, plural, singular, shortNames, categories, namespaced } = first.info;
  const stored = storedVersion(declared, first);
  return newObject(CustomResourceDefinitionKind, {
    metadata: {
      name: `${plural}.${group}`,
      ...joined(declared, 'labels'),
      ...joined(declared, 'annotations', approvalOf(group)),
    },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        ...(categories.length === 0 ? {} : { categories }),
      },
      scope: namespaced === true ? 'Namespaced' : 'Cluster',
      versions: declared.map((each) => crdVersion(each, each === stored)),
    },
  } as { readonly metadata: object }) as CustomResourceDefinition;
}

/**
 * Returns the CustomResourceDefinitions of several kinds, in the order of the first class of each kind. All versions of a kind are in one
 * definition.
 * @throws KubewrightError as `crdFor` does
 */
export function crdsFor(kinds: readonly KindRef[], options: CrdOptions = {}): readonly CustomResourceDefinition[] {
  const groups = new Map<string, KindRef[]>();
  for (const ref of new Set(kinds)) {
    const { info } = declaredVersion(ref);
    const versions = groups.get(`${info.group}/${info.kind}`) ?? [];
    groups.set(`${info.group}/${info.kind}`, [...versions, ref]);
  }
  return [...groups.values()].map((versions) => crdFor(versions, options));
}

/**
 * Returns the annotation that the API server requires for a definition in a group of Kubernetes. Returns no annotation for other groups.
 */
function approvalOf(group: string): Readonly<Record<string, string>> {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return {};
  return { 'api-approved.kubernetes.io': 'unapproved, not part of Kubernetes' };
}

/**
 * Returns the merged labels or annotations that the versions set on the definition. These values override `otherwise`. Throws INVALID_KIND
 * if two versions set a key to different values.
 */
function joined(
  declared: readonly DeclaredVersion[],
  what: 'annotations' | 'labels',
  otherwise: Readonly<Record<string, string>> = {},
): object {
  const shared = new Map<string, string>();
  for (const { info, options } of declared) {
    for (const [key, value] of Object.entries(options[what] ?? {})) {
      if ((shared.get(key) ?? value) !== value) {
        throw new KubewrightError(
          'INVALID_KIND',
          `cannot generate the CustomResourceDefinition of ${info.kind}: its versions set ${what} '${key}' to '${shared.get(key)}' and '${value}'; set it in one version`,
        );
      }
      shared.set(key, value);
    }
  }
  const all = { ...otherwise, ...Object.fromEntries(shared) };
  return Object.keys(all).length === 0 ? {} : { [what]: all };
}

/** Returns the names and settings that all versions of a kind must share, as a string. */
function namesOf({ info }: DeclaredVersion): string {
  return JSON.stringify({ ...info, version: '', apiVersion: '', hasStatus: false });
}

function checkTogether(declared: readonly DeclaredVersion[], first: DeclaredVersion): void {
  const { group, kind } = first.info;
  const fail = (problem: string): never => {
    throw new KubewrightError('INVALID_KIND', `cannot generate the CustomResourceDefinition of ${kind}: ${problem}`);
  };
  for (const each of declared.slice(1)) {
    if (each.info.group !== group || each.info.kind !== kind) {
      fail(
        `${each.info.kind} of ${each.info.group} is not a version of ${kind} of ${group}; generate one definition for each kind`,
      );
    }
    if (namesOf(each) !== namesOf(first)) {
      fail(
        `version ${each.info.version} has different names or a different scope than ${first.info.version}; use the same names and scope in both versions`,
      );
    }
  }
  const versions = declared.map(({ info }) => info.version);
  const twice = versions.find((version, index) => versions.indexOf(version) !== index);
  if (twice !== undefined) fail(`two classes declare version ${twice}; rename one`);
}

function storedVersion(declared: readonly DeclaredVersion[], first: DeclaredVersion): DeclaredVersion {
  const stored = declared.filter(({ options }) => options.storage === true);
  const [only, second] = declared.length === 1 && first.options.storage !== false ? [first] : stored;
  if (only !== undefined && second === undefined) return only;
  const which =
    only === undefined
      ? 'no version is the storage version'
      : `versions ${stored.map(({ info }) => info.version).join(' and ')} are all storage versions`;
  throw new KubewrightError(
    'INVALID_KIND',
    `cannot generate the CustomResourceDefinition of ${first.info.kind}: ${which}; set storage: true in @Kind of exactly one version`,
  );
}
