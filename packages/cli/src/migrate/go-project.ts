import { type GoControllers, goControllers } from './go-controller.js';
import { withoutComments } from './go-text.js';
import { markersIn, type RbacMarker } from './rbac-marker.js';

/** The declarations in the Go sources of a project. */
export interface GoProject extends GoControllers {
  /** The paths of sources below cmd that belong to programs other than the operator. */
  readonly otherPrograms: ReadonlySet<string>;
  /** The RBAC markers (`+kubebuilder:rbac`) by path of the source. Omits sources without markers. */
  readonly markers: ReadonlyMap<string, readonly RbacMarker[]>;
  /** The name of the Lease for leader election. */
  readonly leaderElectionId?: string;
  /** The path of the first source that mentions DefaultNamespaces or WATCH_NAMESPACE, which restrict the operator to namespaces. */
  readonly namespacesFrom?: string;
  /** Returns the text of a Go string constant; undefined if no source declares the constant. */
  readonly constant: (name: string) => string | undefined;
}

/**
 * Finds the declarations in the Go sources of a project.
 * @param sources the texts by path, without tests
 */
export function goProject(sources: ReadonlyMap<string, string>): GoProject {
  const bare = new Map([...sources].map(([path, text]) => [path, withoutComments(text)]));
  const otherPrograms = new Set(programsBeside(sources));
  const own = new Map([...bare].filter(([path]) => !otherPrograms.has(path)));
  const leaderElectionId = firstMatch(own, /\bLeaderElectionID:\s*"([^"]+)"/)?.text;
  const namespacesFrom = firstMatch(own, /\b(DefaultNamespaces|WATCH_NAMESPACE)\b/)?.path;
  const markers = [...sources].map(([path, text]) => [path, markersIn(text)] as const);
  return {
    ...goControllers(sources),
    otherPrograms,
    markers: new Map(markers.filter(([, each]) => each.length > 0)),
    ...(leaderElectionId !== undefined && { leaderElectionId }),
    ...(namespacesFrom !== undefined && { namespacesFrom }),
    constant: (name) => firstMatch(bare, new RegExp(`\\b${name}(?:\\s+string)?\\s*:?=\\s*"([^"]+)"`))?.text,
  };
}

/**
 * Returns the paths of sources below cmd that belong to programs other than the operator. Returns an empty list if neither cmd/main.go nor
 * main.go exists, because the program of the operator is then unknown.
 */
function programsBeside(sources: ReadonlyMap<string, string>): readonly string[] {
  const own = sources.has('cmd/main.go') ? /^cmd\/[^/]+$/ : sources.has('main.go') ? /^[^/]+$/ : undefined;
  return own === undefined ? [] : [...sources.keys()].filter((path) => path.startsWith('cmd/') && !own.test(path));
}

function firstMatch(
  sources: ReadonlyMap<string, string>,
  pattern: RegExp,
): { readonly path: string; readonly text: string } | undefined {
  for (const [path, source] of sources) {
    const [, text] = pattern.exec(source) ?? [];
    if (text !== undefined) return { path, text };
  }
  return undefined;
}
