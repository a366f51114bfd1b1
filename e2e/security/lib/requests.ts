import { API_PREFIX, paramNames } from '../../../packages/contract/src/index.ts'
import type { Endpoint } from '../../../packages/contract/src/index.ts'
import type { Ids } from './world.ts'

/** What is asked of each endpoint: names in paths, queries and bodies that the server would carry out for those who may. */

export interface Target {
  /** Path and query, from `/api/0` on. */
  readonly path: string
  /** JSON; null where the endpoint takes none. */
  readonly body: string | null
}

/** What the victim's transaction is called. */
export const TRANSACTION = 'GET%20%2Fsecrets'

/** Well-formed, and nobody's. */
const NOWHERE: Ids = {
  project: '999999901',
  issue: '999999902',
  otherIssue: '999999903',
  shortId: 'SHOP-ZZZZ',
  event: 'f'.repeat(32),
  attachment: '999999904',
  issueNote: '999999905',
  savedSearch: '999999915',
  issueSet: '999999920',
  savedQuery: '999999916',
  channel: '999999920',
  delivery: '999999921',
  tracker: '999999922',
  ticket: '999999923',
  alert: '999999930',
  metricAlert: '999999931',
  repository: '999999942',
  codeMapping: '999999943',
  unseenRelease: 'none@0.0.1',
  artifactBundle: '999999940',
  artifactFile: '999999941',
  debugFile: '999999945',
  replayLink: '999999917',
  erasure: '999999937',
  replayAsset: '999999918',
  replayMark: '999999919',
  replayChunk: '999999920',
  uptimeCheck: '00000000-0000-4000-8000-000000000001',
  statusIncident: '999999920',
  monitor: '00000000-0000-4000-8000-000000000000',
  inboxEntry: '999999920',
  feedback: '999999906',
  otherFeedback: '999999907',
  feedbackEvent: 'e'.repeat(32),
  feedbackNote: '999999908',
  threadUrl: '/f/none',
  team: 'no-such-team',
  member: '999999909',
  openInvitation: '999999910',
  token: '999999911',
  key: 'd'.repeat(32),
  version: 'none@0.0.0',
  tag: 'no-such-tag',
  hash: 'c'.repeat(32),
  trace: 'b'.repeat(32),
  span: 'a'.repeat(16),
  log: `${'0'.repeat(8)}${'a'.repeat(24)}`,
  profile: '9'.repeat(32),
  replay: '8'.repeat(32),
}

const valueOf = (name: string, endpoint: Endpoint, ids: Ids): string => {
  const { path } = endpoint
  switch (name) {
    case 'project':
      return ids.project
    case 'issue':
      return ids.issue
    case 'report':
      return ids.feedbackEvent
    case 'event':
      return path === '/organizations/{org}/events/{event}/' ? `${ids.project}:${ids.event}` : ids.event
    case 'note':
      return path.includes('{feedback}') || path.includes('{report}') ? ids.feedbackNote : ids.issueNote
    case 'member':
      return path.endsWith('/invite/') ? ids.openInvitation : ids.member
    case 'token':
      if (path.startsWith('/shared-replays/')) return 'no-such-link-of-24-random-bytes-'
      return path.startsWith('/accept-invite/') ? 'no-such-invitation' : ids.token
    case 'search':
      return ids.savedSearch
    case 'set':
      return ids.issueSet
    case 'query':
      return ids.savedQuery
    case 'version':
      // One that events have named cannot be deleted.
      return endpoint.method === 'DELETE' && !path.includes('/files/') ? ids.unseenRelease : ids.version
    case 'repository':
      return ids.repository
    case 'codeMapping':
      return ids.codeMapping
    case 'bundle':
      return ids.artifactBundle
    // A project has one CODEOWNERS.
    case 'file':
      return /\{bundle\}|\/releases\//.test(path) ? ids.artifactFile : ids.project
    case 'alert':
      return /\/(?:alert-rules|detectors)\//.test(endpoint.path) ? ids.metricAlert : ids.alert
    case 'entry':
      return ids.inboxEntry
    case 'link':
      return ids.replayLink
    case 'key':
      return /\/(?:tags|attributes|fields)\//.test(path) ? ids.tag : ids.key
    case 'mark':
      return ids.replayMark
    case 'asset':
      return ids.replayAsset
    case 'job':
      return '1'
    case 'item':
      return ids.span
    case 'segment':
      return '0'
    case 'number':
      return path.includes('/chunks/') ? ids.replayChunk : '0'
    case 'session':
      return 'f'.repeat(16)
    case 'check':
      return ids.uptimeCheck
    case 'incident':
      return ids.statusIncident
    case 'checkIn':
      return ids.event
    case 'environment':
      return 'production'
    case 'attachment':
    case 'erasure':
    case 'monitor':
    case 'channel':
    case 'delivery':
    case 'feedback':
    case 'log':
    case 'profile':
    case 'replay':
    case 'shortId':
    case 'span':
    case 'team':
    case 'ticket':
    case 'trace':
    case 'tracker':
      return ids[name]
    default:
      throw new Error(`requests.ts has no value for {${name}} of ${path}: add one`)
  }
}

