import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubectlCases } from './kubectl-case.js';
import { list, machine, settings } from './manifests.js';

/** Commands for objects of any kind: create, change, show, delete. */
export const objectCases: KubectlCases = {
  'apply creates an object, reports an unchanged object, and configures a changed object': async ({ kubectl }) => {
    assert.match(await kubectl.ok('apply -f -', machine('applied')), /virtualmachine.*\/applied created/);
    assert.match(await kubectl.ok('apply -f -', machine('applied')), /virtualmachine.*\/applied unchanged/);
    assert.match(await kubectl.ok('apply -f -', machine('applied', { memory: 512 })), /\/applied configured/);
    assert.equal(await kubectl.ok("get vm applied -o 'jsonpath={.spec.memory}'"), '512');
  },
  'apply removes fields that the manifest no longer contains': async ({ kubectl }) => {
    await kubectl.ok('apply -f -', settings('a', { x: '1', y: '2' }));
    await kubectl.ok(`patch configmap a --type=merge -p '{"data":{"z":"3"}}'`);
    await kubectl.ok('apply -f -', settings('a', { x: '1' }));
    assert.equal(await kubectl.ok("get configmap a -o 'jsonpath={.data}'"), '{"x":"1","z":"3"}');
  },
  'server-side apply rejects fields of another manager without --force-conflicts': async ({ kubectl }) => {
    await kubectl.ok('apply --server-side --field-manager=one -f -', machine('shared', { memory: 512 }));
    const two = '--server-side --field-manager=two -f -';
    const err = await kubectl.refused(`apply ${two}`, machine('shared', { memory: 1024 }));
    assert.match(err, /conflict with "one": \.spec\.memory/);
    await kubectl.ok(`apply --force-conflicts ${two}`, machine('shared', { memory: 1024 }));
    assert.equal(await kubectl.ok("get vm shared -o 'jsonpath={.spec.memory}'"), '1024');
  },
  'server-side apply migrates the fields of client-side apply': async ({ kubectl }) => {
    await kubectl.ok('apply -f -', settings('a', { x: '1' }));
    assert.match(await kubectl.ok('apply --server-side -f -', settings('a', { x: '2' })), /serverside-applied/);
    const managers = await kubectl.ok(
      "get configmap a --show-managed-fields -o 'jsonpath={.metadata.managedFields[*].manager}'",
    );
    assert.match(managers, /kubectl$/);
  },
  'apply --dry-run=server shows the result and changes nothing': async ({ kubectl }) => {
    const shown = await kubectl.ok("apply --dry-run=server -o 'jsonpath={.spec.disk}' -f -", machine('dry'));
    assert.equal(shown, '20');
    assert.match(await kubectl.refused('get vm dry'), /NotFound/);
  },
  'apply --prune deletes objects that are no longer applied': async ({ kubectl }) => {
    const prune = `apply --prune -l set=x --prune-allowlist=core/v1/ConfigMap -f -`;
    await kubectl.ok(prune, list(settings('a', {}, { set: 'x' }), settings('b', {}, { set: 'x' })));
    await kubectl.ok('create -f -', settings('c', {}, { set: 'x' }));
    assert.match(await kubectl.ok(prune, list(settings('a', {}, { set: 'x' }))), /configmap\/b pruned/);
    assert.equal(await kubectl.ok('get configmap -l set=x -o name'), 'configmap/a\nconfigmap/c\n');
  },
  'apply --prune with an ApplySet deletes objects that left the set': async ({ kubectl }) => {
    const prune = 'apply --prune --applyset=secrets/tracked -f -';
    const environment = { KUBECTL_APPLYSET: 'true' };
    await kubectl.ok(prune, list(settings('a'), settings('b')), environment);
    assert.match(await kubectl.ok(prune, list(settings('a')), environment), /configmap\/b pruned/);
    assert.match(await kubectl.refused('get configmap b'), /NotFound/);
    assert.match(
      await kubectl.ok("get secret tracked -o 'jsonpath={.metadata.annotations}'"),
      /contains-group-kinds.*ConfigMap/,
    );
  },
  'diff shows the changes of an apply, and exits with 1 if there are changes': async ({ kubectl }) => {
    await kubectl.ok('apply -f -', settings('a', { x: '1' }));
    assert.equal((await kubectl.run('diff -f -', settings('a', { x: '1' }))).code, 0);
    const { code, out } = await kubectl.run('diff -f -', settings('a', { x: '2' }));
    assert.equal(code, 1);
    assert.match(out, /^-\s+x: "1"$/m);
    assert.match(out, /^\+\s+x: "2"$/m);
  },
  'replace requires an existing object and replaces it': async ({ kubectl }) => {
    assert.match(await kubectl.refused('replace -f -', settings('a')), /NotFound.*"a" not found/);
    await kubectl.ok('create -f -', settings('a', { x: '1' }));
    assert.match(await kubectl.ok('replace -f -', settings('a', { y: '1' })), /configmap\/a replaced/);
    assert.equal(await kubectl.ok("get configmap a -o 'jsonpath={.data}'"), '{"y":"1"}');
  },
  'replace --force deletes and recreates the object': async ({ kubectl }) => {
    await kubectl.ok('create -f -', settings('a'));
    const uid = "get configmap a -o 'jsonpath={.metadata.uid}'";
    const before = await kubectl.ok(uid);
    const out = await kubectl.ok('replace --force -f -', settings('a'));
    assert.match(out, /configmap "a" deleted/);
    assert.match(out, /configmap\/a replaced/);
    assert.notEqual(await kubectl.ok(uid), before);
  },
  'edit sends the content that the editor saves': async ({ kubectl, folder }) => {
    await kubectl.ok('create -f -', settings('a', { colour: 'red' }));
    const editor = await script(folder, 'edit', 'sed -i s/red/green/ "$1"');
    assert.match(await kubectl.ok('edit configmap a', '', { EDITOR: editor }), /configmap\/a edited/);
    assert.equal(await kubectl.ok("get configmap a -o 'jsonpath={.data.colour}'"), 'green');
  },
  'edit without changes is cancelled': async ({ kubectl, folder }) => {
    await kubectl.ok('create -f -', machine('a'));
    const editor = await script(folder, 'keep', 'true');
    const { err } = await kubectl.run('edit vm a', '', { EDITOR: editor });
    assert.match(err, /Edit cancelled, no changes made/);
  },
  'edit --subresource=status edits the status': async ({ kubectl, folder }) => {
    await kubectl.ok('create -f -', machine('a'));
    await kubectl.ok(`patch vm a --subresource=status --type=merge -p '{"status":{"phase":"Creating"}}'`);
    const editor = await script(folder, 'status', 'sed -i s/Creating/Complete/ "$1"');
    await kubectl.ok('edit vm a --subresource=status', '', { EDITOR: editor });
    assert.equal(await kubectl.ok("get vm a -o 'jsonpath={.status.phase}'"), 'Complete');
  },
  'patch supports JSON patches and merge patches': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('patched'));
    await kubectl.ok(`patch vm patched --type=json -p '[{"op":"replace","path":"/spec/memory","value":256}]'`);
    await kubectl.ok(`patch vm patched --type=merge -p '{"spec":{"disk":40}}'`);
    assert.equal(await kubectl.ok("get vm patched -o 'jsonpath={.spec.memory} {.spec.disk}'"), '256 40');
    assert.match(await kubectl.ok(`patch vm patched --type=merge -p '{"spec":{"disk":40}}'`), /\(no change\)/);
  },
  'patch --type=strategic merges lists by their keys, and is rejected for custom kinds': async ({ kubectl }) => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ name: 'x', port: 80 }] },
    };
    await kubectl.ok('create -f -', service);
    await kubectl.ok(`patch service a -p '{"spec":{"ports":[{"name":"y","port":81}]}}'`);
    assert.equal(await kubectl.ok("get service a -o 'jsonpath={.spec.ports[*].port}'"), '81 80');
    await kubectl.ok('create -f -', machine('a'));
    const err = await kubectl.refused(`patch vm a --type=strategic -p '{"spec":{"disk":40}}'`);
    assert.match(err, /the body of the request was in an unknown format - accepted media types include/);
  },
  'label and annotate change the metadata of custom kinds': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('labelled'));
    await kubectl.ok('label vm labelled tier=web');
    await kubectl.ok('annotate vm labelled note=kept');
    assert.match(await kubectl.ok('get vm -l tier=web -o name'), /labelled/);
    assert.match(await kubectl.refused('label vm labelled tier=db'), /already has a value/);
    await kubectl.ok('label vm labelled tier=db --overwrite');
    assert.match(await kubectl.ok('get vm -L tier --no-headers'), /db/);
    assert.match(await kubectl.ok('label vm labelled tier-'), /unlabeled/);
  },
  'get shows the printer columns, and wide columns with -o wide': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('shown'));
    assert.match(await kubectl.ok('get vm shown'), /^NAME +PHASE +MEMORY +AGE\s+shown +1024 +/);
    assert.match(await kubectl.ok('get vm shown -o wide'), /^NAME +PHASE +MEMORY +ADDRESS +AGE/);
  },
  'get prints YAML, JSON, names, custom columns, templates, and sorted lists': async ({ kubectl }) => {
    await kubectl.ok(
      'create -f -',
      list(settings('b', { size: '1' }), settings('a', { size: '3' }), settings('c', { size: '2' })),
    );
    assert.match(await kubectl.ok('get configmap a -o yaml'), /^kind: ConfigMap$/m);
    assert.equal(JSON.parse(await kubectl.ok('get configmap a -o json')).data.size, '3');
    const names = "-l '!kubernetes.io' --field-selector metadata.name!=kube-root-ca.crt";
    assert.equal(await kubectl.ok(`get configmap ${names} -o name`), 'configmap/a\nconfigmap/b\nconfigmap/c\n');
    const columns = await kubectl.ok(
      `get configmap ${names} --sort-by=.data.size -o custom-columns=N:.metadata.name,S:.data.size`,
    );
    assert.match(columns, /^N +S\nb +1\nc +2\na +3\n$/);
    assert.equal(
      await kubectl.ok(`get configmap ${names} -o 'go-template={{range .items}}{{.metadata.name}};{{end}}'`),
      'a;b;c;',
    );
    assert.equal(
      await kubectl.ok(`get configmap ${names} -o 'jsonpath={.items[?(@.data.size=="2")].metadata.name}'`),
      'c',
    );
  },
  'get -w shows changes': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('watched'));
    const seen: string[] = [];
    for await (const line of kubectl.lines('get vm watched -w --no-headers')) {
      seen.push(line);
      if (seen.length === 1) await kubectl.ok('patch vm watched --type=merge -p \'{"spec":{"memory":4096}}\'');
      if (line.includes('4096')) break;
    }
    assert.equal(seen.length, 2);
  },
  'get -w --output-watch-events prints the event types': async ({ kubectl }) => {
    const seen: string[] = [];
    await kubectl.ok('create -f -', machine('gone'));
    for await (const line of kubectl.lines('get vm -w --output-watch-events --no-headers')) {
      seen.push(line.split(/ +/).slice(0, 2).join(' '));
      if (seen.length === 1) await kubectl.ok('delete vm gone --wait=false');
      if (line.startsWith('DELETED')) break;
    }
    assert.deepEqual(seen, ['ADDED gone', 'DELETED gone']);
  },
  'get reports absent objects, empty lists, and unknown resources': async ({ kubectl }) => {
    assert.equal(
      await kubectl.refused('get configmap none'),
      'Error from server (NotFound): configmaps "none" not found\n',
    );
    assert.equal((await kubectl.run('get vm')).err, `No resources found in ${kubectl.namespace} namespace.\n`);
    assert.equal(await kubectl.ok('get configmap none --ignore-not-found'), '');
    assert.match(await kubectl.refused('get gadgets'), /the server doesn't have a resource type "gadgets"/);
  },
  'get --chunk-size returns the whole list': async ({ kubectl }) => {
    await kubectl.ok(
      'create -f -',
      list(...['a', 'b', 'c', 'd', 'e'].map((name) => settings(name, {}, { page: 'x' }))),
    );
    assert.equal((await kubectl.ok('get configmap -l page=x -o name --chunk-size=2')).split('\n').length, 6);
  },
  'get --subresource shows the status': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('a'));
    await kubectl.ok(`patch vm a --subresource=status --type=merge -p '{"status":{"phase":"Complete"}}'`);
    assert.equal(await kubectl.ok("get vm a --subresource=status -o 'jsonpath={.status.phase}'"), 'Complete');
  },
  'get --raw reads any path': async ({ kubectl }) => {
    assert.equal(await kubectl.ok('get --raw /readyz'), 'ok');
    assert.equal(JSON.parse(await kubectl.ok('get --raw /api/v1/namespaces/default')).metadata.name, 'default');
    assert.match(await kubectl.refused('get --raw /apis/none.example.com/v1'), /NotFound/);
  },
  'create --raw and delete --raw write any path': async ({ kubectl }) => {
    const maps = `/api/v1/namespaces/${kubectl.namespace}/configmaps`;
    const made = JSON.parse(await kubectl.ok(`create --raw ${maps} -f -`, settings('a')));
    assert.equal(made.metadata.name, 'a');
    assert.equal(JSON.parse(await kubectl.ok(`delete --raw ${maps}/a`)).status, 'Success');
  },
  'describe prints an object and its Events': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('described'));
    const described = await kubectl.ok('describe vm described');
    assert.match(described, /^Name: +described$/m);
    assert.match(described, /^ +Image: +debian-12$/m);
    assert.match(described, /^Events: +<none>$/m);
  },
  'events lists Events, by type and for one object': async ({ kubectl }) => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'a.1' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: kubectl.namespace },
      reason: 'Painted',
      message: 'it is green',
      type: 'Normal',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
    };
    await kubectl.ok('create -f -', event);
    assert.match(
      await kubectl.ok('events'),
      /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n\S+ +Normal +Painted +ConfigMap\/a +it is green$/m,
    );
    assert.match(await kubectl.ok('events --for configmap/a'), /Painted/);
    assert.match((await kubectl.run('events --types=Warning')).err, /No events found/);
    assert.match(await kubectl.ok('get events'), /Painted +configmap\/a +it is green/);
  },
  'wait waits for a field, a condition, and a deletion': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('a'));
    const field = kubectl.ok("wait --for=jsonpath='{.status.phase}'=Complete vm/a --timeout=30s");
    await kubectl.ok(`patch vm a --subresource=status --type=merge -p '{"status":{"phase":"Complete"}}'`);
    assert.match(await field, /condition met/);
    const deletion = kubectl.ok('wait --for=delete vm/a --timeout=30s');
    await kubectl.ok('delete vm a');
    assert.match(await deletion, /condition met|^$/);
    assert.match(
      await kubectl.ok('wait --for=condition=Established crd/virtualmachines.cloud.waibizi.com'),
      /condition met/,
    );
  },
  'wait fails after its timeout': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('a'));
    const err = await kubectl.refused("wait --for=jsonpath='{.status.phase}'=Complete vm/a --timeout=1s");
    assert.match(err, /timed out waiting for the condition on virtualmachines\/a/);
  },
  'create reports every invalid field of an object': async ({ kubectl }) => {
    const err = await kubectl.refused('create --validate=false -f -', machine('invalid', { memory: 1, image: '' }));
    assert.match(err, /VirtualMachine.* "invalid" is invalid/);
    assert.match(err, /spec\.memory: Invalid value: 1: spec\.memory in body should be greater than or equal to 128/);
    assert.match(err, /spec\.image/);
  },
  'create rejects unknown fields, and only warns about unknown fields with --validate=warn': async ({ kubectl }) => {
    const err = await kubectl.refused('create -f -', machine('a', { wheels: 4 }));
    assert.match(err, /strict decoding error: unknown field "spec\.wheels"/);
    const { code, err: warned } = await kubectl.run('create --validate=warn -f -', machine('a', { wheels: 4 }));
    assert.equal(code, 0);
    assert.match(warned, /Warning: unknown field "spec\.wheels"/);
    assert.match(await kubectl.refused('create -f -', { ...settings('b'), colour: 'red' }), /unknown field "colour"/);
  },
  'delete deletes an object and reports the deletion': async ({ kubectl }) => {
    await kubectl.ok('create -f -', machine('doomed'));
    assert.match(await kubectl.ok('delete vm doomed'), /"doomed" deleted/);
    assert.match(
      await kubectl.refused('get vm doomed'),
      /NotFound.*virtualmachines\.cloud\.waibizi\.com "doomed" not found/,
    );
    assert.equal(await kubectl.ok('delete vm doomed --ignore-not-found'), '');
  },
  'delete -l and --all delete several objects': async ({ kubectl }) => {
    await kubectl.ok('create -f -', list(machine('a'), machine('b'), machine('c')));
    await kubectl.ok('label vm a b tier=web');
    await kubectl.ok('delete vm -l tier=web');
    assert.match(await kubectl.ok('get vm -o name'), /^virtualmachine.cloud.waibizi.com\/c\n$/);
    await kubectl.ok('delete vm --all');
    assert.equal(await kubectl.ok('get vm -o name'), '');
  },
  'delete --dry-run=server deletes nothing': async ({ kubectl }) => {
    await kubectl.ok('create -f -', settings('a'));
    assert.match(await kubectl.ok('delete configmap a --dry-run=server'), /deleted.* \(server dry run\)/);
    assert.equal(await kubectl.ok('get configmap a -o name'), 'configmap/a\n');
  },
  'delete namespace deletes the objects of the namespace': async ({ kubectl }) => {
    const name = `${kubectl.namespace}-team`;
    await kubectl.ok(`create namespace ${name}`);
    await kubectl.ok(`apply -n ${name} -f -`, settings('a'));
    assert.match(await kubectl.ok(`delete namespace ${name} --timeout=60s`), /deleted/);
    assert.match(await kubectl.refused(`get configmap a -n ${name}`), /not found/);
  },
};

async function script(folder: string, name: string, command: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${command}\n`);
  await chmod(path, 0o755);
  return path;
}
