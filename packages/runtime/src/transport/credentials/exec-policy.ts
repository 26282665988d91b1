import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, normalize } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';

/**
 * Specifies the credential plugins of a kubeconfig that this program may run: all, none, or the plugins in a list. An entry with a slash is
 * the path of a program. An entry without a slash is a program in PATH. Without a restriction, anyone who can write the kubeconfig can run
 * any program.
 */
export type ExecPolicy = 'allow-all' | 'deny-all' | { readonly allow: readonly string[] };

/** Throws INVALID_OPTION if the policy is invalid. */
export function checkExecPolicy(policy: ExecPolicy): void {
  if (policy === 'allow-all' || policy === 'deny-all') return;
  const entries: unknown = (policy as { readonly allow?: unknown } | undefined)?.allow;
  if (
    Array.isArray(entries) &&
    entries.length > 0 &&
    entries.every((entry) => typeof entry === 'string' && entry !== '')
  )
    return;
  throw new KubewrightError(
    'INVALID_OPTION',
    "cannot restrict credential plugins: execPolicy is invalid; use 'allow-all', 'deny-all' or { allow: ['name or path', …] } with at least one entry",
  );
}

/** Whether the policy allows the program. `path` is the value of PATH, in which the entries of the policy are searched. */
export async function isAllowed(program: string, policy: ExecPolicy, path: string): Promise<boolean> {
  if (typeof policy === 'string') return policy === 'allow-all';
  const allowed = await Promise.all(policy.allow.map((entry) => programOf(entry, path)));
  return allowed.includes(program);
}

/**
 * Returns the path of the program that a command runs. Searches a command without a slash in the absolute directories of `path`, the value
 * of PATH. Returns undefined if the program does not exist or is not an executable file.
 */
export async function programOf(command: string, path: string): Promise<string | undefined> {
  if (command.includes('/')) return (await isProgram(command)) ? normalize(command) : undefined;
  for (const directory of path.split(delimiter)) {
    if (!isAbsolute(directory)) continue;
    const program = join(directory, command);
    // oxlint-disable-next-line no-await-in-loop -- uses the first existing file
    if (await isProgram(program)) return program;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    // A directory that can be searched is also executable for `access`.
    return (await stat(file)).isFile();
  } catch {
    // The file does not exist or is not executable.
    return false;
  }
}
