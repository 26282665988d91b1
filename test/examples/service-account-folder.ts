// For `node --import`: redirects reads of the service account files of a Pod to the folder that TEST_SERVICE_ACCOUNT names.
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { readFile } = files;
const folder = process.env['TEST_SERVICE_ACCOUNT'] ?? '';
const moved = (path: unknown): unknown =>
  typeof path === 'string' ? path.replace('/var/run/secrets/kubernetes.io/serviceaccount', folder) : path;
Object.assign(files, {
  readFile: (path: unknown, ...rest: readonly unknown[]): unknown =>
    Reflect.apply(readFile, files, [moved(path), ...rest]),
});
syncBuiltinESMExports();
