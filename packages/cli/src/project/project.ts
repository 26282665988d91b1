import type { ProjectSettings } from './project-settings.js';

/** The project of a user, on disk. Paths are absolute. */
export interface Project {
  /** The folder of its package.json. */
  readonly root: string;
  readonly settings: ProjectSettings;
  /** Where the sources are, by its tsconfig.json. @default src */
  readonly sourceFolder: string;
  /** Where tsc writes to. @default dist */
  readonly outFolder: string;
  /** The compiled program: main.js in `outFolder`. */
  readonly main: string;
}
