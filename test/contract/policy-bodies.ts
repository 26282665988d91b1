import type { ContractApi } from './contract-api.js';

/** Returns the path of the objects of an admission kind. */
export const admission = (plural: string): string => `/apis/admissionregistration.k8s.io/v1/${plural}`;

/** A rule that matches the creation of ConfigMaps. */
export const configMapRule = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps'],
};

/** Returns a ValidatingAdmissionPolicy with the given fields of the spec. */
export function validatingPolicy(name: string, spec: object = {}): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [configMapRule] }, validations: [{ expression: 'true' }], ...spec },
  };
}

/** Returns a MutatingAdmissionPolicy with the given fields of the spec. */
export function mutatingPolicy(name: string, spec: object = {}): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [configMapRule] },
      mutations: [applied('Object{}')],
      reinvocationPolicy: 'Never',
      ...spec,
    },
  };
}

/** Returns a mutation that merges the result of an expression into the object. */
export function applied(expression: string): object {
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
}

/** Returns a mutation that applies the operations of a JSON patch. */
export function patched(expression: string): object {
  return { patchType: 'JSONPatch', jsonPatch: { expression } };
}

/** Creates an object in a dry run, and compares the errors. */
export async function refused(api: ContractApi, plural: string, object: object): Promise<void> {
  await api.post(`${admission(plural)}?dryRun=All`, object, { only: ['message', 'reason', 'details.causes'] });
}
