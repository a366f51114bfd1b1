import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { OWNER } from '../../../tools/harness/server.ts'
import type { Account } from '../../../tools/harness/server.ts'
import { setUpAnother } from '../../lib/account.ts'
import { sendFeedback } from '../../lib/feedback.ts'
import { ingestUrl, newEventId } from '../../lib/send.ts'
import { until } from '../../lib/until.ts'
import { setUp } from '../../faults/lib/firsthand.ts'
import type { Firsthand } from '../../faults/lib/firsthand.ts'
import { ROLES_PROBED, SCOPES_PROBED } from './access-table.ts'
import type { ProbedScope } from './access-table.ts'
import { acceptInvitation, ask, askJson, bearer, logIn } from './session.ts'
import type { Headers } from './session.ts'

/**
 * Two organisations on one server: the victim, full of canaries, and a rival; and everybody who may ask.
 */

/** How a principal stands to the organisation that it asks about. */
export type Standing =
  /** No (valid) credentials. */
  | 'nobody'
  /** Has a part in the organisation, with these scopes. */
  | 'inside'
  /** Valid credentials of another organisation. */
  | 'outside'
  /** Valid credentials, but for writes they lack what a browser adds: those are refused. */
  | 'reads only'

export interface Principal {
  readonly name: string
  readonly kind: 'session' | 'token' | 'none'
  readonly headers: Headers
  readonly standing: Standing
  readonly scopes: ReadonlySet<ProbedScope>
  /** The organisation that the paths name, when it is not the victim: its own, with the victim's ids. */
  readonly asksAs?: string
}

export interface World {
  readonly base: string
  readonly server: Firsthand
  readonly victim: Account
  readonly rival: Account
  /** In every text of the victim; nobody else may read it. */
  readonly canary: string
  /** What else no stranger may read: keys, tokens, private links. */
  readonly secrets: readonly string[]
  readonly principals: readonly Principal[]
  /** The victim's owner, for the control. */
  readonly owner: Headers
  readonly ids: Ids
  /** As lists call the session of `owner`. */
  readonly ownerSession: string
}

/** Things of the victim, by the names that paths use. */
export interface Ids {
  readonly project: string
  readonly issue: string
  readonly otherIssue: string
  readonly shortId: string
  readonly event: string
  readonly attachment: string
  readonly issueNote: string
  readonly savedSearch: string
  readonly issueSet: string
  readonly savedQuery: string
  readonly channel: string
  readonly delivery: string
  readonly tracker: string
  readonly ticket: string
  readonly alert: string
  /** A rule about how much. */
  readonly metricAlert: string
  readonly replayLink: string
  readonly erasure: string
  readonly repository: string
  readonly codeMapping: string
  /** That no event has named. */
  readonly unseenRelease: string
  readonly artifactBundle: string
  readonly artifactFile: string
  readonly debugFile: string
  readonly monitor: string
  readonly statusIncident: string
  readonly uptimeCheck: string
  /** A line of the owner's inbox. */
  readonly inboxEntry: string
  readonly replayAsset: string
  /** Of a request in it. */
  readonly replayMark: string
  readonly replayChunk: string
  readonly trace: string
  readonly span: string
  readonly log: string
  readonly profile: string
  readonly replay: string
  readonly feedback: string
  readonly otherFeedback: string
  readonly feedbackEvent: string
  readonly feedbackNote: string
  readonly threadUrl: string
  readonly team: string
  readonly member: string
  readonly openInvitation: string
  readonly token: string
  readonly key: string
  readonly version: string
  readonly tag: string
  readonly hash: string
}

/** Those who still have an account, with a name and an e-mail, and nothing else of the victim's. */
const REMOVED_MEMBER = 'member who was removed'
const PERSONAL_OF_REMOVED = 'personal token of a member who was removed'
export const REMOVED: ReadonlySet<string> = new Set([REMOVED_MEMBER, PERSONAL_OF_REMOVED])
const PASSWORD = 'a long enough passphrase'
const RIVAL = {
  email: 'rita@rival.example',
  password: 'another long passphrase',
  organization: 'zeta',
  project: 'mill',
} as const

export const RELEASE = 'shop@1.2.3'
export const TAG = 'planet'

