import type { KubeObject } from '@kubewright/api';
import type { ControllerOptions } from '../../controller/controller-options.js';
import { controllerName } from '../../controller/resolved-options.js';
import { controllerSettings } from '../settings/controller-settings.js';
import { described, type EffectiveSetting } from '../settings/effective-settings.js';
import type { GivenSettings } from '../settings/given-settings.js';
import { withOption } from '../settings/option-path.js';
import { type ControllerDefaults, withControllerDefaults } from './controller-defaults.js';

/** Merges the options of controllers. The order of precedence is flags, environment variables, the controller's own options, defaults. */
export class ControllerConfiguration {
  readonly #defaults: ControllerDefaults;
  readonly #given: GivenSettings | undefined;

  constructor(defaults: ControllerDefaults, given: GivenSettings | undefined) {
    this.#defaults = defaults;
    this.#given = given;
  }

  /** Returns the merged options of a controller. Throws INVALID_SETTING. */
  readonly complete = <T extends KubeObject>(
    options: ControllerOptions<T>,
    className?: string,
  ): ControllerOptions<T> => {
    let complete = withControllerDefaults(options, this.#defaults);
    for (const { setting, said } of this.#said(controllerName(options, className))) {
      complete = withOption(complete, pathOf(setting.name), said.value);
    }
    return complete;
  };

  /** Returns the settings of these controllers that flags and variables set. */
  described(names: readonly string[]): readonly EffectiveSetting[] {
    return names.flatMap((name) =>
      this.#said(name).map(({ setting, said }) => described(setting, { value: said.value, isSet: true, said })),
    );
  }

  #said(name: string) {
    return controllerSettings(name).flatMap((setting) => {
      const said = this.#given?.of(setting);
      return said === undefined ? [] : [{ setting, said }];
    });
  }
}

/** Removes 'controller.' and the controller name, which contains no dot. */
function pathOf(name: string): string {
  return name.split('.').slice(2).join('.');
}
