import { type GoControllers, goControllers } from './go-controller.js';
import { withoutComments } from './go-text.js';
import { markersIn, type RbacMarker } from './rbac-marker.js';

/** What the Go sources of a project say. */
export interface GoProject extends GoControllers {
  /** The sources of programs beside the operator. */
  readonly otherPrograms: ReadonlySet<string>;
  /** The rights that are asked for, by the path of the source that does; no source without any. */
  readonly markers: ReadonlyMap<string, readonly RbacMarker[]>;
  /** The name of the Lease that the program elects its leader by. */
  readonly leaderElectionId?: string;
  /** The first source that can limit the program to namespaces. */
  readonly namespacesFrom?: string;
  /** The text of a constant; undefined where none has that name. */
  readonly constant: (name: string) => string | undefined;
}

/** Reads the Go sources of a project, by path and without its tests. */
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

/** The sources below cmd that are not in the package of the operator's program, if that is where kubebuilder puts it; otherwise one of them may be it. */
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