export const buildWorld = async (server: Firsthand): Promise<World> => {
  const base = `http://127.0.0.1:${server.port}`
  const canary = `kanarie${randomBytes(6).toString('hex')}`
  const victim = await setUp(server.dataDir, server.port)
  const rival = await setUpAnother(server, RIVAL)
  const owner = await logIn(base, OWNER)
  const organization = `${base}/api/0/organizations/${victim.organization}`
  const project = `${base}/api/0/projects/${victim.organization}/${victim.project}`
  const make: Make = (url, json, method = 'POST') => askJson(url, { method, headers: owner, json })

  await make(`${organization}/`, { name: `Org ${canary}` }, 'PUT')
  await make(`${project}/`, { name: `Project ${canary}` }, 'PUT')
  const team = await make<{ slug: string }>(`${organization}/teams/`, { name: `Team ${canary}`, slug: 'tellers' })
  await make(`${project}/teams/${team.slug}/`, undefined)

  const people = await invitePeople(base, organization, canary, make)
  const tokens = await createTokens(`${organization}/api-tokens/`, `Token ${canary}`, owner, people)
  const personal = await createPersonalTokens(`${base}/api/0/users/me/api-tokens/`, owner, people)

  const ids = await fillVictim({ base, canary, victim, owner, team: team.slug })

  await make(`${organization}/members/${people.demotedMaker.id}/`, { role: 'viewer' }, 'PUT')
  await make(`${organization}/members/${people.removedMaker.id}/`, undefined, 'DELETE')
  await make(`${organization}/members/${people.gone.id}/`, undefined, 'DELETE')
  await make(`${organization}/api-tokens/${tokens.revoked.id}/`, undefined, 'DELETE')
  await askJson(`${base}/api/0/auth/logout/`, { method: 'POST', headers: people.loggedOut.headers })
  expireToken(server.dataDir, tokens.expired.id)
  const replayAsset = keepAsset(server.dataDir, { ...ids, canary })
  const delivery = keepDelivery(server.dataDir, { ...ids, canary })
  const { artifactBundle, artifactFile, debugFile } = keepArtifact(server.dataDir, { ...ids, canary })
  const ticket = keepTicket(server.dataDir, { ...ids, canary })

  const guests = await createGuests(base, rival)
  const sessions = await askJson<{ id: string; isCurrent: boolean }[]>(`${base}/api/0/users/me/sessions/`, {
    headers: owner,
  })
  const secrets = [
    victim.token,
    tokens.full.token,
    personal.full.token,
    new URL(victim.dsn).username,
    ids.threadUrl.split('/').at(-1) ?? '',
  ]
  return {
    base,
    server,
    victim,
    rival,
    canary,
    secrets: secrets.filter((secret) => secret !== ''),
    principals: principalsOf({ victim, owner, people, tokens, personal, guests }),
    owner,
    ownerSession: sessions.find(({ isCurrent }) => isCurrent)?.id ?? '',
    ids: {
      ...ids,
      replayAsset,
      artifactBundle,
      artifactFile,
      debugFile,
      delivery,
      ticket,
      member: people.viewer.id,
      openInvitation: people.open.id,
      token: tokens.full.id,
    },
  }
}

/** Calls the API as the victim's owner. */
type Make = <Body>(url: string, json: unknown, method?: string) => Promise<Body>

type People = Awaited<ReturnType<typeof invitePeople>>

/** Members of each role, and some who are there only to leave. */
const invitePeople = async (base: string, organization: string, canary: string, make: Make) => {
  const invite = (name: string, role: string): Promise<{ id: string; inviteLink: string }> =>
    make(`${organization}/members/`, { email: `${name}.${canary}@example.com`, role })
  const join = async (name: string, role: string): Promise<{ readonly id: string; readonly headers: Headers }> => {
    const { id, inviteLink } = await invite(name, role)
    return { id, headers: await acceptInvitation(base, inviteLink, { name: `${name} ${canary}`, password: PASSWORD }) }
  }
  return {
    admin: await join('adam', 'admin'),
    member: await join('mia', 'member'),
    viewer: await join('vera', 'viewer'),
    gone: await join('gil', 'member'),
    loggedOut: await join('lou', 'member'),
    open: await invite('olga', 'viewer'),
    // Two admins make tokens with all that they may do; then one becomes a viewer, and the other leaves.
    demotedMaker: await join('dora', 'admin'),
    removedMaker: await join('rolf', 'admin'),
  }
}

const createToken = (
  url: string,
  name: string,
  scopes: readonly ProbedScope[],
  as: Headers,
): Promise<{ readonly id: string; readonly token: string }> =>
  askJson(url, { method: 'POST', headers: as, json: { name, scopes, expiresInDays: 30 } })

type Tokens = Awaited<ReturnType<typeof createTokens>>

/** One for each scope, and those that are revoked, expired, or lose their maker. */
const createTokens = async (url: string, name: string, owner: Headers, people: People) => {
  const create = (scopes: readonly ProbedScope[], as: Headers = owner) => createToken(url, name, scopes, as)
  return {
    single: await Promise.all(SCOPES_PROBED.map(async (scope) => ({ scope, token: (await create([scope])).token }))),
    full: await create(SCOPES_PROBED),
    revoked: await create(SCOPES_PROBED),
    expired: await create(SCOPES_PROBED),
    ofDemoted: await create(ROLES_PROBED.admin, people.demotedMaker.headers),
    ofRemoved: await create(ROLES_PROBED.admin, people.removedMaker.headers),
  }
}

type PersonalTokens = Awaited<ReturnType<typeof createPersonalTokens>>

/** Of people, for all of their organisations. */
const createPersonalTokens = async (url: string, owner: Headers, people: People) => {
  const create = (scopes: readonly ProbedScope[], as: Headers = owner) => createToken(url, 'personal', scopes, as)
  return {
    full: await create(SCOPES_PROBED),
    readsEvents: await create(['event:read']),
    ofDemoted: await create(SCOPES_PROBED, people.demotedMaker.headers),
    ofGone: await create(SCOPES_PROBED, people.gone.headers),
  }
}

