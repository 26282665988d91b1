import type { ProjectFiles } from 'create-operator';

/** The result of the migration of a kubebuilder project. */
export interface Migration {
  readonly name: string;
  readonly files: ProjectFiles;
  /** One line for each created class of a kind, controller and webhook, for messages. */
  readonly created: readonly string[];
  /** The tasks that the user must complete manually, one sentence each. */
  readonly tasks: readonly string[];
}

/** The input of a migration. */
export interface MigrationSource {
  /** The text of the PROJECT file, and the path of the file for error messages. */
  readonly project: { readonly text: string; readonly path: string };
  /** YAML with the CustomResourceDefinitions of the project, by path. */
  readonly definitions: ReadonlyMap<string, string>;
  /** YAML with the CustomResourceDefinitions of other operators, by path. */
  readonly externalDefinitions: ReadonlyMap<string, string>;
  /** The Go sources without tests, by path relative to the project. */
  readonly goSources: ReadonlyMap<string, string>;
}
