import type { Command } from 'commander';
import { declaredCommand } from '../command/declared-command.js';
import type { CommandContext } from '../command/command-context.js';
import { addApiCommand } from './add-api-command.js';
import { addControllerCommand } from './add-controller-command.js';
import { addVersionCommand } from './add-version-command.js';
import { addWebhookCommand } from './add-webhook-command.js';

/** Declares `kubewright add`, the group of commands that extend a project. */
export function addCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'add',
    description: 'add a kind, a version, a controller or a webhook to the project',
    examples: [
      ['kubewright add api --kind Database', 'a kind of your own, with a controller and a test'],
      ['kubewright add version --kind Database --version v2', 'another version of this kind'],
      ['kubewright add controller --kind Deployment', 'a controller for an existing kind'],
      ['kubewright add webhook --kind Database --validating', 'a validator for a kind'],
    ],
  })
    .addCommand(addApiCommand(context))
    .addCommand(addVersionCommand(context))
    .addCommand(addControllerCommand(context))
    .addCommand(addWebhookCommand(context));
}