interface Guests {
  readonly organization: string
  readonly owner: Headers
  readonly token: string
  readonly personalToken: string
  readonly tokenOfBoth: string
}

/** The rival's owner and tokens. */
const createGuests = async (base: string, rival: Account): Promise<Guests> => {
  const organization = `${base}/api/0/organizations/${rival.organization}`
  const owner = await logIn(base, RIVAL)
  const { token } = await createToken(`${organization}/api-tokens/`, 'Token', SCOPES_PROBED, owner)
  const personal = await createToken(`${base}/api/0/users/me/api-tokens/`, 'personal', SCOPES_PROBED, owner)
  // The victim's owner is one of the rival as well: a token is for one organisation all the same.
  const both = await askJson<{ inviteLink: string }>(`${organization}/members/`, {
    method: 'POST',
    headers: owner,
    json: { email: OWNER.email, role: 'owner' },
  })
  const inRival = await acceptInvitation(base, both.inviteLink, { name: 'both', password: OWNER.password })
  const tokenOfBoth = (await createToken(`${organization}/api-tokens/`, 'Token', SCOPES_PROBED, inRival)).token
  return { organization: rival.organization, owner, token, personalToken: personal.token, tokenOfBoth }
}

const ALL: ReadonlySet<ProbedScope> = new Set(SCOPES_PROBED)
const NONE: ReadonlySet<ProbedScope> = new Set()

const person = (name: keyof typeof ROLES_PROBED, headers: Headers): Principal => ({
  name,
  kind: 'session',
  headers,
  standing: 'inside',
  scopes: new Set(ROLES_PROBED[name]),
})

const token = (name: string, secret: string, standing: Standing, scopes: ReadonlySet<ProbedScope>): Principal => ({
  name,
  kind: 'token',
  headers: bearer(secret),
  standing,
  scopes,
})

const nobody = (name: string, headers: Headers): Principal => ({
  name,
  kind: 'none',
  headers,
  standing: 'nobody',
  scopes: NONE,
})

/** Everybody who may ask, in the order in which they do. */
const principalsOf = ({
  victim,
  owner,
  people,
  tokens,
  personal,
  guests,
}: {
  readonly victim: Account
  readonly owner: Headers
  readonly people: People
  readonly tokens: Tokens
  readonly personal: PersonalTokens
  readonly guests: Guests
}): Principal[] => [
  nobody('anonymous', {}),
  nobody('DSN as a password', { authorization: `DSN ${victim.dsn}` }),
  nobody('DSN key as a token', bearer(new URL(victim.dsn).username)),
  nobody('forged cookie', { cookie: `firsthand_session=${randomBytes(32).toString('base64url')}` }),
  nobody('session that was ended', people.loggedOut.headers),
  nobody('revoked token', bearer(tokens.revoked.token)),
  nobody('expired token', bearer(tokens.expired.token)),
  { ...person('member', people.gone.headers), name: REMOVED_MEMBER, standing: 'outside', scopes: NONE },
  { name: 'rival owner', kind: 'session', headers: guests.owner, standing: 'outside', scopes: NONE },
  token(PERSONAL_OF_REMOVED, personal.ofGone.token, 'outside', NONE),
  token('rival full token', guests.token, 'outside', NONE),
  token('rival personal token', guests.personalToken, 'outside', NONE),
  token('rival token of an owner of both', guests.tokenOfBoth, 'outside', NONE),
  {
    name: 'rival owner, own slug with foreign ids',
    kind: 'session',
    headers: guests.owner,
    standing: 'outside',
    scopes: ALL,
    asksAs: guests.organization,
  },
  { ...person('owner', { cookie: owner['cookie'] ?? '' }), name: 'owner without CSRF token', standing: 'reads only' },
  {
    ...person('owner', { ...owner, origin: 'http://evil.example' }),
    name: 'owner from a foreign page',
    standing: 'reads only',
  },
  person('viewer', people.viewer.headers),
  person('member', people.member.headers),
  person('admin', people.admin.headers),
  person('owner', owner),
  ...tokens.single.map((each) => token(`token ${each.scope}`, each.token, 'inside', new Set([each.scope]))),
  token('full token', tokens.full.token, 'inside', ALL),
  token('personal token', personal.full.token, 'inside', ALL),
  token('personal token event:read', personal.readsEvents.token, 'inside', new Set(['event:read'])),
  // Last, because what they must not do would leave nothing for the others.
  nobody('token whose maker left', bearer(tokens.ofRemoved.token)),
  token('token whose maker became a viewer', tokens.ofDemoted.token, 'inside', new Set(ROLES_PROBED.viewer)),
  token('personal token of who became a viewer', personal.ofDemoted.token, 'inside', new Set(ROLES_PROBED.viewer)),
]

/** A token that ended yesterday cannot be ordered, only waited for. */
const expireToken = (dataDir: string, id: string): void => {
  const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { timeout: 10_000 })
  try {
    const { changes } = database
      .prepare('UPDATE api_tokens SET expires_at = ? WHERE id = ?')
      .run(Date.now() - 86_400_000, Number(id))
    if (Number(changes) !== 1) throw new Error(`token ${id} is not in the ledger`)
  } finally {
    database.close()
  }
}

