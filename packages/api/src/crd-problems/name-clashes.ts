import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';

/**
 * Returns a sentence for each name that two definitions of one group share. The API server assigns such a name only to the first
 * definition.
 */
export function nameClashes(definitions: readonly CustomResourceDefinition[]): readonly string[] {
  const taken = new Map<string, string>();
  return definitions.flatMap(({ spec: { group, names } }) => {
    const resources = new Set([names.plural, names.singular ?? '', ...(names.shortNames ?? [])]);
    const claimed = [
      ...[...resources].map((name) => [`${group}/${name}`, name] as const),
      ...[names.kind, names.listKind ?? ''].map((name) => [`${group}/kind ${name}`, name] as const),
    ];
    return claimed.flatMap(([key, name]) => {
      const first = taken.get(key);
      if (name === '') return [];
      if (first === undefined) taken.set(key, names.kind);
      return first === undefined
        ? []
        : [
            `kinds ${first} and ${names.kind} of ${group} both have the name '${name}'; rename one of them (plural, singular, shortNames or kind of @Kind)`,
          ];
    });
  });
}
