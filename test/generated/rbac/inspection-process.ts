// Imports the module of an operator under inspection, and tells by IPC what rights follow from what it declares.
import type { Manager } from '@kubewright/runtime';
import { INSPECTION } from '@kubewright/runtime/internal';
import { rightsOf } from '@kubewright/runtime/rights';

const [main = ''] = process.argv.slice(2);
Object.assign(globalThis, {
  [INSPECTION]: (manager: Manager) => process.send?.(rightsOf(manager.describe()), () => process.exit(0)),
});
await import(main);