/** What a page names is fetched from its site, which nobody has here: the row says that it was, with a blob of the victim. */
const keepAsset = (
  dataDir: string,
  { canary, project, replay }: Pick<Ids, 'project' | 'replay'> & { readonly canary: string },
): string => {
  const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { timeout: 10_000 })
  try {
    const { lastInsertRowid } = database
      .prepare(
        `INSERT INTO replay_assets
          (project_id, url, url_hash, depth, state, reason, attempts, due_at, ended_at, type, bytes, blob_key, imports)
        SELECT projects.id, ?, '', 0, 'kept', '', 0, 0, 0, 'image/png', blobs.bytes, blobs.key, '[]'
        FROM projects JOIN blobs USING (organization_id) WHERE projects.id = ? LIMIT 1`,
      )
      .run(`https://cdn.example/${canary}.png`, Number(project))
    const { changes } = database
      .prepare('INSERT INTO replay_asset_uses (project_id, replay_id, asset_id, noted_at) VALUES (?, ?, ?, ?)')
      .run(Number(project), replay, lastInsertRowid, Date.now())
    if (Number(changes) !== 1 || lastInsertRowid === 0n) throw new Error('the victim has no blob for an asset')
    return String(lastInsertRowid)
  } finally {
    database.close()
  }
}

/** A file of a bundle, and a debug file, that the victim's build uploaded. */
const keepArtifact = (
  dataDir: string,
  { canary, project }: Pick<Ids, 'project'> & { readonly canary: string },
): Pick<Ids, 'artifactBundle' | 'artifactFile' | 'debugFile'> => {
  const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { timeout: 10_000 })
  try {
    const { lastInsertRowid: bundle } = database
      .prepare(
        `INSERT INTO artifact_bundles
          (organization_id, checksum, release_version, dist, state, chunks, bytes, files, attempts, uploaded_at, ended_at)
        SELECT organization_id, '', ?, '', 'ok', '[]', 2, 2, 1, ?, ? FROM projects WHERE id = ?`,
      )
      .run(RELEASE, Date.now(), Date.now(), Number(project))
    database
      .prepare('INSERT INTO artifact_bundle_projects (bundle_id, project_id) VALUES (?, ?)')
      .run(bundle, Number(project))
    const insert = database.prepare(
      `INSERT INTO artifact_files
        (organization_id, bundle_id, kind, type, url, debug_id, source_map, headers, blob_key, bytes, sha1)
      SELECT projects.organization_id, ?, 'source', 'source', ?, NULL, NULL, '{}', blobs.key, blobs.bytes, ''
      FROM projects JOIN blobs USING (organization_id) WHERE projects.id = ? LIMIT 1`,
    )
    const { lastInsertRowid: file } = insert.run(bundle, `~/${canary}.js`, Number(project))
    // With another one the bundle is still there when that file was deleted.
    insert.run(bundle, `~/other-${canary}.js`, Number(project))
    if (Number(file) === 0) throw new Error('the victim has no blob for an artifact')
    const { lastInsertRowid: debugFile } = database
      .prepare(
        `INSERT INTO debug_files
          (organization_id, project_id, checksum, said_id, name, state, chunks, attempts, kind, debug_id, features,
            blob_key, bytes, index_bytes, uploaded_at)
        SELECT projects.organization_id, projects.id, '', '', ?, 'ok', '[]', 1, 'elf', ?, '[]', blobs.key, blobs.bytes, 0, ?
        FROM projects JOIN blobs USING (organization_id) WHERE projects.id = ? LIMIT 1`,
      )
      .run(`${canary}.so`, 'c'.repeat(32), Date.now(), Number(project))
    return { artifactBundle: String(bundle), artifactFile: String(file), debugFile: String(debugFile) }
  } finally {
    database.close()
  }
}

/** A ticket of the victim's issue. */
const keepTicket = (
  dataDir: string,
  { canary, issue, tracker }: Pick<Ids, 'issue' | 'tracker'> & { readonly canary: string },
): string => {
  const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { timeout: 10_000 })
  try {
    const { lastInsertRowid } = database
      .prepare(
        `INSERT INTO tickets
          (organization_id, tracker_id, issue_id, marker, draft, is_linked, remote_id, key, url, title, state, asked, turn,
            attempts, created_at)
        SELECT organization_id, id, ?, 'probed', '', 1, '1', '#1', 'http://127.0.0.1:9/acme/shop/issues/1', ?, 'open', 0, 0, 0, ?
        FROM trackers WHERE id = ?`,
      )
      .run(Number(issue), canary, Date.now(), Number(tracker))
    if (lastInsertRowid === 0n) throw new Error('the victim has no tracker')
    return String(lastInsertRowid)
  } finally {
    database.close()
  }
}

