import type { KindRef } from '@kubewright/api';
import { kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import { hasSecretFields, type SecretRules } from '@kubewright/api/secrets';

/**
 * Returns the rules for the secret fields of a kind. Returns undefined for a metadata-only kind, and if neither the kind name nor the
 * schema indicates secret fields.
 */
export function secretRulesOf(kind: KindRef): SecretRules | undefined {
  const { apiVersion, kind: name, metadataOnly } = kindOf(kind);
  if (metadataOnly === true) return undefined;
  if (apiVersion === 'v1' && name === 'Secret') return { isSecret: true };
  const schema = objectSchemaOf(kind);
  return schema !== undefined && hasSecretFields(schema) ? { schema } : undefined;
}
