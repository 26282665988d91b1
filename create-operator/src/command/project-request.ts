import type { PackageManager } from '../scaffold/scaffold-options.js';

/** The options of the command line. At a terminal the command asks for missing options; elsewhere it uses their defaults. */
export interface ProjectRequest {
  /** The folder of the project, relative to the current folder. @default the name */
  readonly folder?: string;
  /** @default the last segment of the folder; 'my-operator' if there is no folder */
  readonly name?: string;
  /** @default 'example.com' */
  readonly domain?: string;
  /** @default '' */
  readonly group?: string;
  /** @default the name without '-operator', in PascalCase; 'Website' for 'my-operator' */
  readonly kind?: string;
  /** @default 'v1' */
  readonly version?: string;
  /** @default false */
  readonly clusterScoped?: boolean;
  /** @default false */
  readonly multiGroup?: boolean;
  /** @default the package manager that runs this program, or npm */
  readonly packageManager?: PackageManager;
  /** Whether to install packages and generate config/. @default true */
  readonly install?: boolean;
  /** Whether to create a git repository if the folder is not inside one. @default true */
  readonly git?: boolean;
  /** Whether the folder may contain other files. They are not overwritten; .gitignore gets its missing lines. @default false */
  readonly force?: boolean;
  /** Whether to skip all questions. @default false */
  readonly yes?: boolean;
}
