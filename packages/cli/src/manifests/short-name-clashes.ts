import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

/** Returns a warning for each short name in the definitions that is also a name of a built-in kind, because kubectl prefers that kind. */
export async function shortNameClashes(crds: readonly CustomResourceDefinition[]): Promise<readonly string[]> {
  if (crds.every(({ spec }) => (spec.names.shortNames ?? []).length === 0)) return [];
  // Loads the built-in kinds only if a definition has short names, because loading them takes most of the time of this check.
  const { builtInKinds } = await import('@kubewright/api/built-in');
  const builtIn = builtInKinds();
  return crds.flatMap(({ metadata, spec }) =>
    (spec.names.shortNames ?? []).flatMap((name) => {
      const taken = builtIn.find(
        ({ plural, singular, shortNames }) => plural === name || singular === name || shortNames.includes(name),
      );
      if (taken === undefined) return [];
      const { kind, apiVersion } = taken;
      return `${metadata.name}: the short name '${name}' also belongs to ${kind} (${apiVersion}), which kubectl prefers; choose another short name in shortNames of @Kind`;
    }),
  );
}
