import { setTimeout } from 'node:timers/promises';
import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { install, version, widgets } from './custom-kinds.js';
import type { Json } from './json.js';
import { admission, validatingPolicy } from './policy-bodies.js';
import { constraints } from './policy-steps.js';

const policies = admission('validatingadmissionpolicies');
const quiet = { quiet: true };
const betweenProbesMs = 500;

/** Returns the constraints for kinds, each as `group/version/resource`. */
function kinds(...names: readonly string[]): object {
  const rules = names.map((name) => {
    const [group = '', version = '', resource = ''] = name.split('/');
    return { apiGroups: [group], apiVersions: [version], resources: [resource] };
  });
  return constraints(...rules);
}
const validations = (...expressions: readonly string[]): object => ({
  validations: expressions.map((expression) => ({ expression })),
});

/** Creates a policy without a binding, and compares its status after the type check. Masks the numbers in the names of types. */
async function checked(api: ContractApi, spec: object): Promise<string> {
  const name = api.name('policy');
  const { status, body } = await api.post(policies, validatingPolicy(name, spec), { only: ['message', 'status'] });
  if (status !== 201) throw new Error(`the server rejects the policy: ${JSON.stringify(body)}`);
  const path = `${policies}/${name}`;
  await compared(api, path, 1);
  return path;
}

async function compared(api: ContractApi, path: string, generation: number): Promise<void> {
  const { body } = await api.until(path, (answer) => answer.body.status?.observedGeneration === generation);
  const warnings = (body.status.typeChecking?.expressionWarnings ?? []).map(({ fieldRef, warning }: Json) => ({
    fieldRef,
    warning: warning.replaceAll(/\b([A-Z][A-Za-z]*)\d+\b/g, '$1<number>'),
  }));
  api.received(`GET ${path}`, { ...body.status, warnings, typeChecking: Object.keys(body.status.typeChecking ?? {}) });
}

/**
 * Waits until the type check knows the kind of a resource, given as `group/version/resource`. kube-controller-manager reads its discovery at
 * most every 30 seconds, and checks each generation of a policy only once. So each attempt creates another policy.
 */
async function knownToTypeCheck(api: ContractApi, resource: string): Promise<void> {
  for (;;) {
    const name = api.name('probe');
    const body = validatingPolicy(name, { ...kinds(resource), ...validations('object.unknown == 1') });
    await api.post(policies, body, quiet);
    const answer = await api.until(`${policies}/${name}`, ({ body }) => body.status?.observedGeneration === 1);
    await api.delete(`${policies}/${name}`, undefined, quiet);
    if (answer.body.status.typeChecking?.expressionWarnings !== undefined) return;
    await setTimeout(betweenProbesMs);
  }
}

