// Runs instead of etcd in the environments of controller-runtime's envtest. The embedded API server has its own storage, so this program
// only answers the health check of envtest, on the address of --listen-client-urls.
import { createServer } from 'node:http';
import { envtestFlags, stopWithParent } from './envtest-program.js';

const flags = envtestFlags(['listen-client-urls']);
if (flags !== 'help') {
  const { hostname, port } = new URL(flags['listen-client-urls']);
  const server = createServer((_request, response) => void response.end('{"health":"true"}'));
  server.listen(Number(port), hostname);
  stopWithParent(() => {
    server.close();
    server.closeAllConnections();
  });
}
