import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { ControllerOptions } from '../controller/controller-options.js';

/** What holds for every controller of a manager that does not say otherwise. */
export interface ControllerDefaults
  extends Pick<
    ControllerOptions<KubeObject>,
    'concurrency' | 'timeout' | 'syncTimeout' | 'backoff' | 'leaderOnly' | 'warmUp' | 'failFast'
  > {
  /**
   * How many objects are reconciled at a time, by the kind: 'Deployment.apps', or 'Pod' for one without a group. Goes before
   * `concurrency`. @default none
   */
  readonly concurrencyByKind?: Readonly<Record<string, number>>;
}

/** Throws INVALID_MANAGER, naming the option and what to write. */
export function checkControllerDefaults({ concurrency, concurrencyByKind = {} }: ControllerDefaults): void {
  const given = { concurrency, ...concurrencyByKind };
  for (const [name, count] of Object.entries(given)) {
    if (count === undefined || (Number.isInteger(count) && count > 0)) continue;
    const option = name === 'concurrency' ? name : `concurrencyByKind['${name}']`;
    throw new KubewrightError(
      'INVALID_MANAGER',
      `cannot make a manager: controllers.${option} is ${count}: it must be a whole number above 0`,
    );
  }
}

/** The options of a controller, with the defaults of its manager where it says nothing. */
export function withControllerDefaults<T extends KubeObject>(
  options: ControllerOptions<T>,
  defaults: ControllerDefaults,
): ControllerOptions<T> {
  const { concurrencyByKind = {}, concurrency: general, ...others } = defaults;
  const concurrency = options.for === undefined ? general : (concurrencyByKind[nameOf(options.for)] ?? general);
  const own = Object.entries(options).filter(([, value]) => value !== undefined);
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
