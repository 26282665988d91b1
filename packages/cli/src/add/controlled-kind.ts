/** A kind that gets a controller, wherever it comes from. */
export interface ControlledKind {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly className: string;
  /** The module that has its class: a package, or the path of a source of the project. */
  readonly from: string;
  /** Who brings it. */
  readonly origin: 'own' | 'built-in' | 'external';
  /** The source of its class, where that is made with the controller. */
  readonly made?: { readonly path: string; readonly text: string };
  /** What the classes say in another way than the definition that they are made of. @default nothing */
  readonly differences?: readonly string[];
  /** An object of it that a server takes; called when it is needed. Undefined where none is known. */
  readonly sample: () => Promise<Readonly<Record<string, unknown>> | undefined>;
}
