import type { KubeObject } from '@kubewright/api';
import type { ControllerOptions } from '../../controller/options/controller-options.js';
import { controllerName } from '../../controller/options/resolved-options.js';
import type { Logger } from '../../log/logger.js';
import { type ControllerDefaults, withControllerDefaults } from '../controllers/controller-defaults.js';
import { described, type EffectiveSetting } from './effective-settings.js';
import type { GivenSettings } from './given-settings.js';
import { withOption } from './option-path.js';

/** The inputs from which the settings are determined. */
export interface AppliedSettingsUsing {
  /** The default options of the controllers, from the options of the manager. */
  readonly controllers: ControllerDefaults;
  /** The flags and variables of the program. Undefined if they are ignored. */
  readonly given: GivenSettings | undefined;
  /** Each setting of the manager with its value and its source. */
  readonly settings: readonly EffectiveSetting[];
}

/**
 * The settings that a manager and its controllers use. The order of precedence is: flags, environment variables, the options of the
 * controller or the manager, defaults.
 */
export class AppliedSettings {
  readonly #defaults: ControllerDefaults;
  readonly #given: GivenSettings | undefined;
  readonly #ofManager: readonly EffectiveSetting[];

  constructor({ controllers, given, settings }: AppliedSettingsUsing) {
    this.#defaults = controllers;
    this.#given = given;
    this.#ofManager = settings;
  }

  /** Returns the options of a controller with settings and defaults applied. Throws INVALID_SETTING. */
  readonly complete = <T extends KubeObject>(
    options: ControllerOptions<T>,
    className?: string,
  ): ControllerOptions<T> => {
    let complete = withControllerDefaults(options, this.#defaults);
    for (const { setting, setBy } of this.#ofController(controllerName(options, className))) {
      complete = withOption(complete, pathOf(setting.name), setBy.value);
    }
    return complete;
  };

  /** Returns each setting of the manager. Also returns the settings of the given controllers that flags and variables set. */
  effective(controllers: readonly string[]): readonly EffectiveSetting[] {
    const ofControllers = controllers.flatMap((name) =>
      this.#ofController(name).map(({ setting, setBy }) =>
        described(setting, { value: setBy.value, isSet: true, setBy }),
      ),
    );
    return [...this.#ofManager, ...ofControllers];
  }
  /**
   * Logs the settings that flags and variables set, except settings of the `kubewright` command. Logs a warning for each setting of an
   * unknown controller or option. Throws INVALID_SETTING.
   */
  log(logger: Logger, controllers: readonly string[]): void {
    const given = this.#given;
    const applied = this.effective(controllers).filter(({ by }) => by !== undefined && given?.isOfCommand(by) !== true);
    const settings = Object.fromEntries(applied.map(({ name, value, by }) => [name, { value, by }]));
    if (applied.length > 0) logger.info('settings from environment variables and flags', { settings });
    for (const setting of given?.unusedSettings(controllers) ?? []) {
      logger.warn('unknown setting: no controller of this manager has that name or option', { setting });
    }
  }

  #ofController(name: string) {
    return this.#given?.ofController(name) ?? [];
  }
}

/** Removes the prefix with the name of the controller, such as 'controller.web.'. The name of a controller contains no dot. */
function pathOf(name: string): string {
  return name.split('.').slice(2).join('.');
}
