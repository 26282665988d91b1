// Runs instead of kube-apiserver in the environments of controller-runtime's envtest: starts the embedded API server. The flags of
// kube-apiserver specify the address, the serving certificate and the authority of client certificates. This program ignores the other
// flags, which select features that the embedded API server always has, such as RBAC, or files that it does not need.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { envtestFlags, stopWithParent } from './envtest-program.js';

const flags = envtestFlags(['bind-address', 'secure-port', 'cert-dir', 'client-ca-file']);
if (flags !== 'help') {
  // Loads the server only here, because envtest calls the program with `--help` before each start.
  const { ApiServer } = await import('@kubewright/apiserver');
  const certificate = readFileSync(join(flags['cert-dir'], 'apiserver.crt'), 'utf8');
  const server = await ApiServer.start({
    host: flags['bind-address'],
    port: Number(flags['secure-port']),
    // envtest does not write the certificate of the authority to a file. Clients get that certificate from envtest, not from the server.
    tls: {
      certificate,
      certificateAuthority: certificate,
      key: readFileSync(join(flags['cert-dir'], 'apiserver.key'), 'utf8'),
    },
    clientCertificateAuthorities: readFileSync(flags['client-ca-file'], 'utf8'),
  });
  const log = process.env['KUBEWRIGHT_ENVTEST_SERVERS'];
  if (log !== undefined) appendFileSync(log, `${server.url}\n`);
  stopWithParent(() => void server.stop());
}
