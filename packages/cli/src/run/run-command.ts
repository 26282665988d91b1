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
    description: 'run the operator on this machine against a cluster; with --plan, tell what one reconcile would write',
    options: [
      new Option(
        '--plan [object]',
        'reconcile KIND/NAME once, write nothing, and tell each field that would be written',
      ),
      new Option('-n, --namespace <namespace>', 'of that object (that of the context, else default)'),
      new Option('-f, --filename <file>', 'plan as if this file had been applied'),
      new Option('--controller <name>', 'plan this one of several controllers of the kind'),
      leaderElectOption().conflicts('plan'),
      jsonOption(),
      ...clusterOptions(),
    ],
    needs: { namespace: 'plan', filename: 'plan', controller: 'plan', json: 'plan' },
    examples: [
      ['kubewright run', 'against the current context, as its user'],
      ['kubewright run -- --log-level=debug', 'with a flag of the operator'],
      ['kubewright run --plan website/sample', 'what would a reconcile of this object write?'],
      ['kubewright run --plan -f config/samples/v1_website.yaml', 'what would it write if this were applied?'],
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
