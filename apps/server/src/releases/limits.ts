/** Limits of what is said of releases. */
export const LIMITS = {
  /** Of a commit's message; what is longer is cut. */
  COMMIT_MESSAGE_CHARACTERS: 4096,
  /** Files that one commit changed; of more, the first. */
  COMMIT_FILES: 500,
  /** Authors of a release that are named. */
  RELEASE_AUTHORS: 50,
  /** Deploys of one release; the oldest goes for a newer one. */
  RELEASE_DEPLOYS: 1000,
  /** In an organisation that has so many, sessions name no new ones. */
  RELEASES_NAMED: 10_000,
  /** Releases among which the one before another is looked for; the newest of those that share a project. */
  RELEASE_NEIGHBOURS: 1000,
  /** Repositories of one organisation. */
  REPOSITORIES: 1000,
  /** Marks of releases on a chart; of more, the newest. */
  RELEASE_MARKS: 50,
  /** Code mappings of one project. */
  CODE_MAPPINGS: 300,
} as const
