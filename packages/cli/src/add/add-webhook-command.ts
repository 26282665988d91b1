import { type Command, Option } from 'commander';
import type { CommandContext } from '../command/command-context.js';
import { declaredCommand } from '../command/declared-command.js';
import { jsonOption } from '../command/options.js';
import type { AddWebhookOptions } from './run-add-webhook.js';

/** Declares `kubewright add webhook`, which adds admission webhooks and converters for a kind. */
export function addWebhookCommand(context: CommandContext): Command {
  return declaredCommand({
    name: 'webhook',
    description: 'add a defaulter, a validator or converters for a kind',
    options: [
      new Option(
        '--kind <kind>',
        'the kind: your own, a built-in kind, or a kind of another operator',
      ).makeOptionMandatory(),
      new Option('--defaulting', 'add a class that sets defaults before an object is validated'),
      new Option('--validating', 'add a class that rejects invalid objects'),
      new Option('--conversion', 'add a class that converts each other version of your kind to the storage version'),
      new Option('--version <version>', 'the version for --defaulting and --validating (default: the storage version)'),
      new Option('--group <group>', 'the group of the kind, if several groups have this kind'),
      jsonOption(),
    ],
    examples: [
      ['kubewright add webhook --kind Website --defaulting --validating', 'set defaults, and reject invalid objects'],
      ['kubewright add webhook --kind Website --conversion', 'convert between the versions of a kind'],
      ['kubewright add webhook --kind Pod --validating', 'validate a built-in kind'],
    ],
  }).action(async (options: AddWebhookOptions) => {
    const { runAddWebhook } = await import('./run-add-webhook.js');
    await runAddWebhook(context, options);
  });
}
