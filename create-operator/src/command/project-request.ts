import type { PackageManager } from '../scaffold/scaffold-options.js';

/** The options of the command line. At a terminal the command asks for missing options; elsewhere it uses their defaults. */
export interface ProjectRequest {
  /** The folder of the project, relative to the current folder. @default the name */
  readonly folder?: string;
  /** The name of the project. @default the last segment of the folder; 'my-operator' if there is no folder */
  readonly name?: string;
  /** The suffix of the API groups. @default 'example.com' */
  readonly domain?: string;
  /** The part of the API group before the domain. @default '' */
  readonly group?: string;
  /** The kind in PascalCase. @default the name without '-operator'; 'Website' for 'my-operator' */
  readonly kind?: string;
  /** The version of the kind. @default 'v1' */
  readonly version?: string;
  /** Whether the kind is cluster-scoped. @default false */
  readonly clusterScoped?: boolean;
  /** Whether the classes of each group are in a separate folder. @default false */
  readonly multiGroup?: boolean;
  /** The package manager of the project. @default the package manager that runs this program, or npm */
  readonly packageManager?: PackageManager;
  /** Whether to install packages and generate config/. @default true */
  readonly install?: boolean;
  /** Whether to create a git repository if the folder is not inside one. @default true */
  readonly git?: boolean;
  /** Whether the folder may contain other files. Existing files are kept. An existing .gitignore gets the missing lines. @default false */
  readonly force?: boolean;
  /** Whether to skip all questions. @default false */
  readonly yes?: boolean;
}
