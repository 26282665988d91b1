import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, version, widgets, widgetsOf } from './custom-kinds.js';
import { applied, patched } from './policy-bodies.js';
import { changed, configMaps, constraints, inNamespace, mutating, validating } from './policy-steps.js';

const quiet = { quiet: true };
const condition = (expression: string, name = 'a'): object => ({ name, expression });
const labeled = (labels: string): object => applied(`Object{metadata: Object.metadata{labels: ${labels}}}`);
const of = (...mutations: readonly object[]): object => ({ mutations });
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const deployment = (containers: readonly object[] = [{ name: 'c', image: 'i' }]): object => ({
  metadata: { name: 'a' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers } },
  },
});
const counted = "[JSONPatch{op: 'add', path: '/data/count', value: string(int(object.data.?count.orValue('0')) + 1)}]";
const template = ['message', 'reason', 'code', 'details', 'spec.replicas', 'spec.template.spec', 'metadata.labels'];

contract(
  'policies-mutating',
  {},
  {
    'merges labels into an object': async (api) => {
      await mutating(api, of(labeled("{'added': 'yes'}")));
      await changed(api);
      await changed(api, { metadata: { name: 'a', labels: { own: 'x', added: 'no' } } });
    },
    'merges the data of a ConfigMap': async (api) => {
      await mutating(api, of(applied("Object{data: {'a': 'b'}, immutable: object.data.size() > 1}")));
      await changed(api, { data: { c: 'd' } });
      await changed(api, { data: { a: 'x', c: 'd' } });
    },
    'merges nested typed objects of an apply configuration': async (api) => {
      await mutating(api, of(applied("Object{data: Object.data{a: 'b', ?c: object.data.?d}}")));
      await changed(api, { data: { d: 'e' } });
      await changed(api, { data: {} });
    },
    'does not change an object with an empty apply configuration': async (api) => {
      await mutating(api, of(applied('Object{}')));
      await changed(api, { data: { a: 'b' } });
    },
    'applies the operations of a JSON patch': async (api) => {
      const patch =
        "[JSONPatch{op: 'test', path: '/data/a', value: 'b'}, JSONPatch{op: 'replace', path: '/data/a', value: 'c'}, JSONPatch{op: 'copy', from: '/data/a', path: '/data/d'}, JSONPatch{op: 'move', from: '/data/e', path: '/data/f'}, JSONPatch{op: 'remove', path: '/data/g'}]";
      await mutating(api, of(patched(patch)));
      await changed(api, { data: { a: 'b', e: 'e', g: 'g' } });
    },
    'ignores a JSON patch whose test fails': async (api) => {
      await mutating(
        api,
        of(
          patched(
            "[JSONPatch{op: 'add', path: '/data/x', value: 'y'}, JSONPatch{op: 'test', path: '/data/a', value: 'b'}]",
          ),
        ),
      );
      await changed(api, { data: { a: 'c' } });
    },
    'escapes keys in the paths of JSON patches': async (api) => {
      await mutating(
        api,
        of(
          patched(
            "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/a'), value: 'b'}]",
          ),
        ),
      );
      await changed(api, { metadata: { name: 'a', labels: { a: 'b' } } });
    },
    'adds objects, maps and lists with a JSON patch': async (api) => {
      await mutating(
        api,
        of(
          patched(
            "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}, JSONPatch{op: 'add', path: '/data', value: Object.data{c: 'd'}}, JSONPatch{op: 'add', path: '/metadata/finalizers', value: ['example.com/x']}]",
          ),
        ),
      );
      await changed(api, {}, { only: ['message', 'metadata.labels', 'metadata.finalizers', 'data'] });
    },
    'denies a request if a JSON patch cannot be applied': async (api) => {
      await mutating(api, of(patched("[JSONPatch{op: 'replace', path: '/data/a/b', value: 'c'}]")));
      await changed(api, { data: { a: 'b' } });
    },
    'denies a request if a JSON patch removes a missing field': async (api) => {
      await mutating(api, of(patched("[JSONPatch{op: 'remove', path: '/data/a'}]")));
      await changed(api, { data: { c: 'b' } });
      await changed(api);
    },
    'denies a request if a JSON patch has an unknown operation': async (api) => {
      await mutating(api, of(patched("[JSONPatch{op: 'other', path: '/data/a'}]")));
      await changed(api, { data: { c: 'b' } });
    },
    'denies a request if a JSON patch adds an unknown field': async (api) => {
      await mutating(api, of(patched("[JSONPatch{op: 'add', path: '/other', value: 'c'}]")));
      await changed(api, { data: { c: 'b' } });
    },
    'denies a request if a JSON patch sets a value of the wrong type': async (api) => {
      await mutating(api, of(patched("[JSONPatch{op: 'add', path: '/data', value: 1}]")));
      await changed(api, { data: { c: 'b' } });
    },
    'reports JSON patch operations whose own fields have the wrong type': async (api) => {
      await mutating(
        api,
        of(patched("[JSONPatch{op: 'add', path: object.data.c, value: 1}, JSONPatch{op: dyn(1), path: '/a'}]")),
      );
      await changed(api, { data: { c: 'b' } });
    },
    'denies a request if an apply configuration has unknown fields': async (api) => {
      await mutating(api, of(applied('Object{spec: Object.spec{a: 1}}')));
      await changed(api);
    },
    'denies a request if an apply configuration has values of the wrong type': async (api) => {
      await mutating(api, of(applied("Object{data: 'a'}")));
      await changed(api);
    },
    'denies a request if the type of a constructed object does not match its field': async (api) => {
      await mutating(api, of(applied("Object{metadata: Object.spec{labels: {'a': 'b'}}}")));
      await changed(api);
    },
    'denies a request if an expression fails': async (api) => {
      await mutating(api, of(applied('Object{data: object.other}')));
      await changed(api);
    },
    'reports the errors of several failing mutations': async (api) => {
      await mutating(
        api,
        of(applied('Object{data: object.other}'), labeled("{'a': 'b'}"), applied('Object{data: object.third}')),
      );
      await changed(api);
    },
    'ignores errors with the failurePolicy Ignore': async (api) => {
      await mutating(api, {
        failurePolicy: 'Ignore',
        ...of(applied('Object{data: object.other}'), labeled("{'a': 'b'}")),
      });
      await changed(api);
    },
    'runs mutations in order, each with the result of the previous mutation': async (api) => {
      await mutating(
        api,
        of(
          labeled("{'first': 'yes'}"),
          applied("Object{metadata: Object.metadata{annotations: {'seen': object.metadata.labels.first}}}"),
        ),
      );
      await changed(api);
    },
    'evaluates a variable again after a mutation changes the object': async (api) => {
      const variables = [{ name: 'labels', expression: 'object.metadata.?labels.orValue({}).size()' }];
      await mutating(api, {
        variables,
        ...of(labeled("{'a': string(variables.labels)}"), labeled("{'b': string(variables.labels)}")),
      });
      await changed(api);
    },
    'skips a policy whose match conditions are false': async (api) => {
      await mutating(api, {
        matchConditions: [condition("object.metadata.name == 'a'")],
        ...of(labeled("{'a': 'b'}")),
      });
      await changed(api);
      await changed(api, { metadata: { name: 'b' } });
    },
    'denies a request if a match condition fails': async (api) => {
      await mutating(api, { matchConditions: [condition("object.data.a == 'b'")], ...of(labeled("{'a': 'b'}")) });
      await changed(api);
    },
    'provides the request, the namespace and the authorizer to expressions': async (api) => {
      const expression =
        "Object{data: {'operation': request.operation, 'namespace': namespaceObject.metadata.name, 'allowed': string(authorizer.group('').resource('secrets').check('get').allowed()), 'old': string(oldObject == null), 'uid': string(has(object.metadata.uid)), 'managers': string(has(object.metadata.managedFields))}}";
      await mutating(api, of(applied(expression)));
      await changed(api);
    },
    'provides the generateName of a new object to expressions': async (api) => {
      await mutating(
        api,
        of(
          applied(
            "Object{data: {'name': string(object.metadata.?name.orValue('none')), 'generateName': string(object.metadata.generateName), 'request': string(has(request.name))}}",
          ),
        ),
      );
      await changed(api, { metadata: { generateName: 'g-' } });
    },
    'provides the parameters of the binding to expressions': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/serviceaccounts`;
      await api.post(path, { metadata: { name: 'p', annotations: { a: 'x' } } }, quiet);
      const paramRef = { name: 'p', parameterNotFoundAction: 'Deny' };
      await mutating(api, {
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' },
          ...of(applied("Object{data: {'param': string(params.metadata.annotations.a)}}")),
        },
        bindings: [{ matchResources: inNamespace(api), paramRef }],
      });
      await changed(api);
    },
    'denies a request if the parameters do not exist': async (api) => {
      const paramRef = { name: 'p', parameterNotFoundAction: 'Deny' };
      await mutating(api, {
        spec: { paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' }, ...of(labeled("{'a': 'b'}")) },
        bindings: [{ matchResources: inNamespace(api), paramRef }],
      });
      await changed(api);
    },
    'does not run a policy with missing parameters if the binding allows missing parameters': async (api) => {
      const paramRef = { name: 'p', parameterNotFoundAction: 'Allow' };
      await mutating(api, {
        spec: { paramKind: { apiVersion: 'v1', kind: 'ServiceAccount' }, ...of(labeled("{'a': 'b'}")) },
        bindings: [{ matchResources: inNamespace(api), paramRef }],
      });
      await changed(api);
    },
    'denies a request if the paramKind is not served': async (api) => {
      const { matchConstraints } = constraints({}) as { readonly matchConstraints: object };
      await mutating(api, {
        paramKind: { apiVersion: `${api.group}/v1`, kind: 'Limit' },
        matchConstraints: inNamespace(api, matchConstraints),
        ...of(labeled("{'a': 'b'}")),
      });
      await changed(api);
    },
    'runs a policy once with the reinvocationPolicy Never': async (api) => {
      await mutating(api, of(patched(counted)));
      await changed(api, { data: {} });
    },
    'runs a policy again with the reinvocationPolicy IfNeeded': async (api) => {
      await mutating(api, { reinvocationPolicy: 'IfNeeded', ...of(patched(counted)) });
      await changed(api, { data: { a: 'b' } });
    },
    'mutates the objects of patches and applies': async (api) => {
      await mutating(api, {
        ...constraints({ operations: ['UPDATE'] }),
        ...of(applied("Object{data: {'before': oldObject.data.a}}")),
      });
      await api.post(configMaps(api), { metadata: { name: 'a' }, data: { a: '1' } }, quiet);
      const only = {
        only: ['data', 'message', 'metadata.managedFields.*.manager', 'metadata.managedFields.*.fieldsV1'],
      };
      await api.patch(`${configMaps(api)}/a?fieldManager=me`, { data: { a: '2' } }, only);
      const type = 'application/apply-patch+yaml';
      await api.patch(
        `${configMaps(api)}/a?fieldManager=me`,
        { apiVersion: 'v1', kind: 'ConfigMap', data: { c: '3' } },
        { type, ...only },
      );
    },
    'does not record the changes of a mutation in the managed fields of a new object': async (api) => {
      await mutating(api, of(labeled("{'a': 'b'}")));
      await api.post(
        `${configMaps(api)}?fieldManager=me`,
        { metadata: { name: 'a' }, data: { c: 'd' } },
        { only: ['data', 'metadata.labels', 'metadata.managedFields.*.fieldsV1'] },
      );
    },
    'does not evaluate a policy for deletions': async (api) => {
      await mutating(api, { ...constraints({ operations: ['*'] }), ...of(applied('Object{data: object.missing}')) });
      await changed(api, { data: { a: 'b' } });
      await api.delete(`${configMaps(api)}/none`, undefined, { only: ['message'] });
    },
    'validates an object after its mutation': async (api) => {
      await mutating(api, of(labeled("{'not valid': 'b'}")));
      await changed(api);
    },
    'evaluates validating policies with the mutated object': async (api) => {
      await mutating(api, of(labeled("{'team': 'x'}")));
      await validating(api, {
        validations: [
          {
            expression: "object.metadata.labels.team != 'x'",
            messageExpression: "'team ' + object.metadata.labels.team",
          },
        ],
      });
      await changed(api);
    },
    'merges the containers of an apply configuration by name': async (api) => {
      const containers =
        "[Object.spec.template.spec.containers{name: 'c', imagePullPolicy: 'Always'}, Object.spec.template.spec.containers{name: 'side', image: 's'}]";
      await mutating(api, {
        ...constraints({ apiGroups: ['apps'], resources: ['deployments'] }),
        ...of(
          applied(
            `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: ${containers}}}}}`,
          ),
        ),
      });
      await api.post(`${deployments(api)}?dryRun=All`, deployment(), { only: template });
    },
    'sets the defaults of a container that a JSON patch adds': async (api) => {
      await mutating(api, {
        ...constraints({ apiGroups: ['apps'], resources: ['deployments'] }),
        ...of(
          patched(
            "[JSONPatch{op: 'add', path: '/spec/template/spec/containers/-', value: Object.spec.template.spec.containers{name: 'side', image: 's', ports: [Object.spec.template.spec.containers.ports{containerPort: 80}]}}]",
          ),
        ),
      });
      await api.post(`${deployments(api)}?dryRun=All`, deployment(), { only: template });
    },
    'denies a request if an apply configuration changes an atomic list': async (api) => {
      const containers = "[Object.spec.template.spec.containers{name: 'c', args: ['a']}]";
      await mutating(api, {
        ...constraints({ apiGroups: ['apps'], resources: ['deployments'] }),
        ...of(
          applied(
            `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: ${containers}}}}}`,
          ),
        ),
      });
      await api.post(`${deployments(api)}?dryRun=All`, deployment(), { only: template });
    },
    'mutates the replicas of a Scale': async (api) => {
      await mutating(api, {
        ...constraints({ apiGroups: ['apps'], operations: ['UPDATE'], resources: ['deployments/scale'] }),
        ...of(applied('Object{spec: Object.spec{replicas: object.spec.replicas + 1}}')),
      });
      await api.post(deployments(api), deployment(), quiet);
      await api.patch(`${deployments(api)}/a/scale`, { spec: { replicas: 3 } }, { only: ['message', 'spec'] });
    },
    'limits the cost of a mutation': async (api) => {
      await mutating(api, of(labeled("{'a': string(lists.range(3000).all(a, lists.range(3000).all(b, b >= 0)))}")));
      await changed(api);
    },
    'mutates custom objects': async (api) => {
      await install(api, widgets(api, { versions: [version('v1')] }));
      await mutating(api, {
        ...constraints({ apiGroups: [api.group], operations: ['*'], resources: ['widgets'] }),
        ...of(
          patched(
            "[JSONPatch{op: 'add', path: '/spec/size', value: 7}, JSONPatch{op: 'add', path: '/spec/unknown', value: true}]",
          ),
        ),
      });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
      const path = `${widgetsOf(api)}?dryRun=All`;
      await api.eventually(
        'the creation of a Widget',
        () => api.post(path, widget, quiet),
        ({ status }) => status !== 503,
      );
      await api.post(path, widget, { only: ['message', 'spec'] });
    },
  },
);