/** A message that went to the victim's channel, with what the other side answered. */
const keepDelivery = (
  dataDir: string,
  { canary, channel }: Pick<Ids, 'channel'> & { readonly canary: string },
): string => {
  const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { timeout: 10_000 })
  const message = {
    kind: 'new',
    level: 'error',
    headline: `New: ${canary}`,
    blocks: [],
    actions: [],
    thread: 'issue:1',
    stage: 'single',
    reason: canary,
  }
  try {
    const { lastInsertRowid } = database
      .prepare(
        `INSERT INTO outbox
          (organization_id, key, lane, way, channel_id, message, thread, stage, state, attempts, created_at, sent_at)
        SELECT organization_id, 'probed', 'c' || id, 'call', id, ?, 't', 'single', 'sent', 1, ?, ?
        FROM channels WHERE id = ?`,
      )
      .run(JSON.stringify(message), Date.now(), Date.now(), Number(channel))
    if (lastInsertRowid === 0n) throw new Error('the victim has no channel')
    database
      .prepare('INSERT INTO outbox_attempts (outbox_id, number, started_at, request, answer) VALUES (?, 1, ?, ?, ?)')
      .run(lastInsertRowid, Date.now(), JSON.stringify({ body: canary }), canary)
    return String(lastInsertRowid)
  } finally {
    database.close()
  }
}

/** Of issues that are new together alerts tell a minute later, which would be a change that nobody asked for. */
const silence = async (alerts: string, headers: Headers): Promise<void> => {
  const rules = await askJson<{ id: string }[]>(alerts, { headers })
  for (const { id } of rules)
    await askJson(`${alerts}${id}/enabled/`, { method: 'PUT', headers, json: { isEnabled: false } })
}

/** Events, a file, feedback, notes and answers, each with the canary in its texts. */
// long: one list of things, each made by the one before
const fillVictim = async (parts: {
  readonly base: string
  readonly canary: string
  readonly victim: Account
  readonly owner: Headers
  readonly team: string
}): Promise<
  Omit<
    Ids,
    | 'member'
    | 'openInvitation'
    | 'replayAsset'
    | 'artifactBundle'
    | 'artifactFile'
    | 'debugFile'
    | 'delivery'
    | 'ticket'
    | 'token'
  >
