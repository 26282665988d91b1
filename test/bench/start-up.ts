// Starts the embedded server several times on a data folder, in a process that has already loaded the server, and prints the duration of
// each start.
import { ApiServer } from '@kubewright/apiserver';

const [data = '', rounds = '5'] = process.argv.slice(2);
// The first start in a process creates a certificate and reads the schemas. Later starts reuse both.
await (await ApiServer.start()).stop();
const times: number[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  const begun = performance.now();
  const server = await ApiServer.start({ data });
  times.push(performance.now() - begun);
  await server.stop();
}
process.stdout.write(JSON.stringify(times));
