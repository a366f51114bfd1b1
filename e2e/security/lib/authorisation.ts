import { API_PREFIX, ENDPOINTS } from '../../../packages/contract/src/index.ts'
import type { Endpoint } from '../../../packages/contract/src/index.ts'
import { ACCESS, CALLED_BY_BUILDS, INGEST, PAGES, ROLES_PROBED } from './access-table.ts'
import type { Need } from './access-table.ts'
import { changesBetween, describeChange, foreignChanges, readLedger } from './ledger-rows.ts'
import { harmlessTargetOf, targetOf } from './requests.ts'
import type { Target } from './requests.ts'
import { ask, bearer } from './session.ts'
import type { Answer, Headers } from './session.ts'
import { REMOVED } from './world.ts'
import type { Principal, World } from './world.ts'

/**
 * Every endpoint of the contract × every principal. What is expected comes from `access-table.ts` alone.
 *
 * Those who may not get a request that would work: real ids, a real body. Those who may read get real ids, and an answer
 * is expected; those who may write ask about nothing, so that the victim stays whole for the next principal. At the end
 * the owner really does all of it (`control`), which shows that the requests would have worked.
 */
export interface AuthorisationFigures {
  readonly endpoints: number
  /** Probes by principal. */
  readonly probes: ReadonlyMap<string, number>
  /** What should not have been; empty is the goal. */
  readonly failures: readonly string[]
}

const AT_ONCE = 8
const ABOUT_ONESELF: ReadonlySet<Need> = new Set(['public', 'signed-in', 'session', 'person'])

type Named = readonly [name: string, endpoint: Endpoint]

/** Refuses to run while an endpoint has no row, or a row no endpoint. */
export const checkTable = (): string[] => [
  ...Object.entries(ENDPOINTS)
    .filter(([name]) => ACCESS[name] === undefined)
    .map(
      ([name, { method, path }]) => `access-table.ts has no row for ${name} (${method} ${path}): add who may call it`,
    ),
  ...Object.keys(ACCESS)
    .filter((name) => ENDPOINTS[name] === undefined)
    .map((name) => `access-table.ts has a row for ${name}, which the contract does not have: take it out`),
]

const isRead = (endpoint: Endpoint): boolean => endpoint.method === 'GET'

const isOwnAccount = (endpoint: Endpoint): boolean => !isRead(endpoint) && endpoint.path.startsWith('/users/me/')

/** `/issues/{issue}/…`, without the organisation, is answered as well, and `groups` is another word for `issues`. */
const olderAddresses = (): Named[] =>
  Object.entries(ENDPOINTS)
    .filter(([, { path }]) => path.startsWith('/organizations/{org}/issues/{issue}/'))
    .flatMap(([name, endpoint]) =>
      ['/issues/', '/groups/', '/organizations/{org}/groups/'].map((begin): Named => [
        name,
        { ...endpoint, path: endpoint.path.replace('/organizations/{org}/issues/', begin) },
      ]),
    )

/** What answers a report of the inbox where an issue is named. */
const OF_REPORTS: ReadonlySet<string> = new Set([
  'getIssue',
  'updateIssue',
  'listIssueEvents',
  'listIssueNotes',
  'createIssueNote',
  'deleteIssueNote',
  'listIssueComments',
  'createIssueComment',
  'listIssueActivities',
  'listIssueTags',
])
const reportsAsIssues = (endpoints: readonly Named[]): Named[] =>
  endpoints
    .filter(([name]) => OF_REPORTS.has(name))
    .map(([name, endpoint]) => [name, { ...endpoint, path: endpoint.path.replace('{issue}', '{report}') }])

/** What is one person's alone: others of the organisation may ask, and there is nothing for them. */
const OF_ONE_PERSON: ReadonlySet<string> = new Set(['getInboxEntry'])

type Expectation =
  | { readonly kind: 'refused'; readonly statuses: readonly number[] }
  /** May call it; a read must answer. */
  | { readonly kind: 'served' }
  /** Own organisation, foreign ids: no answer about them. */
  | { readonly kind: 'empty-handed' }
  | { readonly kind: 'left out' }

const refused = (...statuses: number[]): Expectation => ({ kind: 'refused', statuses })