> => {
  const { base, canary, victim, owner } = parts
  const organization = `${base}/api/0/organizations/${victim.organization}`
  const project = `${base}/api/0/projects/${victim.organization}/${victim.project}`
  const get = <Body>(url: string): Promise<Body> => askJson<Body>(url, { headers: owner })
  const post = <Body>(url: string, json: unknown): Promise<Body> =>
    askJson<Body>(url, { method: 'POST', headers: owner, json })

  await silence(`${organization}/alerts/`, owner)
  const event = newEventId()
  // The first issue has most events, so that others are merged into it and it has a hash to give away.
  for (const [id, type] of [
    [event, 'ProbeError'],
    [newEventId(), 'ProbeError'],
    [newEventId(), 'OtherError'],
    [newEventId(), 'MergedError'],
  ] as const) {
    await sendEvent(victim, canary, id, type)
  }
  await sendTransaction(victim, canary, event)
  await sendLog(victim, canary, event)
  await sendSession(victim, canary)
  await sendReplay(victim, canary, event)
  const said = await sendFeedback(victim.dsn, {
    message: `feedback ${canary}`,
    name: canary,
    contact_email: `${canary}@x.example`,
  })
  const saidToo = await sendFeedback(victim.dsn, { message: `another remark of ${canary}`, name: canary })

  type Issue = { readonly id: string; readonly shortId: string; readonly title: string }
  const issues = await until("the victim's issues", async () => {
    const found = await get<Issue[]>(`${organization}/issues/?query=`)
    const [first, second, third] = ['ProbeError', 'OtherError', 'MergedError'].map((type) =>
      found.find((issue) => issue.title.includes(type)),
    )
    return first === undefined || second === undefined || third === undefined ? null : { first, second, third }
  })
  await askJson(`${organization}/issues/?id=${issues.first.id}&id=${issues.third.id}`, {
    method: 'PUT',
    headers: owner,
    json: { merge: true },
  })
  const feedback = await until("the victim's feedback", async () => {
    const found = await get<{ id: string; eventId?: string }[]>(`${organization}/feedback/`).catch(() => [])
    return found.length >= 2 ? found : null
  })
  for (const settings of ['replay-assets', 'site-maps']) {
    await askJson(`${project}/${settings}/`, {
      method: 'PUT',
      headers: owner,
      json: { enabled: false, hosts: [`${canary}.example`] },
    })
  }
  const files = await until("the victim's file", async () => {
    const found = await get<{ id: string }[]>(`${project}/events/${event}/attachments/`).catch(() => [])
    return found[0] ?? null
  })
  const hashes = await until("the merged issue's hashes", async () => {
    const found = await get<{ id: string }[]>(`${organization}/issues/${issues.first.id}/hashes/`)
    return found.length === 2 ? found : null
  })
  const { log, replayChunk, replayMark } = await awaitTelemetry(organization, event, owner)
  const reports = feedback.map(({ id }) => id)
  const issueNote = await post<{ id: string }>(`${organization}/issues/${issues.first.id}/notes/`, { text: canary })
  await post(`${project}/codeowners/`, { raw: `/${canary}/ owner@${canary}.example` })
  // It holds nothing, so that the issues stay as they are for the others.
  const issueSet = await post<{ id: string }>(`${organization}/issue-sets/`, { query: `${canary} ${canary}` })
  const savedSearch = await post<{ id: string }>(`${organization}/searches/`, { name: canary, query: canary })
  const savedQuery = await post<{ id: string }>(`${organization}/explore/saved/`, {
    name: canary,
    query: { query: canary },
    visibility: 'organization',
  })
  const statusIncident = await post<{ id: string }>(`${organization}/status-incidents/`, {
    kind: 'incident',
    title: canary,
    text: canary,
  })
  // It is never asked: what it is called is what nobody else may read.
  const uptimeCheck = await post<{ id: string }>(`${organization}/uptime/`, {
    name: canary,
    project: victim.projectId,
    url: `https://${canary}.invalid/`,
    status: 'disabled',
  })
  await sendCheckIn(victim, canary, event)
  const monitor = await until("the victim's monitor", async () => {
    const found = await get<{ id: string }[]>(`${organization}/monitors/`)
    return found[0] ?? null
  })
  const channel = await post<{ id: string }>(`${organization}/channels/`, {
    kind: 'webhook',
    name: canary,
    secrets: { url: `${base}/_health/?${canary}` },
  })
  // Nobody is there: what it is called is what nobody else may read.
  const tracker = await post<{ id: string }>(`${organization}/trackers/`, {
    kind: 'gitea',
    name: canary,
    settings: { url: 'http://127.0.0.1:9', repository: 'acme/shop' },
    secrets: { token: canary },
  })
  const alert = await post<{ id: string }>(`${organization}/alerts/`, {
    name: canary,
    trigger: { source: 'happened', kinds: ['issue_opened'] },
  })
  const metricAlert = await post<{ id: string | number }>(`${organization}/alert-rules/`, {
    name: `how much ${canary}`,
    aggregate: 'count()',
    timeWindow: 5,
    projects: [victim.projectId],
    thresholdType: 0,
    triggers: [{ label: 'critical', alertThreshold: 1000 }],
  })
  // What it comes to each minute would be a change that nobody asked for.
  await askJson(`${organization}/alerts/${metricAlert.id}/enabled/`, {
    method: 'PUT',
    headers: owner,
    json: { isEnabled: false },
  })
  await until('who wrote a note being subscribed', async () => {
    const { isSubscribed } = await get<{ isSubscribed: boolean }>(`${organization}/issues/${issues.first.id}/`)
    return isSubscribed ? true : null
  })
  const inboxEntry = await until("a line of the owner's inbox", async () => {
    const found = await get<{ id: string }[]>(`${organization}/inbox/`)
    return found[0] ?? null
  })
  const unseenRelease = await post<{ version: string }>(`${project}/releases/`, {
    version: 'unseen@1.0.0',
    ref: canary,
  })
  const repository = await post<{ id: string }>(`${organization}/repos/`, { name: `acme/${canary}` })
  const codeMapping = await post<{ id: string }>(`${organization}/code-mappings/`, {
    projectId: victim.projectId,
    repositoryId: repository.id,
    stackRoot: `${canary}/`,
    sourceRoot: '',
  })
  const erasure = await post<{ id: string }>(`${organization}/person/erasures/`, { names: [`id:${canary}`] })
  const replayLink = await post<{ id: string }>(`${project}/replays/${event}/links/`, { days: 7 })
  // It finds nobody, so that the replay stays for the others.
  await post(`${project}/replays/jobs/delete/`, { data: { visitor: { userId: 'nobody' } } })
  const feedbackNote = await post<{ id: string }>(`${organization}/feedback/${reports[0]}/notes/`, { text: canary })
  await post(`${organization}/feedback/${reports[0]}/replies/`, { text: `answer ${canary}` })
  // Tests read what is shown; the thread of the first report is the secret of its sender.
  const threadUrl = said.threadUrl === '' ? saidToo.threadUrl : said.threadUrl
  return {
    project: victim.projectId,
    issue: issues.first.id,
    otherIssue: issues.second.id,
    shortId: issues.first.shortId,
    event,
    attachment: files.id,
    issueNote: issueNote.id,
    savedSearch: savedSearch.id,
    issueSet: issueSet.id,
    savedQuery: savedQuery.id,
    channel: channel.id,
    tracker: tracker.id,
    alert: alert.id,
    metricAlert: String(metricAlert.id),
    repository: repository.id,
    codeMapping: codeMapping.id,
    unseenRelease: unseenRelease.version,
    replayLink: replayLink.id,
    erasure: erasure.id,
    monitor: monitor.id,
    statusIncident: statusIncident.id,
    uptimeCheck: uptimeCheck.id,
    inboxEntry: inboxEntry.id,
    feedback: reports[0] ?? '',
    otherFeedback: reports[1] ?? '',
    feedbackEvent: said.eventId,
    feedbackNote: feedbackNote.id,
    threadUrl,
    team: parts.team,
    key: new URL(victim.dsn).username,
    version: RELEASE,
    tag: TAG,
    hash: hashes[0]?.id ?? '',
    trace: event,
    span: event.slice(0, 16),
    log,
    replayMark,
    replayChunk,
    profile: event,
    replay: event,
  }
}

