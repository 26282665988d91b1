import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { ControllerOptions } from '../../controller/controller-options.js';
import { optionMistake } from '../../controller/option-mistake.js';

/** What holds for every controller of a manager that does not say otherwise. */
export interface ControllerDefaults
  extends Pick<
    ControllerOptions<KubeObject>,
    'concurrency' | 'timeout' | 'syncTimeout' | 'backoff' | 'leaderOnly' | 'warmUp' | 'failFast' | 'sameName'
  > {
  /**
   * How many objects are reconciled at a time, by the kind: 'Deployment.apps', or 'Pod' for one without a group. Goes before
   * `concurrency`. @default none
   */
  readonly concurrencyByKind?: Readonly<Record<string, number>>;
}

/** Throws INVALID_MANAGER, naming the option and what to write. */
export function checkControllerDefaults({ concurrencyByKind = {}, ...defaults }: ControllerDefaults): void {
  const mistake = optionMistake(defaults) ?? concurrencyMistake(concurrencyByKind);
  if (mistake === undefined) return;
  throw new KubewrightError('INVALID_MANAGER', `cannot make a manager: controllers.${mistake}`);
}
function concurrencyMistake(byKind: Readonly<Record<string, number>>): string | undefined {
  for (const [kind, concurrency] of Object.entries(byKind)) {
    const mistake = optionMistake({ concurrency });
    if (mistake !== undefined) return mistake.replace('concurrency', `concurrencyByKind['${kind}']`);
  }
  return undefined;
}

/** The options of a controller, with the defaults of its manager where it says nothing. */
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
