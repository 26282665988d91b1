import type { AdmissionCheck } from '../registry/admission-check.js';
import { stringAt } from '../registry/json-object.js';
import { forbidden, notFound } from '../registry/status-errors.js';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Nothing is created in a namespace that does not exist or that is being deleted, and the namespaces that a cluster
 * cannot do without are not deleted.
 */
export const namespaceLifecycle: AdmissionCheck = ({ operation, definition, key, registry }) => {
  const isNamespace = definition.storageBucket === '/namespaces';
  if (operation === 'DELETE' && isNamespace && immortal.has(key.name)) {
    throw forbidden(definition, key.name, { why: 'this namespace may not be deleted' });
  }
  if (operation !== 'CREATE' || !definition.namespaced || key.namespace === undefined) return;
  // Whether there is a namespace is not told to who may not see it.
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