const expectationOf = (name: string, need: Need, endpoint: Endpoint, principal: Principal): Expectation => {
  const { kind, standing, scopes, asksAs } = principal
  if (need === 'public') return { kind: 'empty-handed' }
  if (standing === 'nobody') return refused(401)
  if (standing === 'reads only' && !isRead(endpoint)) return refused(403)
  if (need === 'signed-in' || need === 'session' || need === 'person') {
    // An organisation that they are not in is not there for them, whatever they ask of it.
    if (endpoint.path.startsWith('/organizations/{org}/') && standing === 'outside' && asksAs === undefined) {
      return refused(404)
    }
    if (need === 'session' && kind === 'token') return refused(401, 403)
    if (need === 'person' && kind === 'token') return { kind: 'empty-handed' }
    // Ending one's own session is tried in the control.
    return !isRead(endpoint) && endpoint.body === undefined ? { kind: 'left out' } : { kind: 'served' }
  }
  if (asksAs !== undefined) return { kind: 'empty-handed' }
  if (standing === 'outside') return refused(404)
  const isBuild = CALLED_BY_BUILDS.has(name) && scopes.has('org:ci')
  return isBuild || scopes.has(need) ? { kind: 'served' } : refused(403)
}

/** Tokens stand for the owner, or for nobody who has it. */
const ofOnePerson = (world: World, name: string, principal: Principal, expected: Expectation): Expectation => {
  const isOwner = principal.headers === world.owner || principal.standing === 'reads only'
  if (!OF_ONE_PERSON.has(name) || expected.kind !== 'served' || isOwner) return expected
  return principal.kind === 'token' ? { kind: 'empty-handed' } : refused(404)
}

const send = (world: World, endpoint: Endpoint, target: Target, principal: Principal): Promise<Answer> =>
  ask(`${world.base}${target.path}`, {
    method: endpoint.method,
    headers: { ...principal.headers, ...(target.body === null ? {} : { 'content-type': 'application/json' }) },
    ...(target.body === null ? {} : { body: target.body }),
  })

/** Texts of the victim in an answer that must not have any. */
const leaksIn = (world: World, answer: Answer): string[] =>
  [world.canary, ...world.secrets].filter((secret) => answer.text.includes(secret)).map((secret) => `leaks ${secret}`)

const judge = (
  world: World,
  endpoint: Endpoint,
  need: Need,
  expected: Expectation,
  answer: Answer,
  principal: Principal,
) => {
  const wrong: string[] = []
  if (answer.status === 0 || answer.status >= 500) wrong.push('fails')
  if (expected.kind === 'refused' && !expected.statuses.includes(answer.status)) {
    wrong.push(`is not refused with ${expected.statuses.join(' or ')}`)
  }
  if (expected.kind === 'served') {
    const served = isRead(endpoint) ? answer.status < 300 : ![401, 403].includes(answer.status)
    // An own account may be refused for the wrong password that the probe sends.
    if (!served && !isOwnAccount(endpoint)) wrong.push('is refused, though it may')
  }
  const isVictims = principal.standing === 'inside' || principal.standing === 'reads only'
  if (!isVictims || expected.kind === 'refused') {
    const readsOwnAccount = REMOVED.has(principal.name) && ABOUT_ONESELF.has(need)
    if (!readsOwnAccount) wrong.push(...leaksIn(world, answer))
  }
  return wrong
}

interface Reach {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly status: number
}

/** What a principal may not reach although it may make the call: a role above its own, and what is somebody else's. */
const beyondReach = (world: World, { kind, standing, scopes, headers }: Principal): Reach[] => {
  const { ids, victim, ownerSession } = world
  const members = `/organizations/${victim.organization}/members/`
  const isBelowOwner = standing === 'inside' && ROLES_PROBED.owner.some((scope) => !scopes.has(scope))
  const isAnotherPerson =
    kind === 'session' && (standing === 'inside' || standing === 'outside') && headers !== world.owner
  return [
    ...(isBelowOwner
      ? [
          { method: 'POST', path: members, json: { email: 'heir@evil.example', role: 'owner' }, status: 403 },
          { method: 'PUT', path: `${members}${ids.member}/`, json: { role: 'owner' }, status: 403 },
        ]
      : []),
    ...(isAnotherPerson
      ? [
          { method: 'DELETE', path: `/users/me/api-tokens/${ids.token}/`, status: 404 },
          { method: 'DELETE', path: `/users/me/sessions/${ownerSession}/`, status: 404 },
        ]
      : []),
  ]
}

const inParallel = async <Entry>(entries: readonly Entry[], work: (entry: Entry) => Promise<void>): Promise<void> => {
  const waiting = [...entries]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) await work(entry)
    }),
  )
}

