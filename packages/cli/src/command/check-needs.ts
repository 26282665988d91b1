import { KubewrightError } from '@kubewright/api/errors';
import type { Command } from 'commander';

/** The options that have an effect only together with another option: option name → name of the required option. */
export type OptionNeeds = Readonly<Record<string, string>>;

/** Throws INVALID_USAGE if an option is given, but the option that it requires according to `needs` is not given. */
export function checkNeeds(command: Command, needs: OptionNeeds): void {
  const flagOf = (name: string): string =>
    command.options.find((option) => option.attributeName() === name)?.long ?? name;
  const isGiven = (name: string): boolean => (command.getOptionValueSource(name) ?? 'default') !== 'default';
  for (const [name, needed] of Object.entries(needs)) {
    if (!isGiven(name) || isGiven(needed)) continue;
    const [option, other] = [flagOf(name), flagOf(needed)];
    throw new KubewrightError('INVALID_USAGE', `${option} requires ${other}: add ${other}, or remove ${option}`);
  }
}
