import type { InspectedProject } from '../inspected-project.js';

/** A module of the project. */
export interface InspectedModule {
  /** Path of the source, relative to the folder of the project, with slashes. */
  readonly source: string;
  /** Path of what the compiler made of it. */
  readonly compiled: string;
}

/** What of a project is read for an inspection. */
export interface InspectedModules {
  /** The modules that declare kinds. */
  readonly declaring: readonly InspectedModule[];
  /** Every source, to read comments from; relative to the folder of the project. */
  readonly sources: readonly string[];
  /** The modules of packages that are developed beside the project. */
  readonly linked: readonly InspectedModule[];
}

/** What the process of an inspection is asked. */
export interface InspectionRequest extends InspectedModules {
  readonly root: string;
  /** Path of the compiled program. */
  readonly main: string;
  /** Whether the project has copies of our packages of its own. */
  readonly hasOwnCopies: boolean;
}

/** What the process of an inspection answers: once. */
export type InspectionAnswer =
  | { readonly inspected: InspectedProject }
  /** What is wrong with the project, as the end of a sentence that begins with 'cannot inspect the project: '. */
  | { readonly mistake: string; readonly stack?: string };
