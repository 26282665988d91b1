import { builtInSchema } from '@kubewright/api/built-in';
import type { AdmissionSchemas } from '@kubewright/api/cel';
import { objectSchemaOf } from '@kubewright/api/metadata';
import type { DescribedPolicy } from './described-policies.js';

/** The kind of the object in a request, by subresource, for subresources whose object is not of the parent kind. */
const SUBRESOURCES: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  binding: ['v1', 'Binding'],
  eviction: ['policy/v1', 'Eviction'],
  scale: ['autoscaling/v1', 'Scale'],
  token: ['authentication.k8s.io/v1', 'TokenRequest'],
};

/**
 * Returns the schemas with which the expressions of a policy are checked: the schema of the object in requests, and the schema of the
 * parameters. Omits a schema that is not known, such as the schema of a `dynamicKind(…)`.
 */
export function policySchemas({ kind, subresource, params }: DescribedPolicy): AdmissionSchemas {
  const object = subresource === undefined || subresource === 'status' ? objectSchemaOf(kind) : schemaOf(subresource);
  const ofParams = params === undefined ? undefined : objectSchemaOf(params);
  return { ...(object !== undefined && { object }), ...(ofParams !== undefined && { params: ofParams }) };
}

function schemaOf(subresource: string): AdmissionSchemas['object'] {
  const found = Object.hasOwn(SUBRESOURCES, subresource) ? SUBRESOURCES[subresource] : undefined;
  return found === undefined ? undefined : builtInSchema(...found);
}
