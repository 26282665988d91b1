import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { ControllerOptions } from '../../controller/options/controller-options.js';
import { optionProblem } from '../../controller/options/option-problem.js';

/** The default options of the controllers of a manager. */
export interface ControllerDefaults
  extends Pick<
    ControllerOptions<KubeObject>,
    'concurrency' | 'timeout' | 'syncTimeout' | 'backoff' | 'leaderOnly' | 'warmUp' | 'failFast' | 'sameName'
  > {
  /**
   * The number of concurrent reconciles for each kind. The keys are 'Deployment.apps', or 'Pod' for a kind of the core group. Takes
   * precedence over `concurrency`.
   * @default none
   */
  readonly concurrencyByKind?: Readonly<Record<string, number>>;
}

/** The names of all options, so that unknown options can be rejected. */
const OPTIONS: { readonly [K in keyof ControllerDefaults]-?: true } = {
  concurrency: true,
  concurrencyByKind: true,
  timeout: true,
  syncTimeout: true,
  backoff: true,
  leaderOnly: true,
  warmUp: true,
  failFast: true,
  sameName: true,
};

/** Validates the defaults. Throws INVALID_MANAGER; the message names the option and the fix. */
export function checkControllerDefaults(defaults: ControllerDefaults): void {
  const { concurrencyByKind = {}, ...others } = defaults;
  const unknown = Object.keys(defaults).find((option) => !Object.hasOwn(OPTIONS, option));
  if (unknown !== undefined) throw invalid(`${unknown}: unknown option; use one of ${Object.keys(OPTIONS).join(', ')}`);
  const problem = optionProblem(others) ?? concurrencyProblem(concurrencyByKind);
  if (problem !== undefined) throw invalid(problem);
}
function invalid(problem: string): KubewrightError {
  return new KubewrightError('INVALID_MANAGER', `cannot create a manager: controllers.${problem}`);
}
function concurrencyProblem(byKind: Readonly<Record<string, number>>): string | undefined {
  for (const [kind, concurrency] of Object.entries(byKind)) {
    const problem = optionProblem({ concurrency });
    if (problem !== undefined) return problem.replace('concurrency', `concurrencyByKind['${kind}']`);
  }
  return undefined;
}

/** Returns the options of a controller with the defaults of its manager applied. */
export function withControllerDefaults<T extends KubeObject>(
  options: ControllerOptions<T>,
  defaults: ControllerDefaults,
): ControllerOptions<T> {
  const { concurrencyByKind = {}, concurrency: general, ...others } = defaults;
  const concurrency = options.for === undefined ? general : (concurrencyByKind[nameOf(options.for)] ?? general);
  const own = Object.entries(options).filter(([option, value]) => value !== undefined || option === 'for');
  return {
    ...others,
    ...(concurrency !== undefined && { concurrency }),
    ...Object.fromEntries(own),
  } as ControllerOptions<T>;
}

function nameOf(of: KindRef): string {
  const { kind, group } = kindOf(of);
  return group === '' ? kind : `${kind}.${group}`;
}
