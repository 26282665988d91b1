import type { ProjectFiles } from '../files/project-files.js';
import { dockerfile, type DockerfileOptions } from '../image/dockerfile.js';
import { dockerignore } from '../image/dockerignore.js';
import { apiFile } from '../templates/api-file.js';
import { controllerFile } from '../templates/controller-file.js';
import { controllerTestFile } from '../templates/controller-test-file.js';
import { mainFile } from '../templates/main-file.js';
import { packageFile } from '../templates/package-file.js';
import { readmeFile } from '../templates/readme-file.js';
import { ciFile, gitIgnoreFile, vsCodeFile } from '../templates/repository-files.js';
import { sampleFile } from '../templates/sample-file.js';
import { tsconfigFile } from '../templates/tsconfig-file.js';
import { apiPath, controllerPath, controllerTestPath, samplePath } from './kind-paths.js';
import { overrideSettings, PACKAGES_FOLDER } from './local-packages.js';
import { packageManagers } from './package-managers.js';
import type { ScaffoldOptions } from './scaffold-options.js';

/**
 * Returns the files of a new project, without the files that `kubewright generate` writes. Does not validate the options.
 *
 * @example
 * await writeFiles(root, { write: scaffold({ name: 'web-operator', domain: 'example.com', group: '', kind: 'Website', … }) });
 */
export function scaffold(options: ScaffoldOptions): ProjectFiles {
  const { settings } = packageManagers[options.packageManager ?? 'npm'];
  return new Map([
    ['.dockerignore', dockerignore()],
    ['.github/workflows/ci.yml', ciFile(options)],
    ['.gitignore', gitIgnoreFile(options)],
    ['.vscode/settings.json', vsCodeFile()],
    ['Dockerfile', dockerfile(inImage(options))],
    ['README.md', readmeFile(options)],
    [samplePath(options), sampleFile(options)],
    ['package.json', packageFile(options)],
    ['tsconfig.json', tsconfigFile()],
    ['src/main.ts', mainFile(options)],
    [apiPath(options), apiFile(options)],
    [controllerPath(options.kind), controllerFile(options)],
    [controllerTestPath(options.kind), controllerTestFile(options)],
    ...(settings === undefined ? [] : [[settings.path, settings.text + overrideSettings(options)] as const]),
  ]);
}

/** Returns the options with which the build stage of the image installs the project. */
function inImage({ packageManager = 'npm', tarballs }: ScaffoldOptions): DockerfileOptions {
  const { lockFile, settings, ci, exec, setUp } = packageManagers[packageManager];
  const files = [lockFile, ...(settings === undefined ? [] : [settings.path])];
  return {
    files,
    install: ci,
    exec,
    ...(setUp !== undefined && { setUp }),
    ...(tarballs !== undefined && { folder: PACKAGES_FOLDER }),
  };
}
