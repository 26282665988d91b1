import { spawn } from 'node:child_process';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Credential, CredentialSource } from '../connection/credential-source.js';
import { type ExecAnswer, type ExecCluster, type ExecConfig, parsedExecAnswer } from './exec-config.js';
import { type ExecPolicy, isAllowed, programOf } from './exec-policy.js';
import { pluginOutput } from './plugin-output.js';
import type { PluginRun, TransportObserver } from '../request/transport-observer.js';

/** If a credential expires within this number of milliseconds, the next call of `get` renews the credential. */
const RENEW_BEFORE_MS = 10_000;
/** The time limit of a plugin that is not interactive, in milliseconds. */
const RUN_TIMEOUT_MS = 60_000;

export interface ExecCredentialsOptions {
  /** The configuration of the plugin, which `execConfigProblem` has validated. */
  readonly config: ExecConfig;
  readonly cluster: ExecCluster;
  readonly policy: ExecPolicy;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly observers: readonly TransportObserver[];
  /** Whether the standard input is a terminal. */
  readonly terminal: boolean;
}

/**
 * Gets credentials from the plugin of a kubeconfig. `get` runs the plugin if there is no credential, if the credential expires within 10 s,
 * or if the server has rejected the credential. Concurrent callers share a run. If a run fails, `get` returns the last credential, unless
 * this credential has expired or was rejected.
 *
 * As with kubectl, the plugin writes to the standard error of this process. A plugin that is not interactive has a time limit of 60 s.
 * Processes that a plugin leaves running delay the result by at most 1 s. `get` rejects with CREDENTIAL_PLUGIN_FAILED if the run fails and
 * the last credential is not valid.
 */
export class ExecCredentials implements CredentialSource {
  readonly #options: ExecCredentialsOptions;
  #known: ExecAnswer | undefined;
  #running: Promise<Credential> | undefined;

  constructor(options: ExecCredentialsOptions) {
    this.#options = options;
  }

  async get(): Promise<Credential> {
    const known = this.#known;
    if (known !== undefined && this.#isGood(known, RENEW_BEFORE_MS)) return known;
    this.#running ??= this.#renew().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  refused(credential: Credential): void {
    if (this.#known === credential) this.#known = undefined;
  }

  #isGood({ expiresAt }: ExecAnswer, marginMs: number): boolean {
    return expiresAt === undefined || expiresAt.getTime() - marginMs > this.#options.clock.now().getTime();
  }

  async #renew(): Promise<Credential> {
    const last = this.#known;
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const notify = (run: Omit<PluginRun, 'command' | 'durationMs'>): void => {
      const { observers, config } = this.#options;
      const command = config.command ?? '';
      for (const observer of observers)
        observer.pluginRan?.({ ...run, command, durationMs: clock.monotonicMs() - startedMs });
    };
    try {
      const answer = await this.#run();
      notify({ outcome: 'success', exitCode: 0, ...(answer.expiresAt && { expiresAt: answer.expiresAt }) });
      this.#known = answer;
      return answer;
    } catch (error) {
      const { outcome, exitCode, message } = failureOf(error);
      notify({ outcome, ...(exitCode === undefined ? {} : { exitCode }) });
      if (last !== undefined && this.#isGood(last, 0)) return last;
      throw new KubewrightError(
        'CREDENTIAL_PLUGIN_FAILED',
        `credential plugin '${this.#options.config.command}': ${message}`,
        { cause: error },
      );
    }
  }

  async #run(): Promise<ExecAnswer> {
    const { config, policy, env, clock } = this.#options;
    const { command = '', args, apiVersion } = config;
    const interactive = this.#interactive();
    const childEnv = this.#environment(interactive);
    if (policy === 'deny-all')
      throw new PluginFailure(
        'refused-by-policy',
        'the policy of this program does not allow credential plugins: use other credentials',
      );
    const program = await programOf(command, env['PATH'] ?? '');
    if (program === undefined) throw new PluginFailure('not-found', notFound(config));
    if (!(await isAllowed(program, policy, env['PATH'] ?? ''))) {
      const message = `${program} is not an allowed plugin: add it to the policy for credential plugins, or use other credentials`;
      throw new PluginFailure('refused-by-policy', message);
    }
    const limitMs = interactive ? undefined : RUN_TIMEOUT_MS;
    let written: string;
    try {
      const child = spawn(program, [...(args ?? [])], {
        env: childEnv,
        stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      });
      const { text, code, signal } = await pluginOutput(child, { clock, limitMs, tooLate });
      if (code !== 0) throw new PluginFailure('failed', ended(code, signal), code ?? undefined);
      written = text;
    } catch (error) {
      if (error instanceof PluginFailure) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'EACCES') throw new PluginFailure('not-found', notFound(config));
      // The error of Node.js is not used, because it can contain the arguments and variables of the plugin.
      throw new PluginFailure('failed', notStarted(code));
    }
    return checkedAnswer(written, apiVersion);
  }

  #interactive(): boolean {
    const { config, terminal } = this.#options;
    if (config.interactiveMode === 'Always' && !terminal) {
      const message =
        "it requires a terminal (interactiveMode 'Always'), but standard input is not a terminal: use a plugin that is not interactive";
      throw new PluginFailure('failed', message);
    }
    return terminal && config.interactiveMode !== 'Never';
  }

  #environment(interactive: boolean): NodeJS.ProcessEnv {
    const { config, cluster, env } = this.#options;
    const spec = { interactive, ...(config.provideClusterInfo ? { cluster } : {}) };
    const own = (config.env ?? []).map(({ name, value }) => [name, value] as const);
    return {
      ...env,
      ...Object.fromEntries(own),
      KUBERNETES_EXEC_INFO: JSON.stringify({ kind: 'ExecCredential', apiVersion: config.apiVersion, spec }),
    };
  }
}

