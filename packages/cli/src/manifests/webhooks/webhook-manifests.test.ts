import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineKind, type KindRef } from '@kubewright/api';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@kubewright/api/admissionregistration/v1';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { Deployment } from '@kubewright/api/apps/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { Pod, type Service } from '@kubewright/api/core/v1';
import { crdsFor } from '@kubewright/api/metadata';
import type { NetworkPolicy } from '@kubewright/api/networking/v1';
import type { ClusterRole, Role } from '@kubewright/api/rbac/v1';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import type { DescribedAdmissionWebhook, DescribedCertificates, DescribedWebhooks } from '@kubewright/runtime';
import { parse } from 'yaml';
import { objectsIn } from '../objects-in.js';
import { installManifest } from '../install-manifest.js';
import { GENERATED } from '../manifest-text.js';
import type { ManifestsInput } from '../manifests-input.js';
import { manifestsOf } from '../manifests-of.js';

const version = (name: string, storage: boolean): KindRef =>
  defineKind({ group: 'example.com', version: name, kind: 'Website', storage, spec: { type: 'object' } });
const [v1, v2] = [version('v1', false), version('v2', true)];

const webhook = (kind: KindRef, more: Partial<DescribedAdmissionWebhook> = {}): DescribedAdmissionWebhook => ({
  type: 'validating',
  name: 'validate.website.v2.example.com',
  path: '/validate-example-com-v2-website',
  kind,
  operations: ['CREATE', 'UPDATE'],
  failurePolicy: 'Fail',
  sideEffects: 'None',
  timeoutSeconds: 10,
  matchPolicy: 'Equivalent',
  matchConditions: [],
  ...more,
});
const described: DescribedWebhooks = {
  port: 9443,
  admission: [webhook(v2, { type: 'mutating', name: 'mutate.website.v2.example.com', path: '/m' }), webhook(v2)],
  conversions: [{ hub: v2, spokes: [v1], path: '/convert' }],
  certificates: { source: 'manager' },
};

/** Returns the input for an operator with the given webhooks. */
function inputOf(webhooks: Partial<DescribedWebhooks> = {}, settings: Partial<ManifestsInput['settings']> = {}) {
  const input: ManifestsInput = {
    settings: {
      name: 'web-operator',
      image: 'web-operator:latest',
      namespace: 'web-operator-system',
      namespaced: false,
      ...settings,
    },
    crds: crdsFor([v1, v2]),
    operator: {
      leaderElection: { name: 'web-operator', lease: true, coordinated: false },
      metrics: false,
      health: false,
      gracePeriodMs: 30_000,
      webhooks: { ...described, ...webhooks },
    },
    permissions: { cluster: [], namespaced: [], own: [] },
  };
  return input;
}
function objectsOf(webhooks?: Partial<DescribedWebhooks>, settings?: Partial<ManifestsInput['settings']>) {
  const objects = objectsIn(installManifest(manifestsOf(inputOf(webhooks, settings))));
  return {
    objects,
    find: <T extends KubeObject>(kind: string, name?: string): T =>
      (objects.find((each) => each.kind === kind && (name === undefined || each.metadata.name === name)) ??
        assert.fail(`there is no ${kind}`)) as T,
  };
}
const withCertificates = (certificates: DescribedCertificates) => objectsOf({ certificates });

