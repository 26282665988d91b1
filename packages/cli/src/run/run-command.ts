import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import { clusterOptions } from '../deploy/target.js';
import { leaderElectOption } from './leader-elect-option.js';
import type { RunOptions } from './run-options.js';

/** Declares `kubewright run`, which runs the operator on this machine or plans a reconcile. */
export function runCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'run',
    description:
      'run the operator on this machine against a cluster; with --plan, print what one reconcile would write',
    options: [
      new Option(
        '--plan [object]',
        'reconcile KIND/NAME once without writes, and print each field that would be written',
      ),
      new Option(
        '-n, --namespace <namespace>',
        'the namespace of the object for --plan (default: the namespace of the context, or default)',
      ),
      new Option('-f, --filename <file>', 'plan as if this file had been applied'),
      new Option('--controller <name>', 'the controller to plan, if the kind has several controllers'),
      leaderElectOption().conflicts('plan'),
      jsonOption(),
      ...clusterOptions(),
    ],
    needs: { namespace: 'plan', filename: 'plan', controller: 'plan', json: 'plan' },
    examples: [
      ['kubewright run', 'use the current context and its user'],
      ['kubewright run -- --log-level=debug', 'pass a flag to the operator'],
      ['kubewright run --plan website/sample', 'print what a reconcile of this object would write'],
      [
        'kubewright run --plan -f config/samples/v1_website.yaml',
        'print what a reconcile would write after this file is applied',
      ],
    ],
  })
    .argument('[flags...]', 'flags of the operator, after --')
    .action(async (flags: readonly string[], options: RunOptions) => {
      if (options.plan === undefined) {
        const { runOperator } = await import('./run-operator.js');
        await runOperator(context, options, flags);
      } else {
        const { runPlan } = await import('../plan/run-plan.js');
        await runPlan(context, options, flags);
      }
    });
}
