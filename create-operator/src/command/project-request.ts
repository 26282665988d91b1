import type { PackageManager } from '../scaffold/scaffold-options.js';

/** What was asked for on a command line. What is left out is asked for at a terminal, and has a default elsewhere. */
export interface ProjectRequest {
  /** Where the project comes to, from the folder of the call. @default the name */
  readonly folder?: string;
  /** @default the last part of the folder; 'my-operator' */
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
  /** @default the one that runs this program; npm */
  readonly packageManager?: PackageManager;
  /** Whether packages are installed, and config/ is generated. @default true */
  readonly install?: boolean;
  /** Whether a git repository is made, where there is none. @default true */
  readonly git?: boolean;
  /** Whether the folder may have other files. None is written over; .gitignore gets the lines that it lacks. @default false */
  readonly force?: boolean;
  /** Whether nothing is asked. @default false */
  readonly yes?: boolean;
}
