import { type CompileOptions, compile } from './compile-project.js';
import { type InspectOptions, inspect } from './inspect-project.js';
import type { InspectedProject } from './inspected-project.js';
import type { Project } from './project.js';

/** The operations that start child processes for a project. Tests replace these operations. */
export interface ProjectTools {
  /** Compiles the project. Rejects with the errors of `compile`. */
  readonly compile: (project: Project, options?: CompileOptions) => Promise<void>;
  /** Returns the declarations of the compiled project. Rejects with the errors of `inspect`. */
  readonly inspect: (project: Project, options?: InspectOptions) => Promise<InspectedProject>;
}

/** Returns the tools that a command uses instead of the given tools. The returned tools can call the given tools. */
export type ToolsWrapper = (tools: ProjectTools) => ProjectTools;

/** Returns the tools of a command: `compile` and `inspect`, or the replacements that `wrapTools` returns. */
export function projectTools({ wrapTools }: { readonly wrapTools: ToolsWrapper | undefined }): ProjectTools {
  const tools = { compile, inspect };
  return wrapTools?.(tools) ?? tools;
}
