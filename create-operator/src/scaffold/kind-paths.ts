import { kebabCase } from './kind-names.js';
import type { KindFilesOptions } from './scaffold-options.js';

/** Returns the path of the class of a kind: `src/api/v1/website.ts`, or `src/api/web/v1/website.ts` with `multiGroup`. */
export function apiPath({ group, domain, kind, version, multiGroup }: KindFilesOptions): string {
  const folder = multiGroup ? `${group === '' ? domain : group}/${version}` : version;
  return `src/api/${folder}/${kebabCase(kind)}.ts`;
}

/** Returns the path of the controller of a kind: `src/controllers/website-controller.ts`. */
export function controllerPath(kind: string): string {
  return `src/controllers/${kebabCase(kind)}-controller.ts`;
}

/** Returns the path of the controller's test, which is in the same folder. */
export function controllerTestPath(kind: string): string {
  return controllerPath(kind).replace(/\.ts$/, '.test.ts');
}

/** Returns the specifier with which a controller imports a module of the project: `../api/v1/website.js`. */
export function importFromControllers(path: string): string {
  return path.replace(/^src\//, '../').replace(/\.ts$/, '.js');
}

/** Returns the path to which `kubewright generate` writes the sample of a kind: `config/samples/web_v1_website.yaml`. */
export function samplePath({ group, kind, version }: Pick<KindFilesOptions, 'group' | 'kind' | 'version'>): string {
  return `config/samples/${group === '' ? '' : `${group}_`}${version}_${kind.toLowerCase()}.yaml`;
}
