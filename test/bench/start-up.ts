// Starts the embedded server on a data folder in a process that has it loaded, some times over, and prints how long each took.
import { ApiServer } from '@kubewright/apiserver';

const [data = '', rounds = '5'] = process.argv.slice(2);
// The first start of a process makes a certificate and reads the schemas; a loaded process has done both.
await (await ApiServer.start()).stop();
const times: number[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  const begun = performance.now();
  const server = await ApiServer.start({ data });
  times.push(performance.now() - begun);
  await server.stop();
}
process.stdout.write(JSON.stringify(times));
