#!/usr/bin/env node
import { OLDEST_NODE } from './command/oldest-node.js';
import { isAtLeast } from './command/version-order.js';

const { node } = process.versions;
if (isAtLeast(node, OLDEST_NODE)) {
  // Not before it is known that it can be loaded.
  const { runProcess } = await import('./command/run-process.js');
  await runProcess();
} else {
  process.stderr.write(`error: this is Node.js ${node}; install Node.js ${OLDEST_NODE} or newer\n`);
  process.exitCode = 2;
}
