import { COMMAND_VARIABLES } from '@kubewright/runtime/internal';

/** Variables of the environment and their values. */
type Variables = Readonly<Record<string, string>>;

/** What a command says to the operator that it starts. */
export interface CommandVariables {
  /** Whatever somebody said. @default none */
  readonly set?: Variables;
  /** Unless somebody said something. @default none */
  readonly byDefault?: Variables;
}

/** An environment with what a command says in it. Of that which nobody else said, the operator does not tell in its log. */
export function withCommandVariables(
  env: NodeJS.ProcessEnv,
  { set = {}, byDefault = {} }: CommandVariables,
): NodeJS.ProcessEnv {
  const said = { ...byDefault, ...env, ...set };
  const own = Object.keys({ ...byDefault, ...set }).filter((name) => env[name] !== said[name]);
  const before = env[COMMAND_VARIABLES]?.split(',') ?? [];
  return { ...said, [COMMAND_VARIABLES]: [...new Set([...before, ...own])].join(',') };
}
