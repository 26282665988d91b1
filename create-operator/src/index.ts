export {
  asLabel,
  domainProblem,
  groupProblem,
  kindProblem,
  nameProblem,
  versionProblem,
} from './answers/name-problems.js';
export { checkFolder, type FolderOptions } from './command/check-folder.js';
export { createOperator } from './command/create-operator.js';
export type { ProjectRequest } from './command/project-request.js';
export { runCreateOperator } from './command/run-create-operator.js';
export type { PackedPackage, Environment } from './command/environment.js';
export { changesOf } from './files/changes-of.js';
export type { FileChanges } from './files/file-changes.js';
export type { ProjectFiles } from './files/project-files.js';
export { writeFiles } from './files/write-files.js';
export { groupOf, kebabCase, variableOf } from './scaffold/kind-names.js';
export {
  apiPath,
  controllerPath,
  controllerTestPath,
} from './scaffold/kind-paths.js';
export { scaffold } from './scaffold/scaffold.js';
export type { KindFilesOptions, PackageManager, ScaffoldOptions } from './scaffold/scaffold-options.js';
export { ScaffoldError, type ScaffoldErrorCode } from './scaffold-error.js';
export { apiFile } from './templates/api-file.js';
export { controllerFile } from './templates/controller-file.js';
export { controllerTestFile } from './templates/controller-test-file.js';
export { findProgram } from './steps/find-program.js';
export { dockerfile, type DockerfileOptions } from './image/dockerfile.js';
export { dockerignore } from './image/dockerignore.js';
export { BUNDLE, BUNDLE_CHUNKS, imageCommand, imageOf, type OperatorImage } from './image/image-of.js';
