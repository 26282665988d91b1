// node go-mod.mjs v1.36.3 [etcd v3.6.8] [kwok v0.8.0] > go.mod: prints the go.mod for a version of Kubernetes. The go.mod of Kubernetes
// replaces its libraries with its staging folders, which other modules do not inherit. The printed go.mod replaces each library with the
// published module of the same release. Afterwards run: go get -tool k8s.io/sample-controller, go mod tidy.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [version, etcd, kwok = 'v0.8.0'] = process.argv.slice(2);
const { stdout } = spawnSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], {
  cwd: '/',
  encoding: 'utf8',
});
const own = readFileSync(JSON.parse(stdout).GoMod, 'utf8');
const staging = [...own.matchAll(/^\t(\S+) => \.\/staging\/src\/\S+/gm)].map(([, name]) => name);
const library = version.replace(/^v1/, 'v0');
const [, go] = /^go (\S+)/m.exec(own);
const [, godebug] = /^godebug default=(\S+)/m.exec(own) ?? [];
const [, ownEtcd] = /go\.etcd\.io\/etcd\/client\/v3 (\S+)/.exec(own);
console.log(`module kubewright/test/control-plane

go ${go}
${godebug === undefined ? '' : `\ngodebug default=${godebug}\n`}
require (
\tgo.etcd.io/etcd/server/v3 ${etcd ?? ownEtcd}
\tk8s.io/component-base ${library}
\tk8s.io/kubernetes ${version}
\tsigs.k8s.io/kwok ${kwok}
)

replace (
${staging.map((name) => `\t${name} => ${name} ${library}`).join('\n')}
)`);
