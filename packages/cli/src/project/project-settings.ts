import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { nearest } from '@kubewright/api/names';

/** The settings of a project: the values of "kubewright" in package.json, or the defaults. */
export interface ProjectSettings {
  /** The name of the operator, which is the prefix of the names of its objects. @default the name of the package, without the scope */
  readonly name: string;
  /** The suffix of the API groups of new kinds, such as 'example.com'. */
  readonly domain?: string;
  /** The image that is built and deployed. @default `${name}:latest` */
  readonly image: string;
  /** The namespace of the deployed operator. @default `${name}-system` */
  readonly namespace: string;
  /** Whether the operator is restricted to its own namespace, with Roles instead of ClusterRoles. @default false */
  readonly namespaced: boolean;
}

const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const IMAGE = /^[\w][\w.:/@-]*$/;

/** For each setting, a function that validates the value, and a description of valid values. */
const CHECKS: Readonly<Record<keyof ProjectSettings, readonly [isFit: (value: unknown) => boolean, fit: string]>> = {
  name: [
    isText(LABEL, 50),
    "a name of lower-case letters, digits and '-', at most 50 characters, such as 'my-operator'",
  ],
  domain: [isText(DOMAIN, 253), "a domain, such as 'example.com'"],
  image: [isText(IMAGE, 4096), "an image, such as 'registry.example.com/my-operator:v1'"],
  namespace: [isText(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 63), "the name of a namespace, such as 'my-operator-system'"],
  namespaced: [(value) => typeof value === 'boolean', 'true or false'],
};

/** The names of all settings. */
export const PROJECT_SETTINGS: readonly string[] = Object.keys(CHECKS);

/**
 * Returns the settings in the content of a package.json.
 * @param path the path of the package.json for error messages
 * @throws KubewrightError INVALID_PROJECT if a setting is unknown or has an invalid value, or if the package has no usable name
 */
export function projectSettings(manifest: Readonly<Record<string, unknown>>, path: string): ProjectSettings {
  const given = manifest['kubewright'] ?? {};
  if (!isJsonObject(given)) throw invalid(path, '"kubewright" is not an object; write {} or remove it');
  for (const [key, value] of Object.entries(given)) check({ path, key, value });
  const named = given as Partial<ProjectSettings>;
  const name = named.name ?? nameOf(manifest['name'], path);
  return {
    name,
    ...(named.domain !== undefined && { domain: named.domain }),
    image: named.image ?? `${name}:latest`,
    namespace: named.namespace ?? `${name}-system`,
    namespaced: named.namespaced ?? false,
  };
}

function check({ path, key, value }: { readonly path: string; readonly key: string; readonly value: unknown }): void {
  if (!Object.hasOwn(CHECKS, key)) {
    const meant = nearest(key, PROJECT_SETTINGS);
    const remedy = meant === undefined ? `the settings are ${PROJECT_SETTINGS.join(', ')}` : `did you mean '${meant}'?`;
    throw invalid(path, `"kubewright" has no setting '${key}'; ${remedy}`);
  }
  const [isFit, fit] = CHECKS[key as keyof ProjectSettings];
  if (!isFit(value)) throw invalid(path, `"kubewright.${key}" is ${JSON.stringify(value)}; write ${fit}`);
}
function nameOf(name: unknown, path: string): string {
  const own = typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : name;
  const [isFit, fit] = CHECKS.name;
  if (isFit(own)) return own as string;
  throw invalid(
    path,
    `cannot derive the name of the operator from the package name ${JSON.stringify(name)}; set "kubewright": { "name": … } to ${fit}`,
  );
}
function isText(pattern: RegExp, longest: number): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && value.length <= longest && pattern.test(value);
}
function invalid(path: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_PROJECT', `cannot read the project: ${path}: ${problem}`);
}