/** Queries without which an endpoint answers 400, or would not name anything of the victim. */
const queryOf = (name: string, ids: Ids): string => {
  switch (name) {
    case 'getUptimeTimelines':
      return `?check=${ids.uptimeCheck}`
    case 'getMonitorTimelines':
      return `?monitor=${ids.monitor}`
    case 'querySessions':
      return '?field=sum(session)&groupBy=release&groupBy=environment'
    case 'listReleaseHealth':
      return `?release=${ids.version}`
    case 'previewIssueTicket':
    case 'previewReportTicket':
      return `?tracker=${ids.tracker}`
    case 'previewSchedule':
      return '?schedule=0+3+*+*+*'
    case 'compareIssueTags':
      return '?key=release'
    case 'countIssues':
      return '?query='
    case 'listIssueStats':
      return `?groups=${ids.issue}`
    case 'queryEvents':
      return `?field=title&field=count()&project=${ids.project}`
    case 'compareBox':
      return `?project=${ids.project}&from=0&to=60000&boxStart=${Date.now() - 3_600_000}&boxEnd=${Date.now()}`
    case 'getOrganizationStats':
      return `?field=sum(quantity)&groupBy=outcome&statsPeriod=1d`
    case 'unmergeIssueHashes':
      return `?id=${ids.hash}`
    case 'updateIssues':
    case 'deleteIssues':
    case 'updateProjectIssues':
    case 'deleteProjectIssues':
      return `?id=${ids.issue}`
    case 'updateFeedbackList':
    case 'deleteFeedbackList':
      return `?id=${ids.feedback}`
    case 'getTransaction':
    case 'getTransactionProfile':
      return `?transaction=${TRANSACTION}&project=${ids.project}`
    case 'getTraceItem':
      return `?trace_id=${ids.trace}`
    case 'getAttributeStats':
      return `?statsType=attributeDistributions&project=${ids.project}`
    case 'listTraceLogs':
      return `?traceId=${ids.trace}`
    case 'findTraces':
      return `?field=id&field=tags[${ids.tag}]&project=${ids.project}`
    case 'getFlamegraph':
      return `?query=transaction%3A%22${TRANSACTION}%22&project=${ids.project}`
    case 'getProfileChunk':
      return `?profiler_id=${ids.profile}&project=${ids.project}`
    case 'findPeople':
      return '?query=user'
    case 'getPerson':
    case 'previewErasure':
    case 'listPersonEntries':
      return '?user=id%3A7'
    case 'getReplayVisitor':
      return `?replay=${ids.replay}`
    case 'countReplays':
      return `?query=replay_id:${ids.replay}&returnIds=true`
    case 'getEventAttachment':
      return '?download=1'
    case 'deleteArtifactBundle':
      return `?bundleId=${ids.artifactBundle}`
    case 'listDebugFiles':
    case 'deleteDebugFile':
      return `?id=${ids.debugFile}`
    case 'deleteSourceMaps':
      return `?name=${ids.version}`
    default:
      return ''
  }
}

