import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crdFor } from '../crd/crd-for.js';
import { CustomResource, type Default, defineKind, Field, Kind, PrintColumn } from '../index.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import { compareDefinitions } from './compare-definitions.js';
import { verdictOf } from './compatibility-finding.js';

class MachineSpec {
  @Field.string({ minLength: 1 }) image!: string;
  @Field.int32({ minimum: 128 }) memory: Default<number> = 1024;
}
class NextSpec {
  @Field.string({ minLength: 2 }) image!: string;
  @Field.int32({ minimum: 128 }) ram: Default<number> = 1024;
}
@Kind({ group: 'example.com', version: 'v1', kind: 'Machine' })
class Machine extends CustomResource(MachineSpec) {}
@Kind({ group: 'example.com', version: 'v1', kind: 'Machine', shortNames: ['m'] })
@PrintColumn({ name: 'Ram', jsonPath: '.spec.ram' })
class NextMachine extends CustomResource(NextSpec) {}

const reported = (before: readonly CustomResourceDefinition[], after: readonly CustomResourceDefinition[]) =>
  compareDefinitions(before, after).map(
    ({ definition, version, path, change, ...finding }) =>
      `${finding.class} ${definition} ${version ?? '*'} ${path}: ${change}`,
  );

const versions = (...given: readonly [name: string, more?: object][]): CustomResourceDefinition => {
  const plain = crdFor(defineKind({ group: 'example.com', version: 'v1', kind: 'Disk', spec: { type: 'object' } }));
  const [first] = plain.spec.versions;
  return {
    ...plain,
    spec: {
      ...plain.spec,
      versions: given.map(([name, more], at) => ({ ...first, name, storage: at === 0, ...more })),
    },
  } as CustomResourceDefinition;
};
const definition = (spec: object, status?: object): CustomResourceDefinition => {
  const plain = versions(['v1']);
  return { ...plain, spec: { ...plain.spec, ...spec }, ...(status && { status }) };
};

