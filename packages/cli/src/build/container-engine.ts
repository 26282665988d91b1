import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runProgram } from '../project/run-program.js';

/** The programs that build images, in the order in which they are taken. */
const ENGINES = ['docker', 'podman', 'nerdctl', 'buildah'] as const;

/** A program that builds images. */
export type ContainerEngine = (typeof ENGINES)[number];

/** Which engine there is, or why none can be used. */
export type FoundEngine = { readonly engine: ContainerEngine } | { readonly problem: string };

/** The first of them that is in PATH and answers. KUBEWRIGHT_CONTAINER_ENGINE names the one to take. */
export async function findEngine(root: string, env: NodeJS.ProcessEnv): Promise<FoundEngine> {
  const wanted = env['KUBEWRIGHT_CONTAINER_ENGINE'];
  const candidates = ENGINES.filter((engine) => wanted === undefined || wanted === engine);
  let silent: string | undefined;
  for (const engine of candidates) {
    if (!(await isInPath(engine, env))) continue;
    const problem = await engineProblem(engine, root, env);
    if (problem === undefined) return { engine };
    silent ??= problem;
  }
  const which = wanted ?? 'docker, podman, nerdctl or buildah';
  return { problem: silent ?? `there is no ${which} in PATH` };
}

/** Returns why an engine cannot be used; undefined if it answers. Its program may be there while its service does not run. */
export async function engineProblem(
  engine: ContainerEngine,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { exitCode, stderr } = await runProgram(engine, ['info'], { cwd: root, env });
  if (exitCode === 0) return undefined;
  return `${engine} does not answer: ${(stderr.trim().split('\n').at(-1) ?? '').replace(/[.?]+$/, '')}`;
}

async function isInPath(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const names = process.platform === 'win32' ? [`${program}.exe`, program] : [program];
  const paths = (env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** How an image is built. */
export interface ImageBuild {
  readonly image: string;
  /** 'linux/amd64,linux/arm64'. @default the platform of the engine */
  readonly platform?: string;
  readonly push: boolean;
}

/** The calls that build an image out of the folder in which they are made, and push it if it is to be pushed. */
export function imageCalls(
  engine: ContainerEngine,
  { image, platform, push }: ImageBuild,
): readonly (readonly string[])[] {
  const isMany = platform?.includes(',') === true;
  const platforms = platform === undefined ? [] : ['--platform', platform];
  if (engine === 'docker' && isMany) {
    // An image of several platforms has no place on this machine: it is pushed, or kept by the builder.
    return [['buildx', 'build', ...platforms, '-t', image, ...(push ? ['--push'] : []), '.']];
  }
  if (isMany && engine !== 'nerdctl') {
    const pushing = [['manifest', 'push', '--all', image, `docker://${image}`]];
    return [['build', ...platforms, '--manifest', image, '.'], ...(push ? pushing : [])];
  }
  // Of what was built for other platforms nerdctl pushes those that it is told.
  const pushed = engine === 'nerdctl' ? platforms : [];
  return [['build', ...platforms, '-t', image, '.'], ...(push ? [['push', ...pushed, image]] : [])];
}
