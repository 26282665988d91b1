// Imports the module of an operator in inspection mode, and sends the permissions derived from its declarations over IPC.
import type { Manager } from '@kubewright/runtime';
import { INSPECTION } from '@kubewright/runtime/internal';
import { permissionsOf } from '@kubewright/runtime/permissions';

const [main = ''] = process.argv.slice(2);
Object.assign(globalThis, {
  [INSPECTION]: (manager: Manager) => process.send?.(permissionsOf(manager.describe()), () => process.exit(0)),
});
await import(main);
