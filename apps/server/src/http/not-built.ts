/**
 * What of Sentry's API is not there yet. Its programs take a 404 for a statement about what they asked for ("organization
 * not found", no repositories at all), so these addresses are answered 501 with a sentence that they print as it is.
 */

const UPLOADS = 'uploads of other kinds; bundles of source maps, debug files and files of releases are taken'
const DEPLOYS = 'deploys at the address of a project; those of the organisation’s releases are there'
const BUILDS = 'builds and snapshots of apps'
const ALERTS = 'the list of both older kinds of alerts; `rules/` and `alert-rules/` have one each'
const MANY_ALERTS = 'changing or deleting many alerts or monitors in one call; one at a time goes'
const APPS = 'apps and integrations of Sentry; channels take their place, below `channels/`'
const ACTIONS = 'a list of what alerts can do; they tell people and channels, which are below `channels/`'
const PINNED = 'pinned searches and views; saved searches are below `searches/`'
const DASHBOARDS = 'dashboards'
const AGENTS = 'answers of Sentry’s AI, and conversations of other agents'
const DROPPED = 'what was dropped, in this form; `stats_v2/` counts it by outcome and reason'
const PLANS = 'plans and trials: nothing of it is sold'
const TRACES = 'traces in this older form; those of today are below `trace/`'

/** Below an organisation and below a project: the beginning of the path, for these methods (all where none is named). */
const OF_BOTH: readonly (readonly [pattern: string, what: string, methods?: readonly string[]])[] = [
  ['releases/*/deploys', DEPLOYS],
]

const OF_ORGANIZATIONS: typeof OF_BOTH = [
  ...OF_BOTH,
  ['preprodartifacts', BUILDS],
  ['combined-rules', ALERTS],
  ['workflows', MANY_ALERTS, ['PUT', 'DELETE']],
  ['detectors', MANY_ALERTS, ['PUT', 'DELETE']],
  ['available-actions', ACTIONS],
  ['notifications', ACTIONS, ['POST', 'PUT', 'DELETE']],
  ['integrations', APPS],
  ['sentry-apps', APPS],
  ['sentry-app-installations', APPS],
  ['pinned-searches', PINNED],
  ['group-search-views', PINNED],
  ['dashboards', DASHBOARDS],
  ['issues/*/autofix', AGENTS],
  ['agents', AGENTS],
  ['events-dropped', DROPPED],
  ['events-trace', TRACES],
  ['events-trace-light', TRACES],
]

const OF_PROJECTS: typeof OF_BOTH = [
  ...OF_BOTH,
  ['files/preprodartifacts', BUILDS],
  ['files', UPLOADS],
  ['reprocessing', UPLOADS],
  ['preprodartifacts', BUILDS],
]

const KNOWN: Readonly<Record<string, typeof OF_BOTH>> = {
  organizations: OF_ORGANIZATIONS,
  projects: OF_PROJECTS,
  customers: [['*', PLANS]],
}

/**
 * @param path below `/api/0`
 * @returns what of it is not built yet, in words, and of which organisation; null for addresses that nobody has
 */
export const notBuiltYet = (
  method: string,
  path: string,
): { readonly missing: string; readonly organization: string } | null => {
  const [, area, organization = '', ...rest] = path.split('/')
  const below = area === 'projects' ? rest.slice(1) : rest
  const known = KNOWN[area ?? ''] ?? []
  if (organization === '') return null
  const found = known.find(
    ([pattern, , methods = [method]]) =>
      methods.includes(method) && pattern.split('/').every((part, index) => part === '*' || part === below[index]),
  )
  return found === undefined ? null : { missing: found[1], organization }
}

/** Below an organisation: lists of what nobody has here, which clients ask for on their way to something else. */
const EMPTY: ReadonlySet<string> = new Set([
  'group-search-views',
  'integrations',
  'notifications/actions',
  'sentry-app-installations',
  'sentry-apps',
])

/**
 * @param path below `/api/0`
 * @returns the organisation whose list is empty; null for all other addresses
 */
export const emptyListOf = (method: string, path: string): string | null => {
  const [, area, organization = '', ...rest] = path.split('/')
  const name = rest.filter((part) => part !== '').join('/')
  return area === 'organizations' && method === 'GET' && organization !== '' && EMPTY.has(name) ? organization : null
}
