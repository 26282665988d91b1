/** What names a kind of one's own, and places its files. */
export interface KindFilesOptions {
  /** What the groups of the project end in: 'example.com'. */
  readonly domain: string;
  /** The API group without the domain; '' where the domain is the group. */
  readonly group: string;
  /** In PascalCase: 'VirtualMachine'. */
  readonly kind: string;
  /** 'v1', 'v1beta1' or 'v1alpha1'. */
  readonly version: string;
  /** Whether its objects live in namespaces. */
  readonly namespaced: boolean;
  /** Whether the classes of each group are in a folder of its own. @default false */
  readonly multiGroup?: boolean;
}

/** What `scaffold` makes a project of. */
export interface ScaffoldOptions extends KindFilesOptions {
  /** The name of the project, of its package, and of the operator in the cluster: 'my-operator'. */
  readonly name: string;
  /** Installs and runs scripts. @default 'npm' */
  readonly packageManager?: PackageManager;
  /**
   * Tarballs of our packages inside the project, by the name of the package: `{ '@kubewright/api': 'vendor/kubewright-api-0.1.0.tgz' }`.
   * The project then installs all of our packages from these files. @default the published packages
   */
  readonly tarballs?: Readonly<Record<string, string>>;
}

/** What installs packages and runs scripts. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';
