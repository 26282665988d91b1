import { COMMAND_VARIABLES } from '@kubewright/runtime/internal';

/** The values of environment variables by name. */
type Variables = Readonly<Record<string, string>>;

/** The environment variables that a command sets for the operator. */
export interface CommandVariables {
  /** Variables that take precedence over the environment of the user. @default none */
  readonly set?: Variables;
  /** Variables over which the environment of the user takes precedence. @default none */
  readonly byDefault?: Variables;
}

/**
 * Adds the variables of a command to an environment. Also adds KUBEWRIGHT_COMMAND_VARIABLES with the names of the changed variables, so
 * that the operator does not log them as settings of the user.
 */
export function withCommandVariables(
  env: NodeJS.ProcessEnv,
  { set = {}, byDefault = {} }: CommandVariables,
): NodeJS.ProcessEnv {
  const combined = { ...byDefault, ...env, ...set };
  const own = Object.keys({ ...byDefault, ...set }).filter((name) => env[name] !== combined[name]);
  const before = env[COMMAND_VARIABLES]?.split(',') ?? [];
  return { ...combined, [COMMAND_VARIABLES]: [...new Set([...before, ...own])].join(',') };
}
