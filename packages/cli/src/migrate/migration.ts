import type { ProjectFiles } from 'create-operator';

/** What becomes of a kubebuilder project. */
export interface Migration {
  readonly name: string;
  readonly files: ProjectFiles;
  /** What was made, a line each. */
  readonly made: readonly string[];
  /** What a person has to do, a sentence each. */
  readonly tasks: readonly string[];
}

/** What a migration reads. */
export interface MigrationSource {
  /** The text of the PROJECT file, and its path for errors. */
  readonly project: { readonly text: string; readonly path: string };
  /** YAML with CustomResourceDefinitions, by path: those of the project. */
  readonly definitions: ReadonlyMap<string, string>;
  /** The same, of other operators. */
  readonly externalDefinitions: ReadonlyMap<string, string>;
  /** Go sources without tests, by their path in the project. */
  readonly goSources: ReadonlyMap<string, string>;
}