class PluginFailure extends Error {
  readonly outcome: PluginRun['outcome'];
  readonly exitCode: number | undefined;
  constructor(outcome: PluginRun['outcome'], message: string, exitCode?: number) {
    super(message);
    this.outcome = outcome;
    this.exitCode = exitCode;
  }
}

function failureOf(error: unknown): Pick<PluginFailure, 'outcome' | 'exitCode' | 'message'> {
  if (error instanceof PluginFailure) return error;
  return { outcome: 'failed', exitCode: undefined, message: String(error) };
}

function checkedAnswer(written: string, apiVersion: string | undefined): ExecAnswer {
  try {
    const answer = parsedExecAnswer(written, apiVersion);
    if (answer.clientCertificate !== undefined) checkPair(answer.clientCertificate);
    return Object.freeze(answer);
  } catch (error) {
    throw new PluginFailure('unreadable', (error as Error).message);
  }
}

function checkPair(certificate: { readonly cert: string; readonly key: string }): void {
  try {
    createSecureContext(certificate);
  } catch {
    // The error of OpenSSL is not used, because it may contain the key.
    throw new Error('its certificate and key cannot be read, or do not match');
  }
}

function notFound({ installHint }: ExecConfig): string {
  const remedy =
    "it was not found or is not executable: install it, add it to PATH, or correct 'command' in the kubeconfig";
  return installHint ? `${remedy}. ${installHint}` : remedy;
}

function notStarted(code: string | undefined): string {
  return `it cannot be started (${code ?? 'unknown error'}): check 'command', 'args' and 'env' in the kubeconfig`;
}

function tooLate(): PluginFailure {
  const remedy = 'run it by hand to see what it waits for';
  return new PluginFailure('failed', `it did not exit within ${RUN_TIMEOUT_MS / 1000} s: ${remedy}`);
}

function ended(code: number | null, signal: string | null): string {
  if (code === null) return `it was terminated by ${signal}`;
  return `it exited with code ${code}; see standard error for its output`;
}
