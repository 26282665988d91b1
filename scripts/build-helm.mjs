// Builds Helm from its public Go module. test/control-plane/helm.test.ts runs it against the embedded API server.
import { goPrograms, runGo } from './go-programs.mjs';
import { root } from './setup.mjs';

const name = 'helm';
/** A version with the client libraries of the same Kubernetes minor version as the control plane. */
const version = 'v3.21.4';

/** Builds Helm if necessary, and returns the folder of the program. If Go is not installed, prints a message and returns undefined. */
export function buildHelm() {
  return goPrograms({ name, version, digest: version, build });
}

function build(folder) {
  const program = `helm.sh/helm/v3/cmd/helm@${version}`;
  runGo(['install', '-ldflags', '-s -w', program], { cwd: root, label: name, env: { GOBIN: folder } });
}