describe('manifests of webhooks', () => {
  it('the configurations call the Service, have no caBundle, and are the last objects', () => {
    const { objects, find } = objectsOf();
    assert.deepEqual(
      objects.slice(-2).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [
        'MutatingWebhookConfiguration web-operator-mutating-webhook-configuration',
        'ValidatingWebhookConfiguration web-operator-validating-webhook-configuration',
      ],
    );
    const { webhooks, metadata } = find<ValidatingWebhookConfiguration>('ValidatingWebhookConfiguration');
    assert.deepEqual(metadata, {
      name: 'web-operator-validating-webhook-configuration',
      labels: { 'app.kubernetes.io/managed-by': 'kubewright', 'app.kubernetes.io/name': 'web-operator' },
    });
    assert.deepEqual(webhooks, [
      {
        name: 'validate.website.v2.example.com',
        admissionReviewVersions: ['v1'],
        clientConfig: {
          service: {
            name: 'web-operator-webhook',
            namespace: 'web-operator-system',
            path: '/validate-example-com-v2-website',
          },
        },
        rules: [
          {
            apiGroups: ['example.com'],
            apiVersions: ['v2'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['websites'],
          },
        ],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['web-operator-system'] },
          ],
        },
        sideEffects: 'None',
        timeoutSeconds: 10,
      },
    ]);
  });

  it('the Service forwards to the named port of the container, which has no volume for managed certificates', () => {
    const { find } = objectsOf({ port: 9444 });
    const { spec } = find<Service>('Service');
    assert.deepEqual(spec?.ports, [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }]);
    const { template } = find<Deployment>('Deployment').spec;
    const [container] = template.spec?.containers ?? [];
    assert.deepEqual(container?.ports, [{ name: 'webhooks', containerPort: 9444, protocol: 'TCP' }]);
    assert.deepEqual(container?.env, [{ name: 'KUBEWRIGHT_WEBHOOKS_NAME', value: 'web-operator' }]);
    assert.deepEqual([template.spec?.volumes, container?.volumeMounts], [undefined, undefined]);
    for (const [name, value] of Object.entries(spec?.selector ?? {})) {
      assert.equal(template.metadata?.labels?.[name], value);
    }
  });

  it('the definition of a converted kind calls the Service, and other definitions do not change', () => {
    const { find } = objectsOf();
    const { conversion } = find<CustomResourceDefinition>('CustomResourceDefinition').spec;
    assert.deepEqual(conversion, {
      strategy: 'Webhook',
      webhook: {
        clientConfig: {
          service: { name: 'web-operator-webhook', namespace: 'web-operator-system', path: '/convert' },
        },
        conversionReviewVersions: ['v1'],
      },
    });
    const without = objectsOf({ conversions: [] }).find<CustomResourceDefinition>('CustomResourceDefinition');
    assert.equal(without.spec.conversion, undefined);
  });

  it('the network policy allows the webhook port from everywhere, because API servers run outside of the Pod network', () => {
    const { objects, find } = objectsOf();
    const policy = find<NetworkPolicy>('NetworkPolicy', 'web-operator-allow-webhook-traffic');
    assert.deepEqual(policy.spec?.ingress, [{ ports: [{ port: 9443, protocol: 'TCP' }] }]);
    assert.equal(objects.filter(({ kind }) => kind === 'NetworkPolicy').length, 2);
  });

  it('config/manager includes the webhooks, so that projects that get webhooks later need no change of config/default', () => {
    const files = manifestsOf(inputOf({ certificates: { source: 'cert-manager' } }));
    const { resources } = parse(files.get('config/manager/kustomization.yaml') ?? '') as { resources: string[] };
    assert.deepEqual(resources, ['../certmanager', '../webhook', 'manager.yaml']);
    for (const path of ['config/webhook/manifests.yaml', 'config/webhook/service.yaml']) {
      assert.ok(files.get(path)?.startsWith(GENERATED), path);
    }
    assert.match(files.get('config/default/kustomization.yaml') ?? '', /reach only the webhooks of the operator/);
  });

  it('the permissions of managed certificates are limited to the names of the objects', () => {
    const { find } = objectsOf();
    assert.deepEqual(find<ClusterRole>('ClusterRole', 'web-operator-manager-role').rules, [
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['mutatingwebhookconfigurations'],
        resourceNames: ['web-operator-mutating-webhook-configuration'],
        verbs: ['get', 'patch', 'watch'],
      },
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['validatingwebhookconfigurations'],
        resourceNames: ['web-operator-validating-webhook-configuration'],
        verbs: ['get', 'patch', 'watch'],
      },
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        resourceNames: ['websites.example.com'],
        verbs: ['get', 'patch', 'watch'],
      },
    ]);
    assert.deepEqual(find<Role>('Role', 'web-operator-manager-role').rules, [
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: ['web-operator-webhook-certificates'],
        verbs: ['get', 'update', 'watch'],
      },
    ]);
    const named = withCertificates({ source: 'manager', secret: 'mine' }).find<Role>(
      'Role',
      'web-operator-manager-role',
    );
    assert.deepEqual(named.rules?.[1]?.resourceNames, ['mine']);
    const { objects } = objectsOf({ admission: [], conversions: [] });
    assert.ok(!objects.some(({ metadata }) => /-(mutating|validating)-/.test(metadata.name)));
    assert.ok(!objects.some(({ kind, metadata }) => kind === 'ClusterRole' && /manager-role/.test(metadata.name)));
  });
});

