// Starts a manager with one or more kinds. Measures the CPU time until the caches are synced, and then the memory of the idle process.
import { defineKind, type KindRef } from '@kubewright/api';
import { Manager, Result } from '@kubewright/runtime';
import { WebService } from './kinds.js';
import { connection, cpuMicros, report, residentMegabytes, sleep, work } from './process-figures.js';

const { kinds = 1, seconds = 0 } = work;
const declared: readonly KindRef[] =
  kinds === 1
    ? [WebService]
    : Array.from({ length: kinds }, (_, at) =>
        defineKind({ group: 'numbered.example.com', version: 'v1', kind: `Numbered${at}`, spec: { type: 'object' } }),
      );
const manager = new Manager({ connection });
for (const [at, kind] of declared.entries()) {
  manager.control({ for: kind, name: `controller-${at}` }, async () => Result.done());
}
await manager.start();
const cpuMs = cpuMicros() / 1000;
await sleep(seconds * 1000);
report({ cpuMs, rssMegabytes: residentMegabytes() });
