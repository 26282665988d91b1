import type { InspectedProject } from '../inspected-project.js';

/** A module of the project. */
export interface InspectedModule {
  /** The path of the source, relative to the folder of the project, with slashes. */
  readonly source: string;
  /** The path of the compiler's output. */
  readonly compiled: string;
}

/** The modules that an inspection reads. */
export interface InspectedModules {
  /** The modules that declare kinds. */
  readonly declaring: readonly InspectedModule[];
  /** All sources whose comments are read, relative to the folder of the project. */
  readonly sources: readonly string[];
  /** The modules of linked packages. */
  readonly linked: readonly InspectedModule[];
}

/** The request to the process of an inspection. */
export interface InspectionRequest extends InspectedModules {
  readonly root: string;
  /** The path of the compiled program. */
  readonly main: string;
  /** Whether the project has its own copies of the Kubewright packages. */
  readonly hasOwnCopies: boolean;
}

/** The only response of the process of an inspection. */
export type InspectionAnswer =
  | { readonly inspected: InspectedProject }
  /** The error in the project, as the end of a sentence that begins with 'cannot inspect the project: '. */
  | { readonly problem: string; readonly stack?: string };