describe('certificates in manifests of webhooks', () => {
  const annotated = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'CustomResourceDefinition'];
  const mounted = ({ find }: ReturnType<typeof objectsOf>): void => {
    const { spec } = find<Deployment>('Deployment').spec.template;
    assert.deepEqual(spec?.volumes, [
      { name: 'webhook-certificates', secret: { secretName: 'web-operator-webhook-certificates' } },
    ]);
    assert.deepEqual(spec?.containers[0]?.volumeMounts, [
      { name: 'webhook-certificates', mountPath: '/tmp/k8s-webhook-server/serving-certs', readOnly: true },
    ]);
  };

  it('with cert-manager, the Certificate uses the mounted Secret, and annotations request its CA bundle', () => {
    const made = withCertificates({ source: 'cert-manager' });
    const { find, objects } = made;
    mounted(made);
    const certificate = find<KubeObject & { readonly spec: object }>('Certificate');
    assert.deepEqual(certificate.spec, {
      secretName: 'web-operator-webhook-certificates',
      dnsNames: [
        'web-operator-webhook.web-operator-system.svc',
        'web-operator-webhook.web-operator-system.svc.cluster.local',
      ],
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      issuerRef: { name: 'web-operator-selfsigned-issuer', kind: 'Issuer' },
    });
    assert.deepEqual(find<KubeObject & { readonly spec: object }>('Issuer').spec, { selfSigned: {} });
    for (const kind of annotated) {
      assert.equal(
        find(kind).metadata.annotations?.['cert-manager.io/inject-ca-from'],
        'web-operator-system/web-operator-serving-cert',
        kind,
      );
    }
    assert.ok(!objects.some(({ kind, metadata }) => kind === 'ClusterRole' && /manager-role/.test(metadata.name)));
  });
  it('with cert-manager, a named issuer replaces the self-signed Issuer', () => {
    const issuer = { name: 'internal', kind: 'ClusterIssuer' } as const;
    const { find, objects } = withCertificates({ source: 'cert-manager', issuer });
    assert.deepEqual(find<KubeObject & { readonly spec: { issuerRef: object } }>('Certificate').spec.issuerRef, issuer);
    assert.equal(
      objects.some(({ kind }) => kind === 'Issuer'),
      false,
    );
  });
  it('with OpenShift, annotations request the Secret and the CA bundle', () => {
    const made = withCertificates({ source: 'openshift' });
    mounted(made);
    assert.deepEqual(made.find('Service').metadata.annotations, {
      'service.beta.openshift.io/serving-cert-secret-name': 'web-operator-webhook-certificates',
    });
    for (const kind of annotated) {
      assert.deepEqual(made.find(kind).metadata.annotations, { 'service.beta.openshift.io/inject-cabundle': 'true' });
    }
  });
  it('with certificate files, the Secret of the user is mounted, and there are no annotations', () => {
    const made = withCertificates({ source: 'files' });
    mounted(made);
    for (const kind of annotated) assert.equal(made.find(kind).metadata.annotations, undefined);
  });
});

