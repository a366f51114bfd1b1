import { execFileSync } from 'node:child_process'

export interface FirsthandOptions {
  /** Where Firsthand is. Default: `FIRSTHAND_URL`, then `SENTRY_URL`. */
  readonly url?: string | undefined
  /** Short name of the organisation. Default: `FIRSTHAND_ORG`, then `SENTRY_ORG`. */
  readonly org?: string | undefined
  /** Short name of the project. Default: `FIRSTHAND_PROJECT`, then `SENTRY_PROJECT`. */
  readonly project?: string | undefined
  /** A token for builds (`org:ci`). Default: `FIRSTHAND_AUTH_TOKEN`, then `SENTRY_AUTH_TOKEN`. */
  readonly token?: string | undefined
  /**
   * What the build is called, in the page and in Firsthand; false for no release: files are then found by their debug ids
   * alone. Default: `FIRSTHAND_RELEASE`, then `SENTRY_RELEASE`, the commit that the CI names, the commit of the folder.
   */
  readonly release?: string | false | undefined
  /** One of several builds of a release. */
  readonly dist?: string | undefined
  /** Whether maps are removed from the output once Firsthand has them. Default: true. */
  readonly deleteMaps?: boolean | undefined
  /** Whether the release is marked as released when its maps are there. Default: true. */
  readonly finalize?: boolean | undefined
  /** What becomes of the build when the upload fails. Default: 'fail'. */
  readonly onError?: 'fail' | 'warn' | undefined
  /** Says nothing but what is wrong. */
  readonly silent?: boolean | undefined
}

export interface Settings {
  /** Without a slash at its end, and without a query: it is printed. */
  readonly url: string
  readonly org: string
  readonly project: string
  readonly token: string
  readonly release: string | null
  readonly dist: string | null
  readonly deleteMaps: boolean
  readonly finalize: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Names of what a build needs: as an option, and as variables of the environment. */
const NEEDED = {
  url: ['FIRSTHAND_URL', 'SENTRY_URL'],
  org: ['FIRSTHAND_ORG', 'SENTRY_ORG'],
  project: ['FIRSTHAND_PROJECT', 'SENTRY_PROJECT'],
  token: ['FIRSTHAND_AUTH_TOKEN', 'SENTRY_AUTH_TOKEN'],
} as const

/** Where the commit that is built stands, on the machines of those who build. */
const COMMITS = [
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'BITBUCKET_COMMIT',
  'CIRCLE_SHA1',
  'VERCEL_GIT_COMMIT_SHA',
  'CF_PAGES_COMMIT_SHA',
  'COMMIT_REF',
  'BUILD_SOURCEVERSION',
  'SOURCE_VERSION',
]

const firstOf = (environment: Environment, names: readonly string[]): string | undefined =>
  names.map((name) => environment[name]?.trim()).find((value) => value !== undefined && value !== '')

/** @returns the settings, or a sentence about what is missing or wrong */
export const readSettings = (options: FirsthandOptions, environment: Environment): Settings | string => {
  const given = Object.fromEntries(
    Object.entries(NEEDED).map(([name, variables]) => [
      name,
      options[name as keyof typeof NEEDED]?.trim() || (firstOf(environment, variables) ?? ''),
    ]),
  ) as Record<keyof typeof NEEDED, string>
  const missing = (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).filter((name) => given[name] === '')
  if (missing.length > 0) {
    const ways = missing.map((name) => `${name} (or ${NEEDED[name][0]})`).join(', ')
    return `source maps are not uploaded: ${ways} ${missing.length === 1 ? 'is' : 'are'} missing. Errors of this build will show minified code.`
  }
  if (!/^https?:\/\/[^/]/i.test(given.url) || !URL.canParse(given.url)) {
    // A name and a password may stand before the last @.
    return `source maps are not uploaded, as url is no address: ${given.url.replace(/^.*@/s, '')}. It begins with https:// and is what you open Firsthand with.`
  }
  const { origin, password, pathname, username } = new URL(given.url)
  if (username !== '' || password !== '') {
    return 'source maps are not uploaded, as url holds a name or a password. Write it without them; what lets you in is the token alone.'
  }
  return {
    ...given,
    url: (origin + pathname).replace(/\/+$/, ''),
    release: options.release === false ? null : options.release?.trim() || releaseOf(environment),
    dist: options.dist?.trim() || null,
    deleteMaps: options.deleteMaps ?? true,
    finalize: options.finalize ?? true,
  }
}

/** Whoever builds on their own machine silences tools with `CI=false`. */
export const isBuiltByCi = (environment: Environment): boolean =>
  !/^(?:|0|false|no|off)$/i.test(environment['CI']?.trim() ?? '')

const releaseOf = (environment: Environment): string | null =>
  firstOf(environment, ['FIRSTHAND_RELEASE', 'SENTRY_RELEASE', ...COMMITS]) ?? commitOfFolder()

const commitOfFolder = (): string | null => {
  try {
    const text = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return text.trim() || null
  } catch {
    // Not a repository, or there is no git: the build has no release then.
    return null
  }
}
