import { access } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { answerRequest } from '../answers/answer-request.js';
import { writeFiles } from '../files/write-files.js';
import { PACKAGES_FOLDER } from '../scaffold/local-packages.js';
import { packageManagers } from '../scaffold/package-managers.js';
import { groupOf } from '../scaffold/kind-names.js';
import { scaffold } from '../scaffold/scaffold.js';
import type { PackageManager, ScaffoldOptions } from '../scaffold/scaffold-options.js';
import { ScaffoldError } from '../scaffold-error.js';
import { canHaveRepository, makeRepository } from '../steps/first-commit.js';
import { copyPackages } from '../steps/copy-packages.js';
import { generateManifests } from '../steps/generate-manifests.js';
import { checkPackageManager, installPackages } from '../steps/install-packages.js';
import type { ProgramOptions } from '../steps/run-program.js';
import { withProgress } from '../steps/with-progress.js';
import { checkFolder } from './check-folder.js';
import { enterFolder } from './enter-folder.js';
import { nextSteps } from './next-steps.js';
import type { ProjectRequest } from './project-request.js';
import type { PackedPackage, Environment } from './environment.js';

/**
 * Creates a project: writes all of its files or none. Then installs its packages, generates its manifests, and creates a repository with a
 * first commit, unless the request disables these steps. Prints the next steps. A second call with the same request changes nothing if the
 * first call succeeded.
 *
 * Throws ScaffoldError:
 * - before any file is written: INVALID_NAME, CANCELLED, FOLDER_NOT_EMPTY, FILES_NOT_WRITTEN, and INSTALL_FAILED for a missing package
 *   manager
 * - after the files are written: FILES_NOT_WRITTEN if a tarball of a package cannot be copied, INSTALL_FAILED, GENERATE_FAILED, and
 *   CANCELLED if the signal is aborted. The files of the project are kept.
 */
export async function createOperator(request: ProjectRequest, environment: Environment): Promise<void> {
  const { root, options: answers } = await answerRequest(request, environment);
  const packages = await environment.packagesFor?.(root);
  const options = packages === undefined ? answers : { ...answers, tarballs: tarballsOf(packages) };
  const { packageManager = 'npm' } = options;
  const install = request.install !== false;
  const files = scaffold(options);
  const missing = await checkFolder(root, files, { force: request.force === true });
  if (install) await checkPackageManager(packageManager, environment.env);
  await writeFiles(root, { write: missing });
  await copyPackages(join(root, PACKAGES_FOLDER), packages ?? []);
  const folder = relative(environment.cwd, root) || '.';
  environment.line(madeText(missing.size > 0, options));

  const program = { cwd: root, env: environment.env, ...(environment.signal && { signal: environment.signal }) };
  const git = request.git !== false && (await canHaveRepository(program));
  if (install) await completed({ program, packageManager, folder }, environment);
  if (git) await committed(program, environment);
  for (const line of nextSteps({ folder, packageManager, install })) environment.line(line);
}

/** Returns the paths of the Kubewright packages inside the project, by package name. */
function tarballsOf(packages: readonly PackedPackage[]): Readonly<Record<string, string>> {
  return Object.fromEntries(packages.map(({ name, path }) => [name, `${PACKAGES_FOLDER}/${basename(path)}`]));
}

function madeText(isNew: boolean, options: ScaffoldOptions): string {
  const { name, kind, version } = options;
  return isNew ? `created ${name}: an operator for ${kind} (${groupOf(options)}/${version})` : `${name} already exists`;
}

interface Installation {
  readonly program: ProgramOptions;
  readonly packageManager: PackageManager;
  readonly folder: string;
}

/** Installs the packages and generates the manifests. Does nothing if the project already has a node_modules folder. */
async function completed({ program, packageManager, folder }: Installation, environment: Environment): Promise<void> {
  if (await exists(join(program.cwd, 'node_modules'))) return;
  const { run, install } = packageManagers[packageManager];
  const enter = enterFolder(folder);
  const generate = `${run} generate`;
  await instructing([...enter, `${packageManager} ${install[0]}`, generate], () =>
    withProgress(
      () => installPackages(packageManager, program),
      { doing: `installing packages with ${packageManager}`, done: 'installed packages' },
      environment,
    ),
  );
  await instructing([...enter, generate], () =>
    withProgress(
      () => generateManifests(program),
      { doing: 'generating config/', done: 'generated config/' },
      environment,
    ),
  );
}

/**
 * Runs a step. If the step fails, the error message also states that the project exists, and lists the commands that complete the project.
 */
async function instructing(commands: readonly string[], step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    const text = `${error.message}\nThe project is created. Continue with:\n${commands.map((command) => `  ${command}`).join('\n')}`;
    throw new ScaffoldError(error.code, text, { cause: error });
  }
}

async function committed(program: ProgramOptions, { line }: Environment): Promise<void> {
  const commit = await makeRepository(program);
  if (commit.result === 'committed') line('committed to a new git repository');
  if (commit.result !== 'staged') return;
  const again = "run: git commit -m 'chore: create the operator'";
  if (!commit.hasAuthor) line(`added to a new git repository; set user.name and user.email in git, and then ${again}`);
  else line(`added to a new git repository; git cannot commit: ${commit.output}; fix the cause, and then ${again}`);
}

async function exists(path: string): Promise<boolean> {
  const [{ status }] = await Promise.allSettled([access(path)]);
  return status === 'fulfilled';
}
