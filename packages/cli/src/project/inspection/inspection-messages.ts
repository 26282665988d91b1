import type { InspectedProject } from '../inspected-project.js';

/** A source and its compiled module. */
export interface InspectedModule {
  /** The path of the source, relative to the project, with slashes. */
  readonly source: string;
  /** The absolute path of the compiled module. */
  readonly compiled: string;
}

/** The modules and sources that an inspection reads. */
export interface InspectedModules {
  /** The modules below src/api, all of which are loaded to find kinds. */
  readonly declaring: readonly InspectedModule[];
  /** The paths of all sources, relative to the project. Their doc comments become descriptions. */
  readonly sources: readonly string[];
  /** The modules of linked packages, which can declare kinds that the project reconciles. */
  readonly linked: readonly InspectedModule[];
}

/** The message to the child process of an inspection. */
export interface InspectionRequest extends InspectedModules {
  readonly root: string;
  /** The path of the compiled program. */
  readonly main: string;
  /** Whether the project has its own copies of the Kubewright packages. */
  readonly hasOwnCopies: boolean;
}

/** The only message from the child process of an inspection. */
export type InspectionAnswer =
  | { readonly inspected: InspectedProject }
  /** The error in the project. `inspect` adds the prefix 'cannot inspect the project: '. */
  | { readonly problem: string; readonly stack?: string };