describe('compareDefinitions', () => {
  it('classifies the changes of a class and proposes alternatives', () => {
    assert.deepEqual(reported([crdFor(Machine)], [crdFor(NextMachine)]), [
      'safe machines.example.com * names.shortNames: none → m',
      'safe machines.example.com v1 additionalPrinterColumns: columns',
      'ratcheted machines.example.com v1 .spec.image: minLength 1 → 2',
      'breaking machines.example.com v1 .spec.memory: field removed',
      'safe machines.example.com v1 .spec.ram: field added with default 1024',
    ]);
    const removed = compareDefinitions([crdFor(Machine)], [crdFor(NextMachine)]).find(
      ({ path }) => path === '.spec.memory',
    );
    assert.match(removed?.reason ?? '', /does not move them to \.spec\.ram/);
    assert.match(removed?.remedy ?? '', /another version with \.spec\.ram/);
  });
  it('compares schemas that contain an integer beyond the safe range', () => {
    const of = (field: object) => {
      const schema = { type: 'object', not: { enum: [9007199254740993n] }, properties: { spec: field } };
      return versions(['v1', { schema: { openAPIV3Schema: schema } }]);
    };
    assert.deepEqual(reported([of({ type: 'string' })], [of({ type: 'string', minLength: 1 })]), [
      'ratcheted disks.example.com v1 .spec: minLength none → 1',
    ]);
  });
  it('returns no findings for equal definitions', () => {
    assert.deepEqual(compareDefinitions([crdFor(Machine)], [crdFor(Machine)]), []);
    assert.equal(verdictOf([]), 'safe');
  });
  it('reports added and removed definitions', () => {
    assert.deepEqual(reported([crdFor(Machine)], [versions(['v1'])]), [
      'safe disks.example.com * .: definition added',
      'breaking machines.example.com * .: definition removed',
    ]);
  });
  it('reports added, removed and deprecated versions', () => {
    assert.deepEqual(reported([versions(['v1'])], [versions(['v2'], ['v1', { deprecated: true }])]), [
      'safe disks.example.com v1 deprecated: no → yes',
      'safe disks.example.com v2 .: version added',
    ]);
    assert.deepEqual(reported([versions(['v2'], ['v1'])], [versions(['v2'])]), [
      'breaking disks.example.com v1 .: version removed',
    ]);
  });
  it('classifies the removal of an unserved version by the storedVersions of the cluster', () => {
    const before = versions(['v2'], ['v1', { served: false }]);
    const reason = (status?: object): string | undefined =>
      compareDefinitions([{ ...before, ...(status && { status }) }], [versions(['v2'])])
        .map((finding) => `${finding.class}: ${finding.reason}`)
        .join();
    assert.match(reason() ?? '', /^breaking: if status\.storedVersions of the cluster contains the version/);
    assert.match(reason({ storedVersions: ['v1', 'v2'] }) ?? '', /^breaking: the API server rejects the definition/);
    assert.match(reason({ storedVersions: ['v2'] }) ?? '', /^safe: /);
    assert.equal(
      compareDefinitions([before], [versions(['v2'])])[0]?.remedy,
      'compare with the cluster; if its status.storedVersions contains v1, rewrite every object (storage migration), ' +
        'then remove v1 from status.storedVersions',
    );
  });
  it('reports the effect of each changed path of the scale subresource', () => {
    const paths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const of = (scale: object): CustomResourceDefinition => versions(['v1', { subresources: { scale } }]);
    const reasons = (before: object, after: object): readonly string[] =>
      compareDefinitions([of(before)], [of(after)]).map(
        (finding) => `${finding.class} ${finding.path.replace(/^.*\./, '')}: ${finding.reason}`,
      );
    const selector = { ...paths, labelSelectorPath: '.status.selector' };
    const elsewhere = 'from a different field, which stored objects do not have';
    assert.deepEqual(reasons(selector, { ...selector, labelSelectorPath: '.status.labels' }), [
      `breaking labelSelectorPath: autoscalers read the label selector of the Pods ${elsewhere}`,
    ]);
    assert.deepEqual(reasons(selector, paths), [
      'breaking labelSelectorPath: /scale no longer has a label selector, so autoscalers cannot find the Pods',
    ]);
    assert.deepEqual(reasons(paths, selector), ['safe labelSelectorPath: autoscalers can find the Pods']);
    assert.deepEqual(reasons(paths, { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }), [
      'breaking specReplicasPath: kubectl scale and autoscalers read and write a different field, which stored objects do not have',
      `breaking statusReplicasPath: autoscalers read the current number of replicas ${elsewhere}`,
    ]);
  });
  it('reports changes of the scope and the names', () => {
    const names = { kind: 'Disk', plural: 'disks', listKind: 'Disks', singular: 'platter', categories: ['all'] };
    assert.deepEqual(reported([definition({})], [definition({ names, scope: 'Cluster' })]), [
      'breaking disks.example.com * scope: Namespaced → Cluster',
      'breaking disks.example.com * names.listKind: DiskList → Disks',
      'safe disks.example.com * names.singular: disk → platter',
      'safe disks.example.com * names.categories: none → all',
    ]);
    const short = { kind: 'Disk', plural: 'disks' };
    assert.deepEqual(reported([definition({})], [definition({ names: short })]), []);
  });
  it('reports changes of conversion and preserveUnknownFields', () => {
    const webhook = definition({ conversion: { strategy: 'Webhook' } });
    assert.deepEqual(reported([definition({})], [webhook]), [
      'safe disks.example.com * conversion.strategy: None → Webhook',
    ]);
    assert.deepEqual(reported([webhook], [definition({})]), [
      'breaking disks.example.com * conversion.strategy: Webhook → None',
    ]);
    assert.deepEqual(reported([definition({ preserveUnknownFields: true })], [definition({})]), [
      'breaking disks.example.com * preserveUnknownFields: true → false',
    ]);
  });
  it('accepts versions with different schemas if a webhook converts them', () => {
    const fewer = { schema: { openAPIV3Schema: { type: 'object' } } };
    assert.deepEqual(reported([versions(['v1'])], [versions(['v1'], ['v2', fewer])]), [
      'safe disks.example.com v2 .: version added',
      'breaking disks.example.com v2 .spec: differs from v1: field removed',
    ]);
    const next = versions(['v1'], ['v2', fewer]);
    const converted = { ...next, spec: { ...next.spec, conversion: { strategy: 'Webhook' } } };
    assert.equal(verdictOf(compareDefinitions([versions(['v1'])], [converted as CustomResourceDefinition])), 'safe');
  });
  it('reports fields that are lost in a version that becomes stored or served', () => {
    const fewer = { schema: { openAPIV3Schema: { type: 'object' } } };
    const lost = 'breaking disks.example.com v2 .spec: differs from v1: field removed';
    assert.deepEqual(reported([versions(['v1'], ['v2', fewer])], [versions(['v2', fewer], ['v1'])]), [
      'safe disks.example.com v2 storage: becomes the storage version',
      lost,
    ]);
    const unserved = versions(['v1'], ['v2', { ...fewer, served: false }]);
    assert.deepEqual(reported([unserved], [versions(['v1'], ['v2', fewer])]), [
      'safe disks.example.com v2 served: false → true',
      lost,
    ]);
    assert.deepEqual(reported([unserved], [versions(['v2', { ...fewer, served: false }], ['v1'])]), [
      'safe disks.example.com v2 storage: becomes the storage version',
      lost,
    ]);
  });
  it('sets a remedy for every finding that is not safe', () => {
    const found = compareDefinitions([crdFor(Machine), versions(['v1'])], [crdFor(NextMachine)]);
    assert.ok(found.every((finding) => (finding.remedy === undefined) === (finding.class === 'safe')));
  });
});