contract(
  'policies-type-checks',
  {},
  {
    'accepts expressions without errors': async (api) => {
      await checked(api, validations("object.data['a'] == 'b'", 'oldObject == null || has(object.immutable)'));
    },
    'reports an undefined field': async (api) => {
      await checked(api, validations('object.foo == 1', "object.data['a'] == 'b'", 'has(oldObject.metadata.bar)'));
    },
    'reports a comparison of different types': async (api) => {
      await checked(api, validations("object.immutable == 'a'", 'object.metadata == 1', 'object == 1'));
    },
    'reports errors of message expressions': async (api) => {
      await checked(api, {
        validations: [
          { expression: 'object.a == 1', messageExpression: "'a ' + object.b" },
          { expression: 'true', messageExpression: "'a ' + object.metadata.name" },
          { expression: 'true', messageExpression: "'a ' + object.metadata.generation" },
        ],
      });
    },
    'does not check match conditions and audit annotations': async (api) => {
      await checked(api, {
        matchConditions: [{ name: 'a', expression: 'object.foo == 1' }],
        auditAnnotations: [{ key: 'a', valueExpression: 'string(object.foo)' }],
        validations: [{ expression: 'true' }],
      });
    },
    'checks the kinds of all rules in the order of their groups': async (api) => {
      await checked(api, {
        ...kinds('apps/v1/deployments', '/v1/pods', 'batch/v1/jobs', 'apps/v1/statefulsets'),
        ...validations('object.spec.foo > 1', 'object.spec.replicas > 1', 'object.spec.template.spec.a == 1'),
      });
    },
    'skips wildcards, subresources and unknown kinds': async (api) => {
      for (const name of [
        '*/v1/configmaps',
        '/*/configmaps',
        '/v1/*',
        '/v1/pods/status',
        'x.y/v1/as',
        '/v9/configmaps',
      ]) {
        await checked(api, { ...kinds(name), ...validations('object.foo == 1') });
      }
      const resources = ['pods/*', 'configmaps', 'services/status'];
      await checked(api, { ...constraints({ resources }), ...validations('object.foo == 1') });
    },
    'checks a rule for the core group with kinds of every group, and accepts singular names': async (api) => {
      await checked(api, { ...kinds('/v1/deployments'), ...validations('object.foo == 1') });
      await checked(api, { ...kinds('/v1/configmap'), ...validations('object.foo == 1') });
    },
    'checks at most ten kinds of a rule': async (api) => {
      const core = ['configmaps', 'secrets', 'pods', 'services', 'nodes', 'endpoints', 'limitranges', 'namespaces'];
      const more = ['resourcequotas', 'serviceaccounts', 'persistentvolumes', 'replicationcontrollers'];
      const rules = [{ resources: [...core, ...more] }, { resources: ['podtemplates'] }];
      await checked(api, { ...constraints(...rules), ...validations('object.foo == 1') });
      const both = [{ resources: core }, { resources: more }];
      await checked(api, { ...constraints(...both), ...validations('object.foo == 1') });
    },
    'knows the types of fields of built-in kinds': async (api) => {
      await checked(api, {
        ...kinds('/v1/pods'),
        ...validations(
          'object.metadata.creationTimestamp == 1',
          'object.metadata.labels == 1',
          'object.metadata.finalizers == 1',
          'object.metadata.ownerReferences == 1',
          'object.metadata.managedFields[0].fieldsV1 == 1',
          'object.metadata.managedFields[0].fieldsV1.a == 1',
          'object.spec.containers[0].name == 1',
          'object.spec.containers[0].resources.limits == 1',
          "object.spec.containers[0].resources.limits['cpu'] == 1",
          'object.spec.containers[0].livenessProbe.httpGet.port == true',
          'object.spec.terminationGracePeriodSeconds == "a"',
          'object.spec.hostNetwork == "a"',
          'object.status.startTime == 1',
          'object.spec.containers.all(c, c.foo == 1)',
          'object.spec.volumes.exists(v, v.name == 1)',
        ),
      });
    },
    'knows the types of fields of other built-in kinds': async (api) => {
      await checked(api, {
        ...kinds('/v1/secrets'),
        ...validations("object.data['a'] == 1", "object.stringData['a'] == 1"),
      });
      await checked(api, { ...kinds('/v1/services'), ...validations('object.spec.ports[0].targetPort == true') });
      await checked(api, { ...kinds('coordination.k8s.io/v1/leases'), ...validations('object.spec.renewTime == 1') });
      await checked(api, {
        ...kinds('apps/v1/controllerrevisions'),
        ...validations('object.data == 1', 'object.data.a == 1'),
      });
      await checked(api, {
        ...kinds('autoscaling/v2/horizontalpodautoscalers'),
        ...validations('object.spec.metrics[0].type == 1'),
      });
      await checked(api, {
        ...kinds('apiextensions.k8s.io/v1/customresourcedefinitions'),
        ...validations(
          'object.spec.versions[0].schema.openAPIV3Schema.type == 1',
          "object.spec.versions[0].schema.openAPIV3Schema.properties['a'].type == 1",
          'object.spec.versions[0].schema.openAPIV3Schema.not.type == 1',
          'object.spec.versions[0].schema.openAPIV3Schema.default == 1',
          'object.spec.foo == 1',
        ),
      });
    },
    'knows the types of fields of custom kinds': async (api) => {
      const spec = {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          ratio: { type: 'number' },
          port: { 'x-kubernetes-int-or-string': true },
          open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          any: { 'x-kubernetes-preserve-unknown-fields': true },
          at: { type: 'string', format: 'date-time' },
          'a-b': { type: 'string' },
          map: { type: 'object', additionalProperties: { type: 'boolean' } },
          list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      };
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      await install(api, widgets(api, { versions: [version('v1', { schema })] }));
      await knownToTypeCheck(api, `${api.group}/v1/widgets`);
      const fields = ['size', 'ratio', 'port', 'open', 'any', 'at', 'map', 'list', 'foo', 'open.a', 'embedded.kind'];
      await checked(api, {
        ...kinds(`${api.group}/v1/widgets`),
        ...validations(
          ...fields.map((field) => `object.spec.${field} == [1u]`),
          'object.spec.a__dash__b == 1',
          'object.spec.list[0].name == 1',
          'object.metadata.name == 1',
          'object.metadata.labels == 1',
          'object.metadata.foo == 1',
          'object.kind == 1',
        ),
      });
    },
    'checks expressions with the type of the parameters': async (api) => {
      const expressions = ["params.data['a'] == 'b'", 'params.foo == 1', 'params == object', 'object.foo == 1'];
      const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
      await checked(api, { paramKind, ...validations(...expressions) });
      await checked(api, { paramKind: { apiVersion: 'x.y/v1', kind: 'Nothing' }, ...validations(...expressions) });
    },
    'checks expressions with the types of variables': async (api) => {
      const variable = (name: string, expression: string): object => ({ name, expression });
      await checked(api, {
        variables: [
          variable('text', 'object.metadata.name'),
          variable('labels', 'object.metadata.labels'),
          variable('meta', 'object.metadata'),
          variable('broken', 'object.foo'),
          variable('next', 'variables.text + variables.broken'),
        ],
        ...validations(
          'variables.text == 1',
          'variables.labels == 1',
          'variables.meta == 1',
          'variables.meta.foo == 1',
          'variables.broken == 1',
          'variables.next == 1',
        ),
      });
    },
    'knows the types of request, namespaceObject and authorizer': async (api) => {
      await checked(api, {
        ...validations(
          'request.dryRun == true && namespaceObject.metadata.name == request.namespace',
          "authorizer.group('').resource('pods').check('get').allowed()",
          "authorizer.requestResource.check('get').allowed()",
        ),
      });
    },
    'checks a policy again when its generation changes': async (api) => {
      const path = await checked(api, validations('object.foo == 1'));
      await api.patch(path, { metadata: { labels: { a: 'b' } } }, quiet);
      await compared(api, path, 1);
      await api.patch(path, { spec: validations('object.data == null') }, quiet);
      await compared(api, path, 2);
      await api.patch(path, { spec: validations('object.bar == 1', 'object.baz == 2') }, quiet);
      await compared(api, path, 3);
    },
    'applies the status with its own field manager': async (api) => {
      const path = await checked(api, validations('object.foo == 1'));
      await api.get(path, { only: ['metadata.managedFields', 'metadata.generation'] });
    },
  },
);
