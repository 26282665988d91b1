// For `node --import`: the program finds the service account of its Pod in the folder TEST_SERVICE_ACCOUNT.
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
