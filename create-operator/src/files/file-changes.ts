import type { ProjectFiles } from './project-files.js';

/** What is to become of the files of a folder. */
export interface FileChanges {
  readonly write: ProjectFiles;
  /** Paths of files that are to go. @default none */
  readonly remove?: readonly string[];
}
