import { createInterface } from 'node:readline/promises';
import { KubewrightError } from '@kubewright/api/errors';
import type { CommandContext } from './command-context.js';

/** An action that requires confirmation. */
export interface Agreement {
  /** The action, as part of the question: 'delete 3 objects'. */
  readonly what: string;
  /** The reason for the question. */
  readonly because: string;
}

/**
 * Returns when the action is confirmed: by `--yes`, or by the user at the terminal.
 * @throws KubewrightError NOT_AGREED with a hint to `--yes` if there is no terminal; DECLINED if the answer is no
 */
export async function confirm(context: CommandContext, { what, because }: Agreement): Promise<void> {
  if (context.agreed) return;
  if (!context.interactive) {
    throw new KubewrightError('NOT_AGREED', `did not ${what}: ${because}; pass --yes to confirm`);
  }
  const { bold } = context.output.errorStyles;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${because}. ${bold(`Really ${what}?`)} [y/N] `, { signal: context.signal });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new KubewrightError('DECLINED', `did not ${what}`);
}
