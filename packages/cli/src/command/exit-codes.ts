import { KubewrightError } from '@kubewright/api/errors';
import type { ScaffoldError } from 'create-operator';

/** The exit codes of all commands. Scripts can derive the cause of a failure from the exit code. */
export const ExitCode = {
  /** The command succeeded. */
  done: 0,
  /** A check found drift, breaking changes, or problems, or the user declined an action. */
  no: 1,
  /** The usage is wrong: an unknown command, option, value, or object, a folder without a project, or a missing confirmation. */
  usage: 2,
  /** The project has errors, such as type errors, invalid declarations, or invalid settings. */
  project: 3,
  /** The cluster, the network, a registry, or a container engine is unreachable, rejected a request, or failed. */
  cluster: 4,
  /** An internal error: a bug in Kubewright. */
  defect: 70,
  /** A signal interrupted the command, such as SIGINT after Ctrl-C. */
  interrupted: 130,
} as const;

/** One of the values of `ExitCode`. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit codes of error codes. The exit code of all other error codes is `ExitCode.project`, the most frequent case. */
const CODES: Readonly<Record<string, ExitCode>> = {
  DECLINED: ExitCode.no,
  NO_DEFINITIONS: ExitCode.usage,
  NO_PROJECT: ExitCode.usage,
  NOT_CONFIRMED: ExitCode.usage,
  NOT_A_DEFINITION: ExitCode.usage,
  NO_SUCH_OBJECT: ExitCode.usage,
  UNKNOWN_CONTROLLER: ExitCode.usage,
  INVALID_USAGE: ExitCode.usage,
  INVALID_VERSION: ExitCode.usage,
  API_ERROR: ExitCode.cluster,
  APPLY_CONFLICT: ExitCode.cluster,
  CREDENTIALS_FAILED: ExitCode.cluster,
  CREDENTIAL_PLUGIN_FAILED: ExitCode.cluster,
  DISCOVERY_FAILED: ExitCode.cluster,
  FORBIDDEN: ExitCode.cluster,
  INVALID_RESPONSE: ExitCode.cluster,
  INVALID_KUBECONFIG: ExitCode.cluster,
  INVALID_PROXY: ExitCode.cluster,
  INVALID_SERVER: ExitCode.cluster,
  KIND_NOT_SERVED: ExitCode.cluster,
  NOT_AVAILABLE: ExitCode.cluster,
  NOT_ESTABLISHED: ExitCode.cluster,
  NO_CLUSTER: ExitCode.cluster,
  NO_CONTAINER_ENGINE: ExitCode.cluster,
  OIDC_FAILED: ExitCode.cluster,
  PUSH_FAILED: ExitCode.cluster,
  REQUEST_FAILED: ExitCode.cluster,
  REQUEST_TIMEOUT: ExitCode.cluster,
  SERVER_FAILED: ExitCode.cluster,
  SERVER_UNREACHABLE: ExitCode.cluster,
  DELETION_PENDING: ExitCode.cluster,
  STORAGE_MIGRATION_FAILED: ExitCode.cluster,
  UNAUTHENTICATED: ExitCode.cluster,
  UNTRUSTED_SERVER: ExitCode.cluster,
  WEBHOOKS_UNREACHABLE: ExitCode.cluster,
};

/** Returns the exit code for a thrown value. A thrown value that is neither a KubewrightError nor a ScaffoldError is a defect. */
export function exitCodeOf(thrown: unknown): ExitCode {
  if (thrown instanceof KubewrightError) return CODES[thrown.code] ?? ExitCode.project;
  if (isScaffoldError(thrown)) return thrown.exitCode;
  return ExitCode.defect;
}

/** Checks the name instead of the class of the error, because most commands do not load the package that defines the class. */
function isScaffoldError(thrown: unknown): thrown is ScaffoldError {
  return thrown instanceof Error && thrown.name === 'ScaffoldError';
}
