import { createRequire } from 'node:module';
import { generateName } from '@kubewright/api/names';
import type { AdmissionCheck, AdmissionRequest } from '../registry/admission/admission-check.js';
import type { ApiObject, JsonDraft } from '../registry/objects/api-object.js';
import { madeAt, objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { failure, forbidden } from '../registry/requests/status-errors.js';
import { isMirrorPod } from '../registry/strategies/rules/mirror-pod.js';
import { secretsOf } from '../registry/strategies/rules/pod-references.js';

const volumePrefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

const load = createRequire(import.meta.url);

/**
 * Sets the ServiceAccount of a new Pod, and adds the account's token volume and image pull secrets. Does not change a mirror Pod. Throws
 * 403 if the account does not exist, if the account forbids a Secret, or if a mirror Pod references an account, a Secret or a token.
 */
export const podServiceAccount: AdmissionCheck = (request) => {
  const { operation, definition, object } = request;
  if (operation !== 'CREATE' || definition.storageBucket !== '/pods' || object === undefined) return;
  const spec = madeAt(object, 'spec');
  if (isMirrorPod(object)) {
    checkMirror(request, spec);
    return;
  }
  const name = stringAt(spec, 'serviceAccountName') || 'default';
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
  const account = accountOf(request, name);
  const automount = spec['automountServiceAccountToken'] ?? account?.['automountServiceAccountToken'] ?? true;
  if (automount !== false) mountToken(spec, request.registry.clock.random.number);
  const secrets = objectsAt(account, 'imagePullSecrets');
  if (objectsAt(spec, 'imagePullSecrets').length === 0 && secrets.length > 0) {
    spec['imagePullSecrets'] = secrets.map((secret) => ({ name: stringAt(secret, 'name') }));
  }
  checkSecrets(request, account);
};

/**
 * Checks a new Pod, except for a mirror Pod, and a write of ephemeral containers. If the ServiceAccount has the annotation
 * `kubernetes.io/enforce-mountable-secrets`, a Pod can only reference the Secrets that the account references. For another Secret, throws
 * 403 for a new Pod, and 500 for an ephemeral container. Throws 403 if the Pod has no ServiceAccount, or if the account does not exist.
 */
export const mountableSecrets: AdmissionCheck = (request) => {
  const { operation, definition, object, context, key } = request;
  if (definition.storageBucket !== '/pods' || object === undefined) return;
  const isNew = operation === 'CREATE' && !isMirrorPod(object);
  if (!isNew && context.subresource !== 'ephemeralcontainers') return;
  const name = stringAt(object, 'spec', 'serviceAccountName');
  if (name === '') {
    const why = `no service account specified for pod ${key.namespace}/${object.metadata.name}`;
    throw forbidden(definition, key.name, { why });
  }
  checkSecrets(request, accountOf(request, name));
};

function checkSecrets({ definition, key, object, context }: AdmissionRequest, account: ApiObject | undefined): void {
  // Few accounts have annotations, so the rules are loaded on demand.
  if (account?.metadata.annotations === undefined) return;
  const { enforcesMountableSecrets, ephemeralSecretsError, secretsError } = load(
    '../registry/strategies/core/mountable-secrets.js',
  ) as typeof import('../registry/strategies/core/mountable-secrets.js');
  if (!enforcesMountableSecrets(account)) return;
  const spec = objectAt(object, 'spec');
  if (context.subresource === 'ephemeralcontainers') {
    const message = ephemeralSecretsError(account, spec);
    if (message !== undefined) throw failure(500, '', { message });
    return;
  }
  const why = secretsError(account, spec);
  if (why !== undefined) throw forbidden(definition, key.name, { why });
}

/**
 * Returns the ServiceAccount. Returns undefined if the account `default` does not exist yet, because a controller creates this account in
 * each namespace. Throws 403 if any other account does not exist.
 */
function accountOf({ registry, definition, key, object }: AdmissionRequest, name: string): ApiObject | undefined {
  const namespace = key.namespace ?? object?.metadata.namespace;
  const account = registry.builtIn('/v1/serviceaccounts').find({ namespace, name });
  if (account !== undefined || name === 'default') return account;
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  throw forbidden(definition, key.name, { why });
}

/** Throws 403 for a mirror Pod that references ServiceAccounts, Secrets or ServiceAccount tokens. */
function checkMirror({ definition, key }: AdmissionRequest, spec: JsonDraft): void {
  const refuse = (why: string): never => {
    throw forbidden(definition, key.name, { why });
  };
  if (stringAt(spec, 'serviceAccountName') !== '') refuse('a mirror pod may not reference service accounts');
  if (secretsOf(spec).size > 0) refuse('a mirror pod may not reference secrets');
  const tokens = objectsAt(spec, 'volumes').some((volume) =>
    objectsAt(volume, 'projected', 'sources').some((source) => source['serviceAccountToken'] !== undefined),
  );
  if (tokens) refuse('a mirror pod may not use ServiceAccountToken volume projections');
}

function mountToken(spec: JsonDraft, random: () => number): void {
  const volumes = objectsAt(spec, 'volumes');
  const known = volumes.map((volume) => stringAt(volume, 'name')).find((name) => name.startsWith(volumePrefix));
  const name = known ?? generateName(volumePrefix, random);
  let mounted = false;
  for (const field of ['initContainers', 'containers']) {
    for (const container of objectsAt(spec, field)) {
      const mounts = objectsAt(container, 'volumeMounts');
      if (mounts.some((mount) => mount['mountPath'] === mountPath)) continue;
      container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath }];
      mounted = true;
    }
  }
  if (mounted && known === undefined) spec['volumes'] = [...volumes, { name, projected: tokenSources() }];
}

function tokenSources(): object {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return {
    defaultMode: 0o644,
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
    ],
  };
}
