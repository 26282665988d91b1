import type { ProjectFiles } from '../files/project-files.js';
import { apiFile } from '../templates/api-file.js';
import { controllerFile } from '../templates/controller-file.js';
import { controllerTestFile } from '../templates/controller-test-file.js';
import { mainFile } from '../templates/main-file.js';
import { packageFile } from '../templates/package-file.js';
import { tsconfigFile } from '../templates/tsconfig-file.js';
import { apiPath, controllerPath, controllerTestPath } from './kind-paths.js';
import type { ScaffoldOptions } from './scaffold-options.js';

/**
 * The files of a new project, without what `kubewright generate` makes of it. The options are taken as they are: check them first.
 *
 * @example
 * await writeFiles(root, { write: scaffold({ name: 'web-operator', domain: 'example.com', group: '', kind: 'Website', … }) });
 */
export function scaffold(options: ScaffoldOptions): ProjectFiles {
  return new Map([
    ['package.json', packageFile(options)],
    ['tsconfig.json', tsconfigFile()],
    ['src/main.ts', mainFile(options)],
    [apiPath(options), apiFile(options)],
    [controllerPath(options.kind), controllerFile(options)],
    [controllerTestPath(options.kind), controllerTestFile(options)],
  ]);
}
