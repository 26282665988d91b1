import type { InspectedProject } from '../inspected-project.js';

/** A module of the project. */
export interface InspectedModule {
  /** Path of the source, relative to the folder of the project, with slashes. */
  readonly source: string;
  /** Path of what the compiler made of it. */
  readonly compiled: string;
}

/** What the process of an inspection is asked. */
export interface InspectionRequest {
  readonly root: string;
  /** Path of the compiled program. */
  readonly main: string;
  /** The modules that declare kinds. */
  readonly declaring: readonly InspectedModule[];
  /** Every source, to read comments from; relative to `root`. */
  readonly sources: readonly string[];
  /** Whether the project has copies of our packages of its own. */
  readonly hasOwnCopies: boolean;
}

/** What the process of an inspection answers: once. */
export type InspectionAnswer =
  | { readonly inspected: InspectedProject }
  /** What is wrong with the project, as the end of a sentence that begins with 'cannot inspect the project: '. */
  | { readonly mistake: string; readonly stack?: string };
