#!/usr/bin/env node
import { OLDEST_NODE } from './command/oldest-node.js';
import { isAtLeast } from './command/version-order.js';

const { node } = process.versions;
if (isAtLeast(node, OLDEST_NODE)) {
  // Imported only after the check, because an older Node.js may not be able to load the module.
  const { runProcess } = await import('./command/run-process.js');
  await runProcess();
} else {
  process.stderr.write(`error: this is Node.js ${node}; install Node.js ${OLDEST_NODE} or newer\n`);
  process.exitCode = 2;
}