/** Waits for what is read from telemetry alone: trace, profile, replay, log line. @returns ids that telemetry gave */
const awaitTelemetry = async (
  organization: string,
  event: string,
  headers: Headers,
): Promise<Pick<Ids, 'log' | 'replayChunk' | 'replayMark'>> => {
  const get = <Body>(path: string): Promise<Body> => askJson<Body>(`${organization}/${path}`, { headers })
  for (const things of ['traces', 'profiles', 'replays']) {
    const path = `${organization}/${things}/${event}/`
    await until(`the victim's ${things}`, async () => {
      const answer = await ask(path, { headers })
      if (answer.status === 404) return null
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text.slice(0, 400)}`)
      return answer
    })
  }
  // It is cut into chunks by the first who asks for them, which stand in the stores from then on.
  const { chunks } = await get<{ chunks: { number: number }[] }>(`replays/${event}/playback/chunks/`)
  const { marks } = await get<{ marks: { id: string; kind: string }[] }>(`replays/${event}/playback/`)
  const replayMark = marks.find(({ kind }) => kind === 'request')?.id ?? ''
  await until("the victim's sessions", async () => {
    const found = await get<unknown[]>(`release-health/?release=${RELEASE}`)
    return found.length > 0 ? true : null
  })
  const log = await until("the victim's log line", async () => {
    const found = await get<{ lines: { id: string }[] }>('logs/')
    return found.lines[0]?.id ?? null
  })
  return { log, replayChunk: String(chunks[0]?.number ?? ''), replayMark }
}

/** A transaction, whose trace has the id of the event, and so has its profile. */
const sendTransaction = async (victim: Account, canary: string, id: string): Promise<void> => {
  const now = Date.now() / 1000
  const trace = { trace_id: id, span_id: id.slice(0, 16), op: 'http.server', status: 'ok', data: { [TAG]: canary } }
  const payload = {
    type: 'transaction',
    event_id: newEventId(),
    transaction: 'GET /secrets',
    start_timestamp: now - 1,
    timestamp: now,
    release: RELEASE,
    environment: `env-${canary}`,
    user: { id: '7', email: `user.${canary}@example.com` },
    contexts: { trace },
    spans: [],
  }
  const lines = [
    JSON.stringify({ event_id: payload.event_id }),
    JSON.stringify({ type: 'transaction' }),
    JSON.stringify(payload),
    JSON.stringify({ type: 'profile' }),
    JSON.stringify({
      event_id: id,
      version: '1',
      platform: 'javascript',
      timestamp: new Date((now - 1) * 1000).toISOString(),
      transaction: { id: payload.event_id, name: 'GET /secrets', trace_id: id, active_thread_id: '0' },
      profile: {
        samples: [0, 1e7].map((elapsed) => ({ elapsed_since_start_ns: elapsed, stack_id: 0, thread_id: '0' })),
        stacks: [[0]],
        frames: [{ function: canary, abs_path: `https://shop.example/${canary}.js` }],
      },
    }),
  ]
  const answer = await fetch(ingestUrl(victim.dsn), { method: 'POST', body: lines.join('\n') })
  if (!answer.ok) throw new Error(`the victim's transaction was refused: ${answer.status} ${await answer.text()}`)
}

/** A replay that has the id of the event, with one segment. */
const sendReplay = async (victim: Account, canary: string, id: string): Promise<void> => {
  const now = Date.now()
  const about = {
    type: 'replay_event',
    replay_id: id,
    event_id: id,
    segment_id: 0,
    replay_type: 'session',
    replay_start_timestamp: now / 1000 - 1,
    timestamp: now / 1000,
    urls: [`https://shop.example/${canary}`],
    error_ids: [id],
    trace_ids: [id],
    platform: 'javascript',
    release: RELEASE,
    environment: `env-${canary}`,
    user: { id: '7', email: `user.${canary}@example.com` },
    tags: { [TAG]: canary },
  }
  const node = { id: 1, tagName: 'button', textContent: canary, attributes: { id: canary } }
  const text = { type: 3, id: 3, textContent: canary }
  const html = { type: 2, id: 2, tagName: 'html', attributes: {}, childNodes: [text] }
  const payload = { category: 'ui.click', message: `button#${canary}`, data: { nodeId: 1, node } }
  const request = {
    op: 'resource.fetch',
    description: `https://shop.example/api/${canary}`,
    startTimestamp: (now - 400) / 1000,
    endTimestamp: (now - 300) / 1000,
    data: { method: 'GET', statusCode: 200, response: { headers: {}, body: canary } },
  }
  const events = [
    { type: 4, timestamp: now - 900, data: { href: `https://shop.example/${canary}`, width: 800, height: 600 } },
    { type: 2, timestamp: now - 900, data: { node: { type: 0, id: 1, childNodes: [html] } } },
    { type: 5, timestamp: now - 500, data: { tag: 'breadcrumb', payload } },
    { type: 5, timestamp: now - 400, data: { tag: 'performanceSpan', payload: request } },
  ]
  const recording = `{"segment_id":0}\n${JSON.stringify(events)}`
  await sendVideo(victim, { about, recording, film: Buffer.from(`\0\0\0\x20ftypisom${canary}`) })
  const lines = [
    JSON.stringify({ event_id: id }),
    JSON.stringify({ type: 'replay_event' }),
    JSON.stringify(about),
    JSON.stringify({ type: 'replay_recording', length: Buffer.byteLength(recording) }),
    recording,
  ]
  const answer = await fetch(ingestUrl(victim.dsn), { method: 'POST', body: lines.join('\n') })
  if (!answer.ok) throw new Error(`the victim's replay was refused: ${answer.status} ${await answer.text()}`)
}

