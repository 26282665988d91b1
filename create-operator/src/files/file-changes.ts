import type { ProjectFiles } from './project-files.js';

/** Changes of files in a folder. */
export interface FileChanges {
  readonly write: ProjectFiles;
  /** Paths of files to delete. @default none */
  readonly remove?: readonly string[];
}
