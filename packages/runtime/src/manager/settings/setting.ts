import type { SettingValue } from './setting-value.js';

/** An option that a flag or an environment variable can set. */
export interface Setting {
  /** The path of the option, such as 'leaderElection.duration'. */
  readonly name: string;
  readonly variable: string;
  readonly flag: string;
  /** Other flags for the same option, with the names that programs of kubebuilder use. */
  readonly aliases: readonly string[];
  readonly value: SettingValue;
}

/** Returns a setting. The names of its variable and its flag are derived from the name of the setting. */
export function setting(
  name: string,
  value: SettingValue,
  others: { readonly aliases?: readonly string[]; readonly prefix?: string } = {},
): Setting {
  const { aliases = [], prefix } = others;
  const words = wordsOf(name);
  const scope = prefix === undefined ? '' : `${prefix}.`;
  return {
    name: `${scope}${name}`,
    variable: `KUBEWRIGHT_${[...wordsOf(scope), ...words].join('_').toUpperCase()}`,
    flag: `--${scope}${words.join('-')}`,
    aliases,
    value,
  };
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .split(/[.-]/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
