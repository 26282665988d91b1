import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { parse } from 'yaml';

/** A kind in the PROJECT file of a kubebuilder project. */
export interface KubebuilderResource {
  /** The API group, including the domain; '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The origin of the kind: the project, Kubernetes, or another operator. */
  readonly origin: 'own' | 'built-in' | 'external';
  /** The import path of the Go package that contains the types of the kind. */
  readonly path: string;
  /** The names of the controllers of the kind. An empty string represents a controller with the default name. */
  readonly controllers: readonly string[];
  /** The webhooks of the kind: 'defaulting', 'validation', or 'conversion'. */
  readonly webhooks: readonly string[];
}

/** The content of the PROJECT file of a kubebuilder project. */
export interface KubebuilderProject {
  readonly name: string;
  readonly domain: string;
  readonly multiGroup: boolean;
  readonly namespaced: boolean;
  /** The names of the kubebuilder plugins in the PROJECT file, which may have added files that the command does not migrate. */
  readonly plugins: readonly string[];
  readonly resources: readonly KubebuilderResource[];
}

/**
 * Parses a PROJECT file.
 * @throws KubewrightError INVALID_KUBEBUILDER_PROJECT if the file is not YAML, has a version other than 2 or 3, or contains invalid names
 */
export function kubebuilderProject(text: string, path: string): KubebuilderProject {
  const document = parsed(text, path);
  const version = String(document['version'] ?? '');
  if (version !== '3' && version !== '2') {
    throw invalid(
      path,
      `it has ${version === '' ? 'no version' : `version ${version}`}; upgrade the project to version 3 with kubebuilder first`,
    );
  }
  const { domain, projectName, repo, resources, plugins } = document;
  const read = version === '2' ? (each: JsonObject) => resourceOf(asOfVersion3(each, document)) : resourceOf;
  return {
    name: textOf(projectName) || (version === '2' && textOf(repo).split('/').at(-1)) || 'operator',
    domain: isDomain(textOf(domain)) ? textOf(domain) : 'my.domain',
    multiGroup: document['multigroup'] === true,
    namespaced: document['namespaced'] === true,
    plugins: isJsonObject(plugins) ? Object.keys(plugins).toSorted() : [],
    resources: Array.isArray(resources) ? resources.filter(isJsonObject).map((each) => checked(read(each), path)) : [],
  };
}

/** Converts a resource of a version 2 PROJECT file, which contains only names. Such a file does not list controllers. */
function asOfVersion3(resource: JsonObject, { domain, repo, multigroup }: JsonObject): JsonObject {
  const [group, version] = [resource['group'], resource['version']].map(textOf);
  const folder = multigroup === true ? `apis/${group}` : 'api';
  return { ...resource, domain: domain ?? '', api: {}, path: `${textOf(repo)}/${folder}/${version}` };
}

function resourceOf(document: Readonly<Record<string, unknown>>): KubebuilderResource {
  const [group, domain, kind] = [document['group'], document['domain'], document['kind']].map(textOf) as [
    string,
    string,
    string,
  ];
  const path = textOf(document['path']);
  // Before kubebuilder 4.3, the PROJECT file has no field `core`; only the path identifies built-in kinds.
  const isCore = document['core'] === true || path.startsWith('k8s.io/api/');
  const whole = isCore && group === 'core' ? '' : [group, domain].filter((part) => part !== '').join('.');
  return {
    group: whole,
    version: textOf(document['version']),
    kind,
    origin: isCore ? 'built-in' : document['external'] === true || document['api'] === undefined ? 'external' : 'own',
    path,
    controllers: controllersOf(document),
    webhooks: webhooksOf(document['webhooks']),
  };
}

function isDomain(name: string): boolean {
  return dns1123SubdomainErrors(name).length === 0;
}

/** Validates the names in a resource, because the command inserts the names into paths and code. */
function checked(resource: KubebuilderResource, path: string): KubebuilderResource {
  const { group, version, kind, controllers } = resource;
  const wrong = [
    ...(/^[A-Z]\w*$/.test(kind) ? [] : [`the kind '${kind}'`]),
    ...(group === '' || isDomain(group) ? [] : [`the group '${group}'`]),
    ...(dns1035LabelErrors(version).length === 0 ? [] : [`the version '${version}'`]),
    ...controllers.filter((name) => !/^[\w.-]*$/.test(name)).map((name) => `the controller '${name}'`),
  ];
  if (wrong.length > 0) throw invalid(path, `a resource has an invalid name: ${wrong.join(' and ')}`);
  return resource;
}

function controllersOf({ controller, controllers }: Readonly<Record<string, unknown>>): readonly string[] {
  if (Array.isArray(controllers)) return controllers.filter(isJsonObject).map(({ name }) => textOf(name));
  return controller === true ? [''] : [];
}

function webhooksOf(webhooks: unknown): readonly string[] {
  if (!isJsonObject(webhooks)) return [];
  return ['defaulting', 'validation', 'conversion'].filter((each) => webhooks[each] === true);
}

function parsed(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw invalid(path, `it is not valid YAML: ${messageOf(cause).split('\n')[0]}`);
  }
  throw invalid(path, 'it is not a PROJECT file of kubebuilder');
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function invalid(path: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_KUBEBUILDER_PROJECT', `cannot migrate ${path}: ${problem}`);
}
