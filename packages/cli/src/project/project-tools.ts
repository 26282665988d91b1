import { type CompileOptions, compile } from './compile-project.js';
import { type InspectOptions, inspect } from './inspect-project.js';
import type { InspectedProject } from './inspected-project.js';
import type { Project } from './project.js';

/** The operations of the commands that start processes for a project. */
export interface ProjectTools {
  /** Compiles the project, and throws like `compile`. */
  readonly compile: (project: Project, options?: CompileOptions) => Promise<void>;
  /** Returns the declarations of the compiled project, and throws like `inspect`. */
  readonly inspect: (project: Project, options?: InspectOptions) => Promise<InspectedProject>;
}

/** Replaces or extends the tools of a command. */
export type ToolsWrapper = (tools: ProjectTools) => ProjectTools;

/** Returns the tools of a command: its own tools, or by default the compiler of the project and a process with its program. */
export function projectTools({ wrapTools }: { readonly wrapTools: ToolsWrapper | undefined }): ProjectTools {
  const tools = { compile, inspect };
  return wrapTools?.(tools) ?? tools;
}
