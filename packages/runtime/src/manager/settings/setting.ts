import type { SettingValue } from './setting-value.js';

/** An option that a variable of the environment or a flag can say as well. */
export interface Setting {
  /** Where it is among the options, such as 'leaderElection.duration'. */
  readonly name: string;
  readonly variable: string;
  readonly flag: string;
  /** Other flags that mean the same: those that kubebuilder's programs have. */
  readonly aliases: readonly string[];
  readonly value: SettingValue;
}

/** A setting whose variable and flag have the words of its name. */
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
