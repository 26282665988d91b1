import type { CompiledFolders } from './compiled-folders.js';
import type { ProjectSettings } from './project-settings.js';

/** The project of a user on disk. Paths are absolute. */
export interface Project extends CompiledFolders {
  /** The folder of the project's package.json. */
  readonly root: string;
  readonly settings: ProjectSettings;
  /** The compiled program: main.js in `outFolder`. */
  readonly main: string;
}
