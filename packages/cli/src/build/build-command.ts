import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { BuildOptions } from './run-build.js';

/** Declares `kubewright build`, which bundles the operator and builds its image. */
export function buildCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'build',
    description: 'make one file of the operator with all that it imports; with --image, then its image',
    options: [
      new Option('--image [image]', 'build the image, under this name in place of the one of the project'),
      new Option('--push', 'push the image to its registry'),
      new Option('--platform <platforms>', "for these platforms, such as 'linux/amd64,linux/arm64'"),
      new Option('--installer', 'write dist/install.yaml: all that a cluster needs, in one file for kubectl apply'),
      jsonOption(),
    ],
    examples: [
      ['kubewright build', 'the operator in one file, dist/operator.mjs'],
      [
        'kubewright build --image registry.example.com/my-operator:v1 --push',
        'its image, by docker, podman, nerdctl or buildah',
      ],
      [
        'kubewright build --installer --image registry.example.com/my-operator:v1',
        'also the manifests, with this image',
      ],
    ],
  }).action(async (options: BuildOptions) => {
    const { runBuild } = await import('./run-build.js');
    await runBuild(context, options);
  });
}
