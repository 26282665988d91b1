import { ScaffoldError, type ScaffoldErrorCode } from '../scaffold-error.js';
import { createOperator } from './create-operator.js';
import { helpText } from './help-text.js';
import { parseRequest } from './parse-request.js';
import type { Surroundings } from './surroundings.js';

/** The exit codes of `kubewright` for the same: 1 the answer is no, 2 wrong usage, 3 the project, 4 the network. */
const EXIT_CODES: Readonly<Record<ScaffoldErrorCode, number>> = {
  CANCELLED: 1,
  FOLDER_NOT_EMPTY: 1,
  INVALID_ARGUMENT: 2,
  INVALID_NAME: 2,
  INVALID_PATH: 3,
  FILES_NOT_WRITTEN: 3,
  GENERATE_FAILED: 3,
  INSTALL_FAILED: 4,
};

/** Does what the arguments of `create-operator` say, and gives the exit code. What is refused is told, and does not throw. */
export async function runCreateOperator(
  args: readonly string[],
  surroundings: Surroundings & { readonly error: (text: string) => void },
): Promise<number> {
  try {
    const request = parseRequest(args);
    if (request === 'help') surroundings.line(helpText.trimEnd());
    else await createOperator(request, surroundings);
    return 0;
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    if (error.code !== 'CANCELLED') surroundings.error(`error: ${error.message}`);
    return EXIT_CODES[error.code];
  }
}
