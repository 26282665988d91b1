import { messageOf } from '@kubewright/api/errors';
import { findProgram } from 'create-operator';
import { type ProgramOptions, runProgram } from '../project/run-program.js';

/** The supported container engines, in order of preference. */
const ENGINES = ['docker', 'podman', 'nerdctl', 'buildah'] as const;

/** A program that builds images. */
export type ContainerEngine = (typeof ENGINES)[number];

/** The usable engine, or the reason why no engine is usable. */
export type FoundEngine = { readonly engine: ContainerEngine } | { readonly problem: string };

/**
 * Returns the first engine that is in PATH and responds, or the reason why no engine is usable. If KUBEWRIGHT_CONTAINER_ENGINE is set,
 * checks only that engine.
 */
export async function findEngine(options: ProgramOptions): Promise<FoundEngine> {
  const { env = process.env } = options;
  const requested = env['KUBEWRIGHT_CONTAINER_ENGINE'] || undefined;
  const candidates = ENGINES.filter((engine) => requested === undefined || requested === engine);
  if (candidates.length === 0) {
    return { problem: `KUBEWRIGHT_CONTAINER_ENGINE is '${requested}'; set it to one of ${ENGINES.join(', ')}` };
  }
  let silent: string | undefined;
  for (const engine of candidates) {
    if ((await findProgram(engine, env)) === undefined) continue;
    const problem = await engineProblem(engine, options);
    if (problem === undefined) return { engine };
    silent ??= problem;
  }
  const which = requested ?? 'docker, podman, nerdctl or buildah';
  return { problem: silent ?? `found no ${which} in PATH` };
}

/**
 * Returns the reason why an engine cannot be used; undefined if the engine responds. An installed engine does not respond while the service
 * of the engine is stopped.
 */
export async function engineProblem(engine: ContainerEngine, options: ProgramOptions): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await runProgram(engine, ['info'], options);
    if (exitCode === 0) return undefined;
    const reason = (stderr.trim().split('\n').at(-1) ?? '').replace(/[.?]+$/, '');
    return `${engine} does not answer${reason === '' ? '' : `: ${reason}`}`;
  } catch (error) {
    options.signal?.throwIfAborted();
    return `cannot run ${engine}: ${messageOf(error)}`;
  }
}

/** The options of an image build. */
export interface ImageBuild {
  readonly image: string;
  /** The platforms of the image, such as 'linux/amd64,linux/arm64'. @default the platform of the engine */
  readonly platform?: string;
  readonly push: boolean;
}

/** The action of a container engine call: the engine builds the image, pushes the image, or does both. */
export type ImageAction = 'build' | 'push' | 'build-and-push';

/** A call of a container engine that builds an image, pushes the image, or does both. */
export interface ImageCall {
  readonly action: ImageAction;
  /** The arguments of the engine. */
  readonly args: readonly string[];
}

/** Returns the calls that build an image from the current folder, and that push the image if `push` is true. */
export function imageCalls(engine: ContainerEngine, { image, platform, push }: ImageBuild): readonly ImageCall[] {
  const isMany = platform?.includes(',') === true;
  const platforms = platform === undefined ? [] : ['--platform', platform];
  if (engine === 'docker' && isMany) {
    // Docker cannot store a multi-platform image locally. With `--push`, buildx pushes the image; otherwise, buildx only fills the build
    // cache.
    const args = ['buildx', 'build', ...platforms, '-t', image, ...(push ? ['--push'] : []), '.'];
    return [{ action: push ? 'build-and-push' : 'build', args }];
  }
  if (isMany && engine !== 'nerdctl') {
    return inOrder(push, {
      build: ['build', ...platforms, '--manifest', image, '.'],
      push: ['manifest', 'push', '--all', image, `docker://${image}`],
    });
  }
  // nerdctl pushes only the platforms that `--platform` names.
  const pushed = engine === 'nerdctl' ? platforms : [];
  return inOrder(push, { build: ['build', ...platforms, '-t', image, '.'], push: ['push', ...pushed, image] });
}

function inOrder(
  push: boolean,
  args: { readonly build: readonly string[]; readonly push: readonly string[] },
): readonly ImageCall[] {
  const building: ImageCall = { action: 'build', args: args.build };
  return push ? [building, { action: 'push', args: args.push }] : [building];
}
