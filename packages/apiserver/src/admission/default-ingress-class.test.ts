import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/requests/request-context.js';
import { Store } from '../storage/store.js';
import { defaultIngressClass } from './default-ingress-class.js';

const backend = { service: { name: 'a', port: { number: 80 } } };

test('sets the newest default IngressClass on an Ingress without a class', () => {
  const registry = new Registry({ store: new Store(), clock: new SystemClock(), admission: [defaultIngressClass] });
  const context = systemContext('test', 'create');
  const classes = registry.builtIn('networking.k8s.io/v1/ingressclasses');
  const ingresses = registry.builtIn('networking.k8s.io/v1/ingresses');
  const create = (name: string, more: object = {}): unknown => {
    const spec = { defaultBackend: backend, ...more };
    return structuredClone(ingresses.create({ metadata: { name, namespace: 'n' }, spec }, context)['spec']);
  };
  assert.deepEqual(create('before'), { defaultBackend: backend });
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  for (const name of ['b', 'a'])
    classes.create({ metadata: { name, annotations }, spec: { controller: 'x.y/z' } }, context);
  assert.deepEqual(create('after'), { defaultBackend: backend, ingressClassName: 'a' });
  assert.deepEqual(create('own', { ingressClassName: 'c' }), { defaultBackend: backend, ingressClassName: 'c' });
});
