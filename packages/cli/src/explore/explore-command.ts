import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import type { ExploreOptions } from './explore-options.js';

/** Declares `kubewright explore`, which searches for histories in which the operator violates a rule of operators. */
export function exploreCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'explore',
    description: 'search for problems of the operator: run generated histories of its objects on API servers in memory',
    options: [
      new Option('--budget <time>', 'the time after which the search ends').default('60s'),
      new Option('--seed <number>', 'the seed of the random histories').default('1'),
      new Option('--kind <kind>', 'explore only this kind, such as website (default: all kinds with a controller)'),
      new Option('--field <path>', 'change only this field and the fields in it, such as spec.tls'),
      new Option('--workers <number>', 'the number of processes that search (default: the number of CPU cores)'),
      new Option('--write <file>', 'write a test that fails while the problem exists, such as src/found.test.ts'),
      new Option('--replay <file>', 'run a saved history again, and print what happens').conflicts([
        'kind',
        'field',
        'workers',
        'write',
      ]),
    ],
    examples: [
      ['kubewright explore', 'search for a minute on all CPU cores'],
      ['kubewright explore --kind website --field spec.tls', 'search only for problems with one field'],
      ['kubewright explore --write src/found.test.ts', 'also write a test for each problem'],
      ['kubewright explore --replay .kubewright/explore/1f0c2a9b.json', 'run a history that violated a rule again'],
    ],
  }).action(async (options: ExploreOptions) => {
    const { runExplore } = await import('./run-explore.js');
    await runExplore(context, options);
  });
}
