import type { ProjectFiles } from 'create-operator';

/** The result of the migration of a kubebuilder project. */
export interface Migration {
  readonly name: string;
  readonly files: ProjectFiles;
  /** Descriptions of the created classes and controllers, one line each. */
  readonly made: readonly string[];
  /** The remaining tasks for the user, one sentence each. */
  readonly tasks: readonly string[];
}

/** The input of a migration. */
export interface MigrationSource {
  /** The text of the PROJECT file, and its path for errors. */
  readonly project: { readonly text: string; readonly path: string };
  /** YAML with the CustomResourceDefinitions of the project, by path. */
  readonly definitions: ReadonlyMap<string, string>;
  /** YAML with the CustomResourceDefinitions of other operators, by path. */
  readonly externalDefinitions: ReadonlyMap<string, string>;
  /** Go sources without tests, by their path in the project. */
  readonly goSources: ReadonlyMap<string, string>;
}
