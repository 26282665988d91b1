import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './command-context.js';

/**
 * Asks a question that the user answers with yes or no. An empty answer means yes. Call this function only if `context.interactive` is
 * true.
 * @param question the question with a question mark: 'Add a converter?'
 */
export async function ask({ output, signal }: CommandContext, question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${output.errorStyles.bold(question)} [Y/n] `, { signal });
    return !/^no?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
