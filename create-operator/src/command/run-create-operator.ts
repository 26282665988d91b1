import { ScaffoldError } from '../scaffold-error.js';
import { createOperator } from './create-operator.js';
import { helpText } from './help-text.js';
import { parseRequest } from './parse-request.js';
import type { Environment } from './environment.js';

/** Runs `create-operator` with the arguments, and returns the exit code. Reports each ScaffoldError instead of throwing it. */
export async function runCreateOperator(
  args: readonly string[],
  environment: Environment & { readonly error: (text: string) => void },
): Promise<number> {
  try {
    const request = parseRequest(args);
    const calledAs = environment.packagesFor === undefined ? 'npm create operator@latest' : 'npm run create --';
    if (request === 'help') environment.line(helpText(calledAs).trimEnd());
    else await createOperator(request, environment);
    return 0;
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    environment.error(error.code === 'CANCELLED' ? error.message : `error: ${error.message}`);
    return error.exitCode;
  }
}
