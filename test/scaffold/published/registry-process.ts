// A package registry on 127.0.0.1 in its own process. Reports its port by IPC.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { runServer } from 'verdaccio';

const server = (await runServer(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as never)) as Server;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
