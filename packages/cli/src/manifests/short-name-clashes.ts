import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

/** Returns a sentence for each short name of the definitions that kubectl resolves to a built-in kind. */
export async function shortNameClashes(crds: readonly CustomResourceDefinition[]): Promise<readonly string[]> {
  if (crds.every(({ spec }) => (spec.names.shortNames ?? []).length === 0)) return [];
  // Loading the names of all built-in kinds costs more than the other steps of the check.
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
