import type { CompiledFolders } from './compiled-folders.js';
import type { ProjectSettings } from './project-settings.js';

/** An operator project on disk. All paths are absolute. */
export interface Project extends CompiledFolders {
  /** The folder that contains the package.json of the project. */
  readonly root: string;
  readonly settings: ProjectSettings;
  /** The path of the compiled program, main.js in `outFolder`. */
  readonly main: string;
}