describe('restrictions of webhooks', () => {
  const selectors = (
    more: DescribedAdmissionWebhook,
    settings?: Partial<ManifestsInput['settings']>,
  ): readonly unknown[] => {
    const { find } = objectsOf({ admission: [more] }, settings);
    const [only] = find<MutatingWebhookConfiguration>('ValidatingWebhookConfiguration').webhooks ?? [];
    return [only?.namespaceSelector, only?.objectSelector];
  };
  const name = 'kubernetes.io/metadata.name';

  it('the selectors of a webhook class apply in addition to the restriction of the operator', () => {
    const namespaceSelector = {
      matchLabels: { team: 'a' },
      matchExpressions: [{ key: 'b', operator: 'Exists' }],
    };
    const objectSelector = { matchLabels: { c: 'd' } };
    assert.deepEqual(selectors(webhook(v2, { namespaceSelector, objectSelector })), [
      {
        matchLabels: { team: 'a' },
        matchExpressions: [
          { key: 'b', operator: 'Exists' },
          { key: name, operator: 'NotIn', values: ['web-operator-system'] },
        ],
      },
      objectSelector,
    ]);
  });
  it('a webhook for Leases does not match the Leases of the cluster', () => {
    const [namespaces] = selectors(webhook(Lease));
    assert.deepEqual(namespaces, {
      matchExpressions: [
        { key: name, operator: 'NotIn', values: ['kube-node-lease', 'kube-system', 'web-operator-system'] },
      ],
    });
  });
  it('the webhooks of a namespaced operator match only its namespace, and none of its own objects', () => {
    const only = { matchExpressions: [{ key: name, operator: 'In', values: ['web-operator-system'] }] };
    assert.deepEqual(selectors(webhook(v2), { namespaced: true }), [only, undefined]);
    assert.deepEqual(selectors(webhook(Pod), { namespaced: true }), [
      only,
      { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'NotIn', values: ['web-operator'] }] },
    ]);
  });
  it('manifestsOf rejects a webhook for webhook configurations, because the API server never sends them to webhooks', () => {
    const kind = dynamicKind('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration');
    assert.throws(() => manifestsOf(inputOf({ admission: [webhook(kind)] })), {
      code: 'INVALID_WEBHOOK',
      message:
        'cannot generate the webhook of validate.website.v2.example.com: the API server never sends ValidatingWebhookConfiguration to webhooks; remove the webhook',
    });
  });
});

describe('match conditions of webhooks', () => {
  const made = (expression: string) => () =>
    manifestsOf(
      inputOf({
        admission: [webhook(v2, { declaredBy: 'class Guard', matchConditions: [{ name: 'mine', expression }] })],
      }),
    );

  it('manifests contain valid match conditions, even if the conditions read fields that a sample does not have', () => {
    const text = made("object.spec.host != '' && authorizer.group('').resource('pods').check('get').allowed()")();
    assert.match(text.get('config/webhook/manifests.yaml') ?? '', /matchConditions:\n {2}- name: mine\n/);
  });
  it('manifestsOf rejects invalid match conditions, and names the class and the position of the condition', () => {
    assert.throws(made('object.spec.host ='), {
      code: 'INVALID_WEBHOOK',
      message:
        /^cannot generate the webhook of class Guard: matchConditions\[0\]\.expression: Syntax error: .* \(at column 18\)$/,
    });
    assert.throws(made("'text'"), {
      code: 'INVALID_WEBHOOK',
      message:
        'cannot generate the webhook of class Guard: matchConditions[0].expression: must evaluate to bool but got string',
    });
  });
  it('manifestsOf rejects match conditions that exceed the cost budget of the API server for a small object', () => {
    const many = `[${Array.from({ length: 150 }, (_, at) => at).join(', ')}]`;
    assert.throws(made(`${many}.all(a, ${many}.all(b, ${many}.all(c, a + b + c >= 0)))`), {
      code: 'INVALID_WEBHOOK',
      message:
        'cannot generate the webhook of class Guard: matchConditions[0].expression: the cost exceeds the budget of the API server even for a small object; iterate over fewer values',
    });
  });
});