const TELL_OWNERS = { id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners' }
const FIRST_SEEN = { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }

/** Bodies that would change something. */
const BODIES: Readonly<Record<string, (ids: Ids) => unknown>> = {
  acceptInvitation: () => ({ name: 'Eve', password: 'a long enough passphrase' }),
  createSetup: () => ({
    email: 'eve@evil.example',
    password: 'a long enough passphrase',
    organizationName: 'Evil',
    projectName: 'Evil',
    platform: 'javascript',
  }),
  logIn: () => ({ email: 'nobody@evil.example', password: 'not the password at all' }),
  updateMe: () => ({ name: 'Changed' }),
  updatePassword: () => ({ currentPassword: 'not the password at all', password: 'a long enough passphrase 2' }),
  createApiToken: () => ({ name: 'probe', scopes: ['org:read'] }),
  createPersonalToken: () => ({ name: 'probe', scopes: ['org:read'] }),
  createTeam: () => ({ name: 'Probe', slug: 'probe-team' }),
  inviteMember: () => ({ email: 'probe@example.com', role: 'viewer' }),
  updateMember: () => ({ role: 'member' }),
  updateOrganization: () => ({ name: 'Changed' }),
  updateTeam: () => ({ name: 'Changed' }),
  createKey: () => ({ name: 'probe' }),
  createProject: () => ({ name: 'Probe', slug: 'probe-project' }),
  createTeamProject: () => ({ name: 'Probe', slug: 'probe-team-project' }),
  updateKey: () => ({ name: 'changed' }),
  updateProject: () => ({ platform: 'node' }),
  updateFeedbackSettings: () => ({ spam: { threshold: 42 } }),
  updateFindingSettings: () => ({ detectors: [{ id: 'slow_db', enabled: false }], mutes: [] }),
  createReplayDeletion: () => ({ data: { visitor: { userId: 'nobody' } } }),
  updateReplayKeeping: () => ({ days: 1, gigabytes: null }),
  updateReplayAssetSettings: () => ({ enabled: false, hosts: ['probe.example'] }),
  updateSiteMapSettings: () => ({ enabled: false, hosts: ['probe.example'] }),
  updateTransactionNames: () => ({ pattern: '/probe/*', state: 'own' }),
  freezeIssues: () => ({ query: 'nothing matches this' }),
  applyIssueSet: () => ({ priority: 'low' }),
  updateProjectOwnership: () => ({ raw: '', walk: 'sentry' }),
  createCodeowners: () => ({ raw: '* @probe/team' }),
  updateCodeowners: () => ({ raw: '* @changed/team' }),
  testOwnership: (ids) => ({ about: ids.issue }),
  tryFindingSettings: () => ({ detectors: [], mutes: [] }),
  createUptimeCheck: (ids) => ({ name: 'probe', project: ids.project, url: 'https://probe.example/' }),
  updateUptimeCheck: () => ({ name: 'changed' }),
  tryUptimeCheck: () => ({ url: 'https://probe.invalid/' }),
  updateStatusPage: () => ({ slug: 'probe', title: 'probe', isOn: false, isPublic: false, components: [] }),
  createStatusIncident: () => ({ kind: 'incident', title: 'probe', text: 'probe' }),
  updateStatusIncident: () => ({ title: 'changed' }),
  addStatusUpdate: () => ({ status: 'monitoring', text: 'probe' }),
  createMonitor: (ids) => ({ name: 'probe', project: ids.project, config: { schedule: '0 3 * * *' } }),
  updateMonitor: () => ({ name: 'changed' }),
  updateProjectMonitor: () => ({ name: 'changed' }),
  updateMonitorEnvironment: () => ({ isMuted: true }),
  createIssueAlertRule: () => ({ name: 'probe', conditions: [FIRST_SEEN], actions: [TELL_OWNERS], frequency: 60 }),
  updateIssueAlertRule: () => ({ name: 'changed', conditions: [FIRST_SEEN], actions: [TELL_OWNERS], frequency: 60 }),
  createAlert: () => ({ name: 'probe', trigger: { source: 'happened', kinds: ['issue_opened'] } }),
  updateAlert: () => ({ name: 'changed', trigger: { source: 'happened', kinds: ['issue_opened'] }, version: 1 }),
  enableAlert: () => ({ isEnabled: false }),
  createAlertRule: (ids) => ({
    name: 'probe',
    aggregate: 'count()',
    timeWindow: 5,
    projects: [ids.project],
    thresholdType: 0,
    triggers: [{ label: 'critical', alertThreshold: 10 }],
  }),
  updateAlertRule: (ids) => ({
    name: 'probe',
    aggregate: 'count()',
    timeWindow: 5,
    projects: [ids.project],
    thresholdType: 0,
    triggers: [{ label: 'critical', alertThreshold: 10 }],
  }),
  createDetector: () => ({
    name: 'probe',
    type: 'metric_issue',
    dataSources: [{ aggregate: 'count()', dataset: 'events', timeWindow: 300 }],
    conditionGroup: { conditions: [{ type: 'gt', comparison: 10, conditionResult: 75 }] },
  }),
  updateDetector: () => ({ name: 'changed' }),
  createWorkflow: (ids) => ({
    name: 'probe',
    detectorIds: [String(2_000_000_000_000 + Number(ids.project))],
    triggers: { logicType: 'any-short', conditions: [{ type: 'first_seen_event', comparison: true }] },
    actionFilters: [
      {
        logicType: 'all',
        conditions: [],
        actions: [{ type: 'email', config: { targetType: 'issue_owners' } }],
      },
    ],
  }),
  updateWorkflow: () => ({ name: 'changed' }),
  muteAlert: () => ({ minutes: 5 }),
  dryRunAlert: () => ({ rule: { name: 'probe', trigger: { source: 'happened', kinds: ['issue_opened'] } } }),
  snoozeAlertRule: () => ({ target: 'everyone' }),
  snoozeIssueAlertRule: () => ({ target: 'everyone', until: new Date(Date.now() + 3_600_000).toISOString() }),
  updateInbox: (ids) => ({ ids: [ids.inboxEntry], isDone: true }),
  restoreInbox: (ids) => ({
    states: [{ id: ids.inboxEntry, isRead: true, isDone: true, snooze: null, lastAt: new Date().toISOString() }],
  }),
  updateNoticeSettings: () => ({ kinds: {}, projects: {}, timezone: '', digestMinutes: 60, quiet: null }),
  createSavedQuery: () => ({ name: 'probe', query: { query: 'probe:1' } }),
  updateSavedQuery: () => ({ name: 'changed', query: { query: 'probe:2' } }),
  createChannel: () => ({ kind: 'mail', name: 'probe', settings: { addresses: ['probe@example.com'] } }),
  updateChannel: () => ({ name: 'changed' }),
  createTracker: () => ({
    kind: 'gitea',
    name: 'probe',
    settings: { url: 'http://127.0.0.1:9', repository: 'acme/probe' },
    secrets: { token: 'probe' },
  }),
  updateTracker: () => ({ name: 'changed' }),
  createIssueTicket: ({ tracker }) => ({ tracker }),
  createReportTicket: ({ tracker }) => ({ tracker }),
  linkIssueTicket: () => ({ url: 'http://127.0.0.1:9/acme/shop/issues/1' }),
  linkReportTicket: () => ({ url: 'http://127.0.0.1:9/acme/shop/issues/1' }),
  createSavedSearch: () => ({ name: 'probe', query: 'probe:1' }),
  updateSavedSearch: () => ({ name: 'changed', query: 'probe:2' }),
  createReplayLink: () => ({ days: 1 }),
  createRelease: (ids) => ({ version: 'probe@1', projects: [ids.project] }),
  createProjectRelease: () => ({ version: 'probe@1' }),
  updateRelease: () => ({ ref: 'changed' }),
  updateProjectRelease: () => ({ ref: 'changed' }),
  createDeploy: () => ({ environment: 'probe' }),
  createRepository: () => ({ name: 'probe/probe' }),
  updateRepository: () => ({ url: 'https://probe.example/' }),
  createCodeMapping: (ids) => ({
    projectId: ids.project,
    repositoryId: ids.repository,
    stackRoot: 'p/',
    sourceRoot: 'q/',
  }),
  createCodeMappings: (ids) => ({
    project: ids.project,
    repository: 'probe/probe',
    mappings: [{ stackRoot: 'p/', sourceRoot: 'q/' }],
  }),
  assembleBundle: ({ project }) => ({ checksum: 'd'.repeat(40), chunks: [], projects: [project] }),
  assembleReleaseFiles: ({ project }) => ({ checksum: 'd'.repeat(40), chunks: [], projects: [project] }),
  assembleDebugFiles: () => ({ ['d'.repeat(40)]: { name: 'probe', chunks: [] } }),
  createIssueNote: () => ({ text: 'probe' }),
  updateIssueNote: () => ({ text: 'changed' }),
  createIssueComment: () => ({ text: 'probe' }),
  createErasure: () => ({ names: ['id:probe'] }),
  updateIssueTelling: () => ({ when: 'never' }),
  updateIssue: () => ({ status: 'resolved' }),
  updateIssues: () => ({ status: 'resolved' }),
  updateProjectIssues: () => ({ status: 'resolved' }),
  restoreIssues: (ids) => ({ ids: [ids.issue] }),
  updateFeedback: () => ({ status: 'resolved' }),
  updateFeedbackList: () => ({ isRead: true }),
  linkFeedbackIssue: (ids) => ({ issue: ids.issue }),
  createFeedbackIssue: () => ({ title: 'probe' }),
  createFeedbackNote: () => ({ text: 'probe' }),
  replyToFeedback: () => ({ text: 'probe' }),
  mergeFeedback: (ids) => ({ parent: ids.feedback, children: [ids.otherFeedback] }),
  unmergeFeedback: (ids) => ({ children: [ids.otherFeedback] }),
  createUserFeedback: (ids) => ({ event_id: ids.event, name: 'probe', comments: 'probe' }),
}

const pathOf = (name: string, endpoint: Endpoint, slug: string, ids: Ids): string =>
  API_PREFIX +
  paramNames(endpoint.path).reduce(
    (path, param) =>
      path.replace(`{${param}}`, param === 'org' ? slug : encodeURIComponent(valueOf(param, endpoint, ids))),
    endpoint.path,
  ) +
  queryOf(name, ids)

/** @throws Error that says what to add, for an endpoint that is not known here */
export const targetOf = (name: string, endpoint: Endpoint, slug: string, ids: Ids): Target => {
  const path = pathOf(name, endpoint, slug, ids)
  if (endpoint.body === undefined) return { path, body: null }
  const body = BODIES[name]
  if (body === undefined) throw new Error(`requests.ts has no body for ${name} (${endpoint.path}): add one`)
  return { path, body: JSON.stringify(body(ids)) }
}

/** The same call about nothing, with a body that is refused: those who may call it change nothing by it. */
export const harmlessTargetOf = (name: string, endpoint: Endpoint, slug: string): Target => ({
  path: pathOf(name, endpoint, slug, NOWHERE),
  body: endpoint.body === undefined ? null : '[]',
})
