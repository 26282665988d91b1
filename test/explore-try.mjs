import { reportFinding } from '../packages/testing/dist/explore/report/report-findings.js';
import { explore } from '../packages/testing/dist/explore/explore.js';
const e = process.argv[2] ?? 'virtual-machine';
const ex = await import(`@kubewright/example-${e}`);
let external;
if (e === 'dns-zone') {
  const { MemoryDns } = await import('./dist/chaos/memory-dns.js');
  external = () => {
    const dns = new MemoryDns();
    dns.state = () =>
      JSON.parse(
        JSON.stringify(['example.com', 'a.example.com', 'b.example.com'].map((d) => dns.recordsOf(d) ?? null)),
      );
    return [dns];
  };
}
const { kinds, controllers, samples } = ex;
const c0 = process.cpuUsage();
const r = await explore({
  report: 'return',
  explored: [kinds[Number(process.argv[4] ?? 0)]],
  kinds,
  controllers,
  samples,
  ...(external && { external }),
  budget: `${process.argv[3] ?? 60}s`,
  onProgress: (p) => {
    if (p.trials % 50 === 0) console.error(p.trials, p.refused, p.changes, p.findings.length);
  },
});
const c = process.cpuUsage(c0);
console.log(
  r.trials,
  'trials',
  r.changes,
  'changes',
  'cpu s',
  (c.user + c.system) / 1e6,
  'trials/cpu-s',
  r.trials / ((c.user + c.system) / 1e6),
);
for (const f of r.findings) console.log(reportFinding(f));
