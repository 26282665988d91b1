import { createInterface } from 'node:readline/promises';
import { KubewrightError } from '@kubewright/api/errors';
import type { CommandContext } from './command-context.js';

/** What is to be agreed to. */
export interface Agreement {
  /** What will be done, as the beginning of the question: 'delete 3 objects'. */
  readonly what: string;
  /** Why it is asked. */
  readonly because: string;
}

/**
 * Goes on when it is agreed to: by `--yes`, or by the one who sits at the terminal.
 * @throws KubewrightError NOT_AGREED where nobody can be asked, naming `--yes`; DECLINED where the answer is no
 */
export async function confirm(context: CommandContext, { what, because }: Agreement): Promise<void> {
  if (context.agreed) return;
  if (!context.interactive) {
    throw new KubewrightError('NOT_AGREED', `did not ${what}: ${because}; say --yes when that is meant`);
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