export const probeAuthorisation = async (world: World, chosen: readonly Principal[]): Promise<AuthorisationFigures> => {
  const failures = checkTable()
  const probes = new Map<string, number>()
  const ofIssues = [...Object.entries(ENDPOINTS), ...olderAddresses()]
  const endpoints = [...ofIssues, ...reportsAsIssues(ofIssues)].filter(([name]) => ACCESS[name] !== undefined)

  for (const principal of chosen) {
    const slug = principal.asksAs ?? world.victim.organization
    const before = readLedger(world.server.dataDir)
    await inParallel(endpoints, async ([name, endpoint]: Named) => {
      const need = ACCESS[name]
      if (need === undefined) return
      const expected = ofOnePerson(world, name, principal, expectationOf(name, need, endpoint, principal))
      if (expected.kind === 'left out') return
      // With a DSN, that path is an ingest route.
      if (name === 'createUserFeedback' && principal.headers['authorization']?.startsWith('DSN ') === true) return
      const harmless = expected.kind === 'served' && !isRead(endpoint)
      const target = harmless ? harmlessTargetOf(name, endpoint, slug) : targetOf(name, endpoint, slug, world.ids)
      const answer = await send(world, endpoint, target, principal)
      count(probes, principal.name)
      for (const wrong of judge(world, endpoint, need, expected, answer, principal)) {
        failures.push(
          `${principal.name}: ${endpoint.method} ${target.path} ${wrong}: ${answer.status} ${answer.text.slice(0, 200)}`,
        )
      }
    })
    for (const { method, path, json, status } of beyondReach(world, principal)) {
      const answer = await ask(`${world.base}${API_PREFIX}${path}`, {
        method,
        headers: { ...principal.headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      count(probes, principal.name)
      if (answer.status !== status) {
        failures.push(
          `${principal.name}: ${method} ${path} is not refused with ${status}: ${answer.status} ${answer.text.slice(0, 200)}`,
        )
      }
    }
    const after = readLedger(world.server.dataDir)
    const changes =
      principal.asksAs === undefined ? changesBetween(before, after) : foreignChanges(before, after, principal.asksAs)
    failures.push(...changes.map((change) => `${principal.name} changed ${describeChange(change)}`))
  }
  return { endpoints: endpoints.length, probes, failures }
}

/** Reads of an organisation, or of whoever asks, that name nothing else: its lists. */
const lists = (): Named[] =>
  Object.entries(ENDPOINTS).filter(
    ([, endpoint]) =>
      isRead(endpoint) && !/\{(?!org\})/.test(endpoint.path) && endpoint.path.startsWith('/organizations/{org}/'),
  )

/**
 * Every list of the rival, searched for words that the victim has everywhere. They are a part of the canary: whoever
 * repeats them gives nothing away. The victim finds its own by them.
 *
 * @returns lists that say something of the victim, and the names of those in which it finds its own
 */
export const probeSearches = async (
  world: World,
): Promise<{ readonly failures: readonly string[]; readonly found: ReadonlySet<string> }> => {
  const rival = world.principals.find(({ asksAs }) => asksAs !== undefined)
  if (rival === undefined) throw new Error('nobody asks for the rival')
  const words = world.canary.slice(0, -4)
  const failures: string[] = []
  const found = new Set<string>()
  const askFor = (path: string, headers: Headers): Promise<Answer> =>
    ask(`${world.base}${path}${path.includes('?') ? '&' : '?'}query=${words}`, { headers })
  await inParallel(lists(), async ([name, endpoint]) => {
    const theirs = await askFor(targetOf(name, endpoint, rival.asksAs ?? '', world.ids).path, rival.headers)
    failures.push(...leaksIn(world, theirs).map((leak) => `${name}: ${theirs.status} ${leak}`))
    const own = await askFor(targetOf(name, endpoint, world.victim.organization, world.ids).path, world.owner)
    if (own.text.includes(world.canary)) found.add(name)
  })
  return { failures, found }
}

const count = (probes: Map<string, number>, name: string): void => {
  probes.set(name, (probes.get(name) ?? 0) + 1)
}

/** Who has no key, or the key of another project: nothing gets in. */
const ingestCredentials = (world: World): readonly (readonly [name: string, query: string, headers: Headers])[] => [
  ['ingest without a key', '', {}],
  ['ingest with an unknown key', `sentry_key=${'0'.repeat(32)}`, {}],
  ["ingest with the rival's key", `sentry_key=${new URL(world.rival.dsn).username}`, {}],
  ['ingest with a session', '', world.owner],
  ['ingest with a token', '', bearer(world.victim.token)],
]

export const probeIngest = async (world: World): Promise<AuthorisationFigures> => {
  const failures: string[] = []
  const probes = new Map<string, number>()
  const before = readLedger(world.server.dataDir)
  for (const [name, query, headers] of ingestCredentials(world)) {
    for (const { path, body, type } of INGEST) {
      // Where the path names no project, the rival's key sends to the rival's project.
      if (!path.includes('{project}') && query.includes(new URL(world.rival.dsn).username)) continue
      const url = `${world.base}${path.replace('{project}', world.victim.projectId)}?${query}`
      const answer = await ask(url, { method: 'POST', headers: { ...headers, 'content-type': type }, body })
      count(probes, name)
      if (![400, 401, 403, 404].includes(answer.status))
        failures.push(`${name}: ${path} ${answer.status} ${answer.text}`)
      failures.push(...leaksIn(world, answer).map((leak) => `${name}: ${path} ${leak}`))
    }
  }
  failures.push(...changesBetween(before, readLedger(world.server.dataDir)).map(describeChange))
  return { endpoints: INGEST.length, probes, failures }
}

export const probePages = async (world: World): Promise<AuthorisationFigures> => {
  const failures: string[] = []
  const probes = new Map<string, number>()
  for (const principal of world.principals) {
    for (const path of PAGES) {
      const answer = await ask(`${world.base}${path}`, { headers: principal.headers })
      count(probes, principal.name)
      if (answer.status === 0 || answer.status >= 500)
        failures.push(`${principal.name}: ${path} fails with ${answer.status}`)
      failures.push(...leaksIn(world, answer).map((leak) => `${principal.name}: ${path} ${leak}`))
      if (answer.text.startsWith('SQLite format 3')) failures.push(`${principal.name}: ${path} hands out the ledger`)
    }
  }
  return { endpoints: PAGES.length, probes, failures }
}

/** What is done by two addresses, or undone by another call of this order, finds nothing to do the second time. */
const NOTHING_LEFT: Readonly<Record<string, number>> = {
  createCodeowners: 409,
  restoreMonitor: 404,
  restoreUptimeCheck: 404,
  // The rival took its address meanwhile, as it may.
  updateStatusPage: 409,
  deleteIssueTelling: 409,
  deleteErasure: 409,
  unmuteAlert: 404,
  deleteAlert: 404,
  deleteMonitor: 404,
  // An alert and a monitor of how much are one rule at several addresses.
  deleteDetector: 404,
  deleteWorkflow: 404,
  // Each change of an alert before it raised its version.
  updateAlert: 409,
  // It was deleted at the address of its project.
  deleteRelease: 404,
  // What it takes are files: tests of uploads send some.
  uploadChunks: 415,
  uploadReleaseFile: 415,
  uploadProjectReleaseFile: 415,
  deleteReleaseFile: 404,
  uploadDebugFiles: 415,
  // The tracker of this world is one that nobody reaches.
  linkIssueTicket: 400,
  linkReportTicket: 400,
}

/** The owner does everything once, mild before destructive. @returns what did not work */
export const controlAuthorisation = async (world: World): Promise<string[]> => {
  const owner: Principal = {
    name: 'owner',
    kind: 'session',
    headers: world.owner,
    standing: 'inside',
    scopes: new Set(),
  }
  const failures: string[] = []
  const writes = Object.entries(ENDPOINTS).filter(
    ([name, endpoint]) => !isRead(endpoint) && !['public', 'session'].includes(ACCESS[name] ?? 'public'),
  )
  const depth = ([, endpoint]: Named): number =>
    endpoint.method === 'DELETE' ? 100 - endpoint.path.split('/').length : 0
  const inOrder = writes.toSorted((one, other) => depth(one) - depth(other) || (one[0] < other[0] ? -1 : 1))
  for (const [name, endpoint] of inOrder) {
    const target = targetOf(name, endpoint, world.victim.organization, world.ids)
    const answer = await send(world, endpoint, target, owner)
    if (answer.status >= 300 && answer.status !== NOTHING_LEFT[name]) {
      failures.push(
        `control: ${endpoint.method} ${target.path} by the owner: ${answer.status} ${answer.text.slice(0, 300)}`,
      )
    }
  }
  return failures
}
