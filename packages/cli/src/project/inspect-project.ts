import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import type { Project } from './project.js';

/** A kind that a project declares by a class. */
export interface InspectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The source that declares it, relative to the folder of the project, such as 'src/api/v1/foo.ts'; undefined where that is not known. */
  readonly file?: string;
}

/** What a project declares, as plain data. */
export interface InspectedProject {
  /** Every class with `@Kind` below src/api, and those that controllers have from elsewhere; by group, kind and version. */
  readonly kinds: readonly InspectedKind[];
  /** One for each kind, with descriptions out of doc comments; by name. */
  readonly crds: readonly CustomResourceDefinition[];
}

/** How a project is to be inspected. */
export interface InspectOptions {
  /** Ends the inspection. @default never */
  readonly signal?: AbortSignal;
}

/**
 * What a compiled project declares. Its modules run in a process of their own, which connects to nothing.
 * @throws KubewrightError INSPECTION_FAILED telling what is wrong with the program and where
 */
export async function inspect(project: Project, _options: InspectOptions = {}): Promise<InspectedProject> {
  throw new KubewrightError('INSPECTION_FAILED', `cannot inspect ${project.main}`);
}
