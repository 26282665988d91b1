import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { BuildOptions } from './run-build.js';

/** Declares `kubewright build`, which bundles the operator and builds its image. */
export function buildCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'build',
    description: 'bundle the operator and its imports into a few files; with --image, also build the image',
    options: [
      new Option('--image [image]', 'build the image (default name: the image of the project)'),
      new Option('--push', 'push the image to its registry'),
      new Option('--platform <platforms>', "the platforms of the image, such as 'linux/amd64,linux/arm64'"),
      new Option('--installer', 'write dist/install.yaml, one file with all manifests for kubectl apply'),
      jsonOption(),
    ],
    examples: [
      ['kubewright build', 'bundle the operator into dist/operator.mjs'],
      [
        'kubewright build --image registry.example.com/my-operator:v1 --push',
        'also build the image with docker, podman, nerdctl or buildah',
      ],
      [
        'kubewright build --installer --image registry.example.com/my-operator:v1',
        'also write the manifests, with this image',
      ],
    ],
  }).action(async (options: BuildOptions) => {
    const { runBuild } = await import('./run-build.js');
    await runBuild(context, options);
  });
}
