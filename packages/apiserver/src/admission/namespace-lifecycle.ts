import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import { stringAt } from '../registry/objects/json-object.js';
import { forbidden, notFound } from '../registry/requests/status-errors.js';

const protectedNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Throws 404 for a create in a namespace that does not exist. Throws 403 for a create in a terminating namespace, and for the deletion of a
 * system namespace.
 */
export const namespaceLifecycle: AdmissionCheck = ({ operation, definition, key, registry }) => {
  const isNamespace = definition.storageBucket === '/namespaces';
  if (operation === 'DELETE' && isNamespace && protectedNamespaces.has(key.name)) {
    throw forbidden(definition, key.name, { why: 'this namespace may not be deleted' });
  }
  if (operation !== 'CREATE' || !definition.namespaced || key.namespace === undefined) return;
  // A LocalSubjectAccessReview must not disclose the existence of a namespace to a user without access.
  if (definition.plural === 'localsubjectaccessreviews') return;
  const namespaces = registry.builtIn('/v1/namespaces');
  const namespace = namespaces.find({ name: key.namespace });
  if (namespace === undefined) throw notFound(namespaces.definition, key.namespace);
  if (namespace.metadata.deletionTimestamp === undefined && stringAt(namespace, 'status', 'phase') !== 'Terminating') {
    return;
  }
  throw forbidden(definition, key.name, {
    why: `unable to create new content in namespace ${key.namespace} because it is being terminated`,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${key.namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
};
