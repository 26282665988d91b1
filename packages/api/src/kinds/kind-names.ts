import { KubewrightError } from '../errors/kubewright-error.js';
import type { KindInfo } from '../metadata/kind-info.js';
import type { KindOptions } from '../metadata/kind-options.js';
import { pluralOf } from './plural.js';

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const domain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

/** Whether the API server accepts a name for a kind. Kinds are in PascalCase by convention, but some operators use lower case. */
export function isKindName(kind: string): boolean {
  return /^[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/.test(kind);
}

/**
 * Returns the validated names of a custom kind. A kind that is named after its class must be in PascalCase. A name in the `kind` option may
 * have any case.
 * @throws KubewrightError INVALID_KIND with the class, the reason and the fix
 */
export function kindNames(options: KindOptions, className: string, hasStatus: boolean): KindInfo {
  const fail = (problem: string): never => {
    throw new KubewrightError('INVALID_KIND', `cannot load kind ${options.kind ?? className}: ${problem}`);
  };
  const kind = options.kind ?? className;
  if (options.kind !== undefined && !isKindName(kind)) {
    const form = "at most 63 letters, digits and '-', with a letter first and a letter or digit last";
    fail(`kind '${kind}' is not a valid name; use ${form}`);
  }
  if (options.kind === undefined && !(isKindName(kind) && /^[A-Z][A-Za-z0-9]*$/.test(kind))) {
    const isShort = kind.length < 3;
    const reason = isShort ? ' and may be minified by a bundler; configure the bundler to keep class names, or' : ';';
    fail(`'${kind}' is not a name in PascalCase${reason} write @Kind({ kind: '…' })`);
  }
  const { group, version, plural = pluralOf(kind.toLowerCase()), singular = kind.toLowerCase() } = options;
  if (!domain.test(group) || group.length > 253)
    fail(`group '${group}' is not a lowercase domain with a dot, such as 'example.com'`);
  if (!label.test(version)) fail(`version '${version}' is not a valid version, such as 'v1' or 'v1alpha1'`);
  for (const [what, name] of [
    ['plural', plural],
    ['singular', singular],
    ...(options.shortNames ?? []).map((each) => ['short name', each]),
  ] as const) {
    if (!label.test(name ?? '')) fail(`${what} '${name}' is not a lowercase name of letters, digits and '-'`);
  }
  const { shortNames = [], categories = [], scope = 'Namespaced' } = options;
  return Object.freeze({
    group,
    version,
    apiVersion: `${group}/${version}`,
    kind,
    plural,
    singular,
    shortNames: [...shortNames],
    categories: [...categories],
    namespaced: scope === 'Namespaced',
    hasStatus,
    dynamic: false,
    builtIn: false,
  });
}
