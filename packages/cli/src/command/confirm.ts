import { createInterface } from 'node:readline/promises';
import { KubewrightError } from '@kubewright/api/errors';
import type { CommandContext } from './command-context.js';

/** An action that requires confirmation. */
export interface Confirmation {
  /** The action, as inserted into the question "Really …?": 'delete 3 objects'. */
  readonly what: string;
  /** The reason why the action requires confirmation, as a sentence without a period. */
  readonly reason: string;
}

/**
 * Asks the user to confirm an action, and returns if the answer is yes. With `--yes`, returns without a question.
 * @throws KubewrightError NOT_CONFIRMED if the command must not ask questions (see `CommandContext.interactive`), or DECLINED if the
 *   answer is not yes
 */
export async function confirm(context: CommandContext, { what, reason }: Confirmation): Promise<void> {
  if (context.agreed) return;
  if (!context.interactive) {
    throw new KubewrightError('NOT_CONFIRMED', `did not ${what}: ${reason}; pass --yes to confirm`);
  }
  const { bold } = context.output.errorStyles;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${reason}. ${bold(`Really ${what}?`)} [y/N] `, { signal: context.signal });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new KubewrightError('DECLINED', `did not ${what}`);
}