/** The same segment once more, as a phone sends it. */
const sendVideo = async (
  victim: Account,
  {
    about,
    film,
    recording,
  }: { readonly about: { readonly replay_id: string }; readonly film: Buffer; readonly recording: string },
): Promise<void> => {
  const parts = {
    replay_event: Buffer.from(JSON.stringify(about)),
    replay_recording: Buffer.from(recording),
    replay_video: film,
  }
  const packed = Buffer.concat([
    Buffer.from([0x80 | Object.keys(parts).length]),
    ...Object.entries(parts).flatMap(([name, bytes]) => {
      const head = Buffer.alloc(5, 0xc6)
      head.writeUInt32BE(bytes.byteLength, 1)
      return [Buffer.from([0xa0 | name.length]), Buffer.from(name), head, bytes]
    }),
  ])
  const head = [{ event_id: about.replay_id }, { type: 'replay_video', length: packed.byteLength }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
  const body = new Uint8Array([...Buffer.from(head), ...packed])
  const answer = await fetch(ingestUrl(victim.dsn), { method: 'POST', body })
  if (!answer.ok) throw new Error(`the victim's video was refused: ${answer.status} ${await answer.text()}`)
}

/** A log line of the trace that has the id of the event. */
const sendLog = async (victim: Account, canary: string, id: string): Promise<void> => {
  const typed = (value: string) => ({ type: 'string', value })
  const line = {
    timestamp: Date.now() / 1000,
    trace_id: id,
    level: 'error',
    body: `logged ${canary}`,
    attributes: { [TAG]: typed(canary), 'sentry.environment': typed(`env-${canary}`), 'logger.name': typed(canary) },
  }
  const lines = [
    '{}',
    JSON.stringify({ type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' }),
    JSON.stringify({ items: [line] }),
  ]
  const answer = await fetch(ingestUrl(victim.dsn), { method: 'POST', body: lines.join('\n') })
  if (!answer.ok) throw new Error(`the victim's log line was refused: ${answer.status} ${await answer.text()}`)
}

/** A session in an environment whose name is nobody else's business, and one of the release that others may not see. */
const sendSession = async (victim: Account, canary: string): Promise<void> => {
  const started = new Date().toISOString()
  const items = [RELEASE, `shop-${canary}@1.0.0`].flatMap((release) => [
    JSON.stringify({ type: 'session' }),
    JSON.stringify({
      sid: newEventId(),
      init: true,
      started,
      timestamp: started,
      status: 'crashed',
      errors: 1,
      did: `user.${canary}@example.com`,
      attrs: { release, environment: `env-${canary}` },
    }),
  ])
  const answer = await fetch(ingestUrl(victim.dsn), { method: 'POST', body: ['{}', ...items].join('\n') })
  if (!answer.ok) throw new Error(`the victim's sessions were refused: ${answer.status} ${await answer.text()}`)
}

/** A run of a monitor, with what it wrote. */
const sendCheckIn = async (victim: Account, canary: string, id: string): Promise<void> => {
  const { host, protocol, username } = new URL(victim.dsn)
  const address = `${protocol}//${host}/api/${victim.projectId}/cron/${canary}/${username}`
  const answer = await fetch(`${address}?status=ok&rid=${id}&schedule=0+3+*+*+*&environment=production`, {
    method: 'POST',
    body: `wrote ${canary}`,
  })
  if (!answer.ok) throw new Error(`the victim's check-in was refused: ${answer.status} ${await answer.text()}`)
}

/** An error with a file beside it. */
const sendEvent = async (victim: Account, canary: string, id: string, type: string): Promise<void> => {
  const payload = {
    event_id: id,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    release: RELEASE,
    environment: `env-${canary}`,
    tags: { [TAG]: canary },
    user: { id: '7', email: `user.${canary}@example.com` },
    exception: { values: [{ type, value: `message ${canary}`, stacktrace: { frames: [{ function: canary }] } }] },
  }
  const file = `file ${canary}`
  const lines = [
    JSON.stringify({ event_id: id }),
    JSON.stringify({ type: 'event' }),
    JSON.stringify(payload),
    JSON.stringify({ type: 'attachment', filename: `${canary}.txt`, length: file.length }),
    file,
  ]
  const answer = await fetch(ingestUrl(victim.dsn), { method: 'POST', body: lines.join('\n') })
  if (!answer.ok) throw new Error(`the victim's event was refused: ${answer.status} ${await answer.text()}`)
}
