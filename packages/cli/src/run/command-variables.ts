import { COMMAND_VARIABLES } from '@kubewright/runtime/internal';

/**
 * An environment with what a command sets in it for the operator that it starts. What somebody set otherwise is written over; only of that
 * which nobody set does the operator not tell in its log.
 */
export function withCommandVariables(env: NodeJS.ProcessEnv, set: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(set).flatMap(([name, value]) => (env[name] === value ? [] : [name]));
  const before = env[COMMAND_VARIABLES]?.split(',') ?? [];
  return { ...env, ...set, [COMMAND_VARIABLES]: [...new Set([...before, ...own])].join(',') };
}
