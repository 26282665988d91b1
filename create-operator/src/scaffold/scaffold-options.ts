/** The names of a custom kind, and the settings that determine the paths of its files. */
export interface KindFilesOptions {
  /** The suffix of the project's API groups: 'example.com'. */
  readonly domain: string;
  /** The API group without the domain; '' if the domain is the group. */
  readonly group: string;
  /** The kind in PascalCase: 'VirtualMachine'. */
  readonly kind: string;
  /** The version of the kind, such as 'v1', 'v1beta1', or 'v1alpha1'. */
  readonly version: string;
  /** Whether the objects of the kind are namespaced. */
  readonly namespaced: boolean;
  /** Whether the classes of each group are in a separate folder. @default false */
  readonly multiGroup?: boolean;
}

/** The options of a new project. */
export interface ScaffoldOptions extends KindFilesOptions {
  /** The name of the project, of its package, and of the operator in the cluster: 'my-operator'. */
  readonly name: string;
  /** The program that installs packages and runs scripts. @default 'npm' */
  readonly packageManager?: PackageManager;
  /**
   * Tarballs of the Kubewright packages inside the project, by package name: `{ '@kubewright/api': 'vendor/kubewright-api-0.1.0.tgz' }`.
   * The project then installs all Kubewright packages from these files. @default the published packages
   */
  readonly tarballs?: Readonly<Record<string, string>>;
}

/** A program that installs packages and runs scripts. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';
