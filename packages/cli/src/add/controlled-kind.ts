/** A kind that gets a controller: a custom kind, a built-in kind, or a kind of another operator. */
export interface ControlledKind {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly className: string;
  /** The module that exports the class: a package, or the path of a source of the project. */
  readonly from: string;
  /** The origin of the kind: the project, Kubernetes, or another operator. */
  readonly origin: 'own' | 'built-in' | 'external';
  /** The source of the class to write; undefined if the class already exists. */
  readonly created?: { readonly path: string; readonly text: string };
  /** Differences between the classes and the definition from which they are generated. @default none */
  readonly differences?: readonly string[];
  /** Returns an object of the kind that a server accepts; undefined if the kind has no sample. */
  readonly sample: () => Promise<Readonly<Record<string, unknown>> | undefined>;
}
