#!/usr/bin/env node
// This file exists before the build, so that npm links the command during the installation.
import { existsSync } from 'node:fs';

const program = new URL('../dist/bin.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('error: the package is not built; run npm run build in the clone\n');
  process.exitCode = 2;
}
