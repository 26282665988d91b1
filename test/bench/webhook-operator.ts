// Serves the measured webhooks with the runtime of a checkout. Prints the CPU time of this process in microseconds for each line of the
// standard input, and ends with the standard input, like the program in peers.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

type Api = typeof import('@kubewright/api');
type Runtime = typeof import('@kubewright/runtime');

const [root = '', port = '', folder = ''] = process.argv.slice(2);
const checkout = createRequire(join(root, 'packages', 'runtime', 'package.json'));
async function load<T>(specifier: string): Promise<T> {
  return (await import(pathToFileURL(checkout.resolve(specifier)).href)) as T;
}

interface Container {
  readonly name: string;
  readonly pullPolicy?: string;
}
interface Shared {
  readonly maxReplicas: number;
  readonly strategy?: string;
  readonly containers: readonly Container[];
}
type Spec = Shared & { readonly replicas: number };
type OldSpec = Shared & { readonly instances: number };

const text = { type: 'string' };
const variable = { type: 'object', properties: { name: text, value: text } };
const container = {
  type: 'object',
  properties: {
    name: text,
    image: text,
    pullPolicy: text,
    args: { type: 'array', items: text },
    env: { type: 'array', items: variable },
  },
};
const shared = {
  maxReplicas: { type: 'integer' },
  paused: { type: 'boolean' },
  strategy: text,
  selector: { type: 'object', additionalProperties: text },
  containers: { type: 'array', items: container },
};
const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const [{ defineKind }, { Manager }] = [await load<Api>('@kubewright/api'), await load<Runtime>('@kubewright/runtime')];
const names = { group: 'bench.dev', kind: 'Gadget', status } as const;
const Gadget = defineKind<Spec, object>({
  ...names,
  version: 'v1',
  storage: true,
  spec: { type: 'object', properties: { ...shared, replicas: { type: 'integer' } } },
});
const OldGadget = defineKind<OldSpec, object>({
  ...names,
  version: 'v1beta1',
  spec: { type: 'object', properties: { ...shared, instances: { type: 'integer' } } },
});

const manager = new Manager({
  connection: { server: 'http://127.0.0.1:1' },
  settings: false,
  webhooks: {
    host: '127.0.0.1',
    port: Number(port),
    certificates: { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') },
  },
});
manager.validate({ for: Gadget }, ({ spec }) => {
  const seen = new Set<string>();
  const duplicates = spec.containers.flatMap(({ name }, at) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ field: `spec.containers[${at}].name`, message: 'must be unique' }];
  });
  if (spec.replicas <= spec.maxReplicas) return duplicates;
  return [{ field: 'spec.replicas', message: 'is more than maxReplicas' }, ...duplicates];
});
manager.default({ for: Gadget }, ({ spec }) => {
  spec.strategy ??= 'Rolling';
  for (const each of spec.containers) each.pullPolicy ??= 'IfNotPresent';
});
manager.convert(
  { from: OldGadget, hub: Gadget },
  {
    up: ({ spec: { instances, ...rest }, ...object }) => ({ ...object, spec: { replicas: instances, ...rest } }),
    down: ({ spec: { replicas, ...rest }, ...object }) => ({ ...object, spec: { instances: replicas, ...rest } }),
  },
);
await manager.start();
for await (const _ of createInterface({ input: process.stdin })) {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${user + system}\n`);
}
await manager.stop();
