import { kebabCase } from './kind-names.js';
import type { KindFilesOptions } from './scaffold-options.js';

/** Where the class of a kind is: `src/api/v1/website.ts`, with several groups `src/api/web/v1/website.ts`. */
export function apiPath({ group, domain, kind, version, multiGroup }: KindFilesOptions): string {
  const folder = multiGroup ? `${group === '' ? domain : group}/${version}` : version;
  return `src/api/${folder}/${kebabCase(kind)}.ts`;
}

/** Where the controller of a kind is: `src/controllers/website-controller.ts`. */
export function controllerPath(kind: string): string {
  return `src/controllers/${kebabCase(kind)}-controller.ts`;
}

/** Where the test of that controller is, beside it. */
export function controllerTestPath(kind: string): string {
  return controllerPath(kind).replace(/\.ts$/, '.test.ts');
}

/** How a module of the project is imported by a controller: `../api/v1/website.js`. */
export function importFromControllers(path: string): string {
  return path.replace(/^src\//, '../').replace(/\.ts$/, '.js');
}

/** Where `kubewright generate` would put the sample of a kind: `config/samples/web_v1_website.yaml`. */
export function samplePath({ group, kind, version }: Pick<KindFilesOptions, 'group' | 'kind' | 'version'>): string {
  return `config/samples/${group === '' ? '' : `${group}_`}${version}_${kind.toLowerCase()}.yaml`;
}
