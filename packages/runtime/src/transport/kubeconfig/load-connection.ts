import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../../log/logger.js';
import type { Connection } from '../connection/connection.js';
import { checkExecPolicy, type ExecPolicy } from '../credentials/exec-policy.js';
import { inClusterConnection, SERVICE_ACCOUNT_DIRECTORY } from './in-cluster.js';
import { type KubeconfigText, kubeconfigError, kubeconfigFile, TEXT_OR_PATH } from './kubeconfig-texts.js';
import { INLINE, isBlankKubeconfig, isKubeconfigText, shownKubeconfig } from './kubeconfig-source.js';
import { masked } from '../proxy/masked-connection.js';
import type { TransportObserver } from '../request/transport-observer.js';

export interface LoadConnectionOptions {
  /**
   * The path of a kubeconfig, its content as YAML or JSON, or `{ inline }` with this content. Relative paths in the content are relative to
   * the working directory.
   * @default KUBECONFIG, ~/.kube/config, then the service account of the Pod
   */
  readonly kubeconfig?: string | { readonly inline: string } | undefined;
  /** The context to use. Ignored without a kubeconfig. @default the current context of the kubeconfig */
  readonly context?: string | undefined;
  /** The clock that determines when tokens are read again. @default the system clock */
  readonly clock?: Clock;
  /** The environment variables. @default the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory of the service account. @default the directory into which the kubelet mounts the service account */
  readonly serviceAccountDirectory?: string;
  /** The plugins of a kubeconfig that may be run to get credentials. @default 'allow-all' */
  readonly execPolicy?: ExecPolicy | undefined;
  /** Logs a warning if credentials cannot be renewed or saved. @default no logger */
  readonly logger?: Logger | undefined;
  /** Observers that are notified when plugins have run. @default none */
  readonly observers?: readonly TransportObserver[] | undefined;
}

/**
 * Loads the address of the API server and the credentials from a kubeconfig, or from the service account of this Pod. The returned
 * connection can be logged without revealing secrets.
 *
 * Rejects with INVALID_KUBECONFIG if the kubeconfig is invalid or cannot be read, or if none of the files in the option or in KUBECONFIG
 * has content. The message contains the file, the context and the field. Rejects with INVALID_OPTION for an invalid `execPolicy`, and with
 * NO_CLUSTER if there is neither a kubeconfig nor a service account.
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  const clock = options.clock ?? new SystemClock();
  const env = options.env ?? process.env;
  const { execPolicy = 'allow-all', logger, observers = [] } = options;
  checkExecPolicy(execPolicy);
  const texts = await kubeconfigTexts(options, env);
  if (texts.length > 0) {
    const { kubeconfigConnection } = await import('./kubeconfig-connection.js');
    const around = { clock, env, logger, observers, execPolicy };
    return masked(await kubeconfigConnection(texts, options.context, around));
  }
  const directory = options.serviceAccountDirectory ?? SERVICE_ACCOUNT_DIRECTORY;
  const inCluster = await inClusterConnection({ env, directory, clock, logger });
  if (inCluster !== undefined) return masked(inCluster);
  throw new KubewrightError(
    'NO_CLUSTER',
    "no cluster to connect to: KUBECONFIG is not set, ~/.kube/config does not exist or is empty, and the process does not run in a Pod; set KUBECONFIG, or let 'kubewright dev' start an API server",
  );
}

async function kubeconfigTexts(
  options: LoadConnectionOptions,
  env: NonNullable<LoadConnectionOptions['env']>,
): Promise<readonly KubeconfigText[]> {
  const { kubeconfig } = options;
  if (typeof kubeconfig === 'object') return [{ file: INLINE, text: kubeconfig.inline }];
  if (kubeconfig !== undefined && isKubeconfigText(kubeconfig)) return [{ file: INLINE, text: kubeconfig }];
  const named = kubeconfig === undefined ? filesOf(env.KUBECONFIG ?? '') : [kubeconfig];
  if (named.length === 0) {
    const found = await kubeconfigFile(join(env.HOME ?? homedir(), '.kube', 'config'));
    return found === undefined || isBlankKubeconfig(found.text) ? [] : [found];
  }
  const found = await Promise.all(named.map(kubeconfigFile));
  const texts = found.filter((text) => text !== undefined).filter(({ text }) => !isBlankKubeconfig(text));
  if (texts.length === 0) throw nothingRead(named, found);
  return texts;
}

/**
 * Returns the paths in KUBECONFIG. Throws INVALID_KUBECONFIG if the variable contains the content of a kubeconfig, because parts of the
 * content would then appear as paths in error messages.
 */
function filesOf(variable: string): readonly string[] {
  if (!isKubeconfigText(variable)) return variable.split(delimiter).filter((file) => file !== '');
  throw kubeconfigError(
    INLINE,
    'KUBECONFIG contains the text of a kubeconfig instead of paths; use KUBEWRIGHT_KUBECONFIG or the option kubeconfig for a text',
  );
}

/** Returns the error for files that are all missing or empty. Names each file with its own problem. */
function nothingRead(named: readonly string[], found: readonly (KubeconfigText | undefined)[]): KubewrightError {
  const shown = named.map(shownKubeconfig);
  const problemOf = (index: number): string => {
    if (found[index] !== undefined) return 'the file is empty';
    return shown[index] === named[index] ? 'the file does not exist' : `the file does not exist; ${TEXT_OR_PATH}`;
  };
  const [first = '', ...others] = shown;
  const more = others.map((file, index) => `; ${file}: ${problemOf(index + 1)}`);
  return kubeconfigError(first, problemOf(0) + more.join(''));
}
