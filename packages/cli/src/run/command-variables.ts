import { COMMAND_VARIABLES } from '@kubewright/runtime/internal';

/** Environment variables and their values. */
type Variables = Readonly<Record<string, string>>;

/** The environment variables that a command sets for the operator. */
export interface CommandVariables {
  /** Variables that override the environment. @default none */
  readonly set?: Variables;
  /** Variables that the environment overrides. @default none */
  readonly byDefault?: Variables;
}

/**
 * Returns an environment with the variables of a command. Also lists the variables that the command changed, so that the operator does not
 * log them.
 */
export function withCommandVariables(
  env: NodeJS.ProcessEnv,
  { set = {}, byDefault = {} }: CommandVariables,
): NodeJS.ProcessEnv {
  const said = { ...byDefault, ...env, ...set };
  const own = Object.keys({ ...byDefault, ...set }).filter((name) => env[name] !== said[name]);
  const before = env[COMMAND_VARIABLES]?.split(',') ?? [];
  return { ...said, [COMMAND_VARIABLES]: [...new Set([...before, ...own])].join(',') };
}
