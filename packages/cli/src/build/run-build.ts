import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Deployment } from '@kubewright/api/apps/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { BUNDLE, imageCommand, writeFiles } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { deployedManifest } from '../deploy/deployed-objects.js';
import { objectsIn } from '../manifests/objects-in.js';
import { findProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { projectTools } from '../project/project-tools.js';
import { type Bundle, bundle } from './bundle.js';
import {
  type ContainerEngine,
  engineProblem,
  findEngine,
  type ImageAction,
  type ImageCall,
  imageCalls,
} from './container-engine.js';

/** The options of `kubewright build`. */
export interface BuildOptions {
  /** The name of the image, or true for the name in the settings of the project. */
  readonly image?: string | true;
  readonly push?: boolean;
  readonly platform?: string;
  readonly installer?: boolean;
}

const INSTALLER = 'dist/install.yaml';

/** Runs `kubewright build`: compiles and bundles the program, and builds the image and the installer if the options request them. */
export async function runBuild(context: CommandContext, options: BuildOptions): Promise<void> {
  const { output, signal, cwd, env } = context;
  checkOptions(options);
  const project = await findProject(cwd);
  await projectTools(context).compile(project, { signal, env });
  const bundled = await bundle(project);
  reportBundle(context, project, bundled);
  const named = typeof options.image === 'string' ? options.image : project.settings.image;
  if (options.installer === true) {
    await writeInstaller(context, project, typeof options.image === 'string' ? options.image : undefined);
  }
  const found = options.image === undefined ? undefined : await findEngine({ cwd: project.root, env });
  const engine = found !== undefined && 'engine' in found ? found.engine : undefined;
  if (engine !== undefined) {
    const { platform, push = false } = options;
    const calls = imageCalls(engine, { image: named, push, ...(platform !== undefined && { platform }) });
    for (const each of calls) await call(context, project, { ...each, engine, image: named });
    output.line(`${output.styles.green('image')} ${named}${push ? ' (pushed)' : ''}`);
  }
  output.json({
    bundle: BUNDLE,
    bytes: bundled.bytes,
    packages: bundled.packages,
    ...(options.installer === true && { installer: INSTALLER }),
    image: engine === undefined ? null : named,
  });
  if (found !== undefined && 'problem' in found) throw noEngine('build', named, found.problem);
  if (options.image === undefined)
    output.line(output.styles.dim(`to run the bundle as the image does: ${imageCall()}`));
}

function checkOptions({ image, push, platform }: BuildOptions): void {
  for (const [option, value] of Object.entries({ push, platform })) {
    if (value === undefined || image !== undefined) continue;
    throw new KubewrightError('INVALID_USAGE', `--${option} requires --image: add --image, or remove --${option}`);
  }
}

function reportBundle({ output }: CommandContext, { root }: Project, { file, bytes, packages }: Bundle): void {
  const { green, dim } = output.styles;
  const largest = packages.slice(0, 4).map(({ name, bytes: of }) => `${name} ${size(of)}`);
  output.line(`${green('bundle')} ${relative(root, file)} ${size(bytes)} ${dim(`(${largest.join(', ')}, …)`)}`);
}
function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}

async function writeInstaller(context: CommandContext, project: Project, image: string | undefined): Promise<void> {
  const { output, signal, env } = context;
  const declared = await projectTools(context).inspect(project, {
    signal,
    env,
    print: (text) => output.note(text.trimEnd()),
  });
  const text = await deployedManifest({ project, declared }, { env, ...(image !== undefined && { image }) });
  await writeFiles(project.root, { write: new Map([[INSTALLER, text]]) });
  output.line(`${output.styles.green('manifests')} ${INSTALLER} with the image ${imagesIn(text).join(' and ')}`);
}

/** Returns the images of the Deployments in a manifest. */
function imagesIn(text: string): readonly string[] {
  const deployments = objectsIn(text).filter((object): object is Deployment => object.kind === 'Deployment');
  const containers = deployments.flatMap(({ spec }) => spec?.template.spec?.containers ?? []);
  return [...new Set(containers.flatMap(({ image }) => image ?? []))];
}

function noEngine(action: ImageAction, image: string, problem: string): KubewrightError {
  return new KubewrightError(
    'NO_CONTAINER_ENGINE',
    `cannot ${words(action)} the image ${image}: ${problem}; start or install an engine, or run the bundle as the image does: ${imageCall()}`,
  );
}

/** Returns the shell command that runs the bundle in the project folder with the same variables and arguments as the image. */
function imageCall(): string {
  const { command, env } = imageCommand();
  return [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...command].join(' ');
}

/** A call of the given container engine. */
interface EngineCall extends ImageCall {
  readonly engine: ContainerEngine;
  readonly image: string;
}

/** Returns an action as words for a message: 'build and push'. */
function words(action: ImageAction): string {
  return action.replaceAll('-', ' ');
}

/** Returns the error of a failed call. A combined call does not report which of its two steps failed. */
function imageFailure(action: ImageAction, image: string, ended: string): KubewrightError {
  const failed = `cannot ${words(action)} the image ${image}: ${ended}`;
  switch (action) {
    case 'build':
      return new KubewrightError('IMAGE_FAILED', failed);
    case 'push':
      return new KubewrightError('PUSH_FAILED', `${failed}; if the registry denied access, log in to the registry`);
    case 'build-and-push':
      return new KubewrightError(
        'IMAGE_FAILED',
        `${failed}; correct the build, or log in to the registry if the push failed`,
      );
  }
}

/**
 * Runs a container engine and prints the output of the engine to the standard error.
 * @throws KubewrightError IMAGE_FAILED if the project has no Dockerfile, or if a call that builds fails; PUSH_FAILED if a call that only
 *   pushes fails; NO_CONTAINER_ENGINE if the engine no longer responds
 */
async function call({ output, signal, env }: CommandContext, { root }: Project, requested: EngineCall): Promise<void> {
  const { engine, action, args, image } = requested;
  if (!existsSync(join(root, 'Dockerfile'))) {
    const remedy = "write a Dockerfile, or copy it from a new project: 'npm create operator@latest'";
    throw new KubewrightError('IMAGE_FAILED', `cannot build the image: ${root} has no Dockerfile; ${remedy}`);
  }
  const commandLine = [engine, ...args].join(' ');
  output.note(output.errorStyles.dim(`$ ${commandLine}`));
  const child = spawn(engine, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], signal });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => output.note(text.trimEnd()));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const problem = await engineProblem(engine, { cwd: root, env });
  if (problem !== undefined) throw noEngine(action, image, problem);
  const ended = `'${commandLine}' exited with code ${code}; see its output above`;
  throw imageFailure(action, image, ended);
}
