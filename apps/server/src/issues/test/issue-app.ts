import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { API_PREFIX } from '@firsthand/contract'
import {
  createAccounts,
  DEFAULT_PROJECT_SETTINGS,
  SCOPES,
  type Accounts,
  type ProjectSettings,
  type Role,
  type Scope,
} from '../../accounts/index.ts'
import { createHandles } from '../../accounts/ledger/handles.ts'
import { hashSecret } from '../../accounts/secrets.ts'
import { createAddressing, createHttpApp, type Route } from '../../http/index.ts'
import { createLogger, type Logger } from '../../lib/logger.ts'
import { chdb } from '../../storage/conformance/engines.ts'
import type { LedgerEngine, TestClock } from '../../storage/conformance/engines.ts'
import { createAccountStore } from '../../accounts/ledger/account-store.ts'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { createLedgerIssueMarks } from '../ledger/issue-marks.ts'
import { createLedgerSavedSearches } from '../ledger/saved-searches.ts'
import { createLedgerIssueSets } from '../ledger/issue-sets.ts'
import { createLedgerIssueView } from '../ledger/issue-view.ts'
import { createLedgerIssueWorkflow } from '../ledger/issue-workflow.ts'
import { organizationOfIssue } from '../ledger/organization-of-issue.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { createFileBlobs } from '../../storage/blobs/file-blobs.ts'
import { createTelemetryAttachmentView } from '../../kept-items/index.ts'
import { createTelemetryEventView } from '../telemetry/events.view.ts'
import { createReceiptRoutes } from '../../receipts/receipts.routes.ts'
import { livingProjects } from '../../accounts/living-projects.ts'
import { createTelemetryReceiptView } from '../../receipts/telemetry-receipts.view.ts'
import { createTelemetryStore } from '../../../test/stores/batch-stores.ts'
import type { OutcomeRow } from '../../ingest/road.ts'
import type { NormalisedEvent } from '../../event/event.ts'
import { summaryOf } from '../digest/event-to-store.ts'
import type { KeptItem } from '../../kept-items/kept-item.ts'
import { group } from '../grouping/index.ts'
import {
  COUNT_REPORTS,
  COUNT_WRITERS,
  createErrorsOfPerson,
  createGlances,
  createIssueServices,
  RANK_WRITERS,
  REPORT_OF_EVENT,
  TRANSACTION_OF_EVENT,
} from '../index.ts'
import { findTransactionOfEvent } from '../../traces/transaction-event.ts'
import { createTraceView } from '../../traces/traces.view.ts'
import { answersAboutErrors, errorsDataset } from '../errors-dataset.ts'
import { createAttributeRoutes } from '../../explore/attributes.routes.ts'
import { createTableRoutes } from '../../explore/events.routes.ts'
import { createExploreView } from '../../explore/explore.view.ts'
import { createExportRoute } from '../../explore/export.routes.ts'
import { createHeatMapRoutes } from '../../explore/heat-map.routes.ts'
import type { ExploreServices } from '../../explore/scope.ts'
import { createSeriesRoutes } from '../../explore/series.routes.ts'
import { createReportsOfPerson } from '../../feedback/ledger/reports-of-person.ts'
import { countReports, reportOf } from '../../feedback/ledger/reports-about.ts'
import { countWriters, rankWriters } from '../../feedback/ledger/writers.ts'
import { createLinesOfPerson } from '../../logs/telemetry/lines-of-person.ts'
import { createPersonRoutes } from '../../people/person/person.routes.ts'
import { createReplaysOfPerson } from '../../replays/telemetry/replays-of-person.ts'
import { createTransactionsOfPerson } from '../../traces/telemetry/transactions-of-person.ts'
import { answering, createQuestions, type Ask, type KnownAnswer } from '../../lib/questions.ts'
import type { EventView } from '../events.view.ts'
import type { IssueView } from '../ledger/issue-view.ts'
import { createLegacyUrls } from '../legacy-urls.ts'
import type { IssuesChanged } from '../services.ts'
import { createRoutesOfIssues } from '../slice.routes.ts'
import type { Ledger, Telemetry } from '../../storage/index.ts'

/** Tests: the routes of this slice in process, on a real ledger and the telemetry engine of the worker. */

export const NOW = Date.UTC(2026, 10, 20, 12)

export interface Sample {
  /** Decides the issue. */
  readonly kind: string
  readonly id?: string
  /** Milliseconds before `NOW`. */
  readonly ago?: number
  readonly event?: Partial<NormalisedEvent>
}

let serial = 0

/** 32 hex characters that no other sample has. */
export const nextId = (): string => (++serial).toString(16).padStart(32, '0')

export const sampleEvent = ({ kind, id = nextId(), ago = 0, event = {} }: Sample): NormalisedEvent => {
  const timestamp = (NOW - ago) / 1000
  const { environment = 'production', release = 'web@1.0', user = { id: '1', sentry_user: 'id:1' } } = event
  return {
    event_id: id,
    type: 'error',
    timestamp,
    received: timestamp,
    platform: 'javascript',
    level: 'error',
    logger: '',
    environment,
    release,
    user,
    contexts: { trace: { trace_id: id } },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: `${kind} is not a function`,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: {
            frames: [
              { filename: 'https://x.example/node_modules/react/index.js', function: 'render', in_app: true },
              {
                filename: `https://x.example/${kind}.js`,
                abs_path: `https://x.example/${kind}.js`,
                function: kind,
                lineno: 3,
                pre_context: ['a', 'b'],
                context_line: `${kind}()`,
                post_context: ['c'],
                in_app: true,
              },
            ],
          },
        },
      ],
    },
    breadcrumbs: { values: [{ type: 'default', level: 'info', message: 'clicked', timestamp }] },
    request: { url: 'https://x.example/cart', method: 'GET', headers: [['Accept', '*/*']] },
    tags: [
      ['environment', environment],
      ['kind', kind],
      ['release', release],
    ],
    sdk: { name: 'sentry.javascript.browser', version: '11.12.0' },
    errors: [{ type: 'invalid_data', name: 'extra.x', reason: 'not a string' }],
    ...event,
  }
}

interface AppOptions {
  readonly mergesFollowed?: number | undefined
  /** Of a capability that builds on this one. */
  readonly moreRoutes?: ((parts: IssueAppParts) => readonly Route[]) | undefined
}

export interface IssueAppParts {
  readonly client: ClickHouseClient
  readonly ask: Ask
  readonly accounts: Accounts
  readonly clock: TestClock
  readonly events: EventView
  readonly issues: IssueView
  readonly ledger: Ledger
  readonly logger: Logger
  readonly learn: (known: readonly KnownAnswer[]) => void
}

export const createIssueApp = async (engine: LedgerEngine, { mergesFollowed, moreRoutes }: AppOptions = {}) => {
  const dir = await mkdtemp(join(tmpdir(), 'firsthand-issues-'))
  const lines: string[] = []
  const logger = createLogger(
    'debug',
    (line) => lines.push(line),
    () => NOW,
  )
  const { ledger, clock, close } = await engine.open()
  clock.set(NOW)
  const { telemetry, close: closeTelemetry } = await chdb.open()
  const accounts = createAccounts({ store: createAccountStore(ledger), clock, setupToken: 'test-set-up-token' })
  const blobs = createFileBlobs(join(dir, 'blobs'))
  const changes: IssuesChanged[] = []
  const issueStore = createIssueStore({ ledger, clock })
  const telemetryStore = createTelemetryStore({ client: telemetry.client })
  const stores: Stores = { dir, logger, ledger, clock, telemetry, accounts, blobs, issueStore, telemetryStore }
  const app = createApp(stores, (change) => changes.push(change), { mergesFollowed, moreRoutes })
  let batch = 0

  return {
    clock,
    ledger,
    client: telemetry.client,
    changes,
    lines,

    /** An organisation with one project and its owner, and what calls the API in their name. */
    organization: (slug: string, projectSlug = 'web') => makeOrganization(stores, app, slug, projectSlug),

    /** Stores events as the digest does; answers the issue of each. */
    store: (
      place: ProjectPlace,
      events: readonly NormalisedEvent[],
      outcomes: readonly OutcomeRow[] = [],
      /** Between the ledger and telemetry. */
      applied: () => Promise<void> = async () => {},
    ): Promise<number[]> => storeEvents(stores, ++batch, place, events, outcomes, applied),

    /** Stores what a visitor said, as the inbox has it. */
    report: (report: TestReport): Promise<void> => storeReport(stores, report),

    /** Keeps items as the digest does; those with `bytes` have their payload in the blob store. */
    keep: (items: readonly TestItem[]): Promise<void> => keepItems(stores, `test:kept:${++batch}`, items),

    /** Sets how events of a project are grouped from now on. */
    setGroupingRules: async (projectId: number, grouping: Partial<ProjectSettings['grouping']>): Promise<void> => {
      await accounts.store.updateProject(projectId, { settings: JSON.stringify({ grouping }) })
      accounts.lookup.clear()
    },

    /** Makes the events of a project such as were stored before it was kept how they were grouped. */
    forgetGrouping: async (projectId: number): Promise<void> => {
      await telemetry.client.command({
        query: "ALTER TABLE events UPDATE grouping = '' WHERE project_id = {projectId:UInt64}",
        query_params: { projectId },
        clickhouse_settings: { mutations_sync: '1' },
      })
    },

    /** Takes the events of a project out of the telemetry, as damage of the disk does. */
    loseEvents: async (projectId: number): Promise<void> => {
      await telemetry.client.command({
        query: 'ALTER TABLE events DELETE WHERE project_id = {projectId:UInt64}',
        query_params: { projectId },
        clickhouse_settings: { mutations_sync: '1' },
      })
    },

    close: async () => {
      await closeTelemetry()
      await close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

interface Stores {
  readonly dir: string
  readonly logger: Logger
  readonly ledger: Ledger
  readonly clock: TestClock
  readonly telemetry: Telemetry
  readonly accounts: Accounts
  readonly blobs: BlobStore
  readonly issueStore: ReturnType<typeof createIssueStore>
  readonly telemetryStore: ReturnType<typeof createTelemetryStore>
}

type App = ReturnType<typeof createApp>

interface ProjectPlace {
  readonly organizationId: number
  readonly projectId: number
}

interface TestReport extends ProjectPlace {
  readonly issueId: number
  /** Id of the event. */
  readonly about: string
  readonly message: string
  readonly email?: string
  /** As events call their user. */
  readonly userKey?: string
  /** Milliseconds before `NOW`. */
  readonly ago?: number
  readonly status?: 'open' | 'spam'
}

type TestItem = Omit<KeptItem, 'bytes' | 'blobKey'> & { readonly bytes: Uint8Array | number }

const createApp = (
  { accounts, blobs, clock, dir, ledger, logger, telemetry }: Stores,
  changed: (change: IssuesChanged) => void,
  { mergesFollowed, moreRoutes = () => [] }: AppOptions,
) => {
  const questions = createQuestions()
  const issues = createLedgerIssueView({ ledger, ...(mergesFollowed !== undefined && { mergesFollowed }) })
  const events = createTelemetryEventView({ client: telemetry.client })
  const explore: ExploreServices = {
    view: createExploreView({ client: telemetry.client }),
    datasets: [errorsDataset],
    projects: livingProjects(ledger),
    clock,
    ask: questions.ask,
  }
  questions.learn([
    ...answersAboutErrors(issues),
    answering(COUNT_REPORTS, countReports(ledger)),
    answering(COUNT_WRITERS, countWriters(ledger)),
    answering(RANK_WRITERS, rankWriters(ledger)),
    answering(REPORT_OF_EVENT, reportOf(ledger)),
    answering(TRANSACTION_OF_EVENT, findTransactionOfEvent(createTraceView({ client: telemetry.client }))),
  ])
  return createHttpApp({
    routes: [
      ...createReceiptRoutes({
        receipts: createTelemetryReceiptView({ client: telemetry.client }),
        projects: livingProjects(ledger),
        clock,
      }),
      ...createRoutesOfIssues(
        createIssueServices({
          issues,
          events,
          attachments: createTelemetryAttachmentView({ client: telemetry.client, blobs }),
          workflow: createLedgerIssueWorkflow({ ledger }),
          marks: createLedgerIssueMarks({ ledger }),
          sets: createLedgerIssueSets({ ledger }),
          savedSearches: createLedgerSavedSearches({ ledger }),
          settings: accounts.lookup,
          handles: createHandles({ ledger }),
          clock,
          glances: createGlances({ clock }),
          ask: questions.ask,
          changed,
        }),
      ),
      ...createPersonRoutes({
        issues,
        clock,
        projects: livingProjects(ledger),
        sources: {
          errors: createErrorsOfPerson(telemetry.client),
          transactions: createTransactionsOfPerson(telemetry.client),
          lines: createLinesOfPerson(telemetry.client),
          replays: createReplaysOfPerson(telemetry.client),
          reports: createReportsOfPerson(ledger),
        },
      }),
      createExportRoute(explore, { issues, events, clock }),
      ...createTableRoutes(explore),
      ...createSeriesRoutes(explore),
      ...createAttributeRoutes(explore),
      ...createHeatMapRoutes(explore),
      ...moreRoutes({
        client: telemetry.client,
        ask: questions.ask,
        accounts,
        clock,
        events,
        issues,
        ledger,
        logger,
        learn: questions.learn,
      }),
    ],
    resolve: createLegacyUrls((issueId) => organizationOfIssue(ledger, issueId)),
    authenticator: accounts.authenticator,
    addressing: createAddressing({ publicUrl: null, trustedProxies: [] }),
    logger,
    version: '0.0.0',
    isReady: () => true,
    consoleDir: join(dir, 'console'),
    checkAnswers: true,
  })
}

/** An organisation with one project and its owner, and what calls the API in their name. */
const makeOrganization = async (parts: Stores, app: App, slug: string, projectSlug: string) => {
  const { accounts } = parts
  const made = await accounts.setup.ensure({
    email: `owner@${slug}.example`,
    password: 'orchid-lantern-42',
    organizationSlug: slug,
    projectSlug,
    publicUrl: 'http://localhost',
  })
  if (!made.ok) throw new Error(made.error.detail)
  const organization = await accounts.store.organizationBySlug(slug)
  const project = organization === null ? null : await accounts.store.project(organization.id, projectSlug)
  const token = made.value.token
  if (organization === null || project === null || token === null) throw new Error(`${slug} was not set up`)
  return {
    organizationId: organization.id,
    projectId: project.id,
    /** In the name of the organisation, which is nobody. */
    call: callWith(app, token),
    /** In the name of a member, who is made when missing. */
    as: async (email: string, role: Role = 'member', scopes: readonly Scope[] = SCOPES) =>
      callWith(app, await tokenOf(parts, { id: organization.id, slug }, { email, role, scopes })),
    /** For answers that are no JSON. */
    download: async (path: string): Promise<Response> =>
      app.request(API_PREFIX + path, { headers: { authorization: `Bearer ${token}` } }),
  }
}

/** Calls the API with a token. */
const callWith = (app: App, secret: string) => async (method: string, path: string, body?: unknown) => {
  const response = await app.request(API_PREFIX + path, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // Tests look into answers of many shapes.
  return { status: response.status, headers: response.headers, body: JSON.parse(text || 'null') as never }
}

/** A token of a member, who is made when missing. */
const tokenOf = async (
  { accounts, clock }: Stores,
  organization: { readonly id: number; readonly slug: string },
  { email, role, scopes }: { readonly email: string; readonly role: Role; readonly scopes: readonly Scope[] },
): Promise<string> => {
  const { id: organizationId, slug } = organization
  const now = clock.now()
  const { store } = accounts
  const user = (await store.userByEmail(email)) ?? (await store.insertUser({ email, name: '', passwordHash: '', now }))
  if ((await store.membership(user.id, slug)) === null) {
    const invitation = { inviteHash: null, inviteExpiresAt: null }
    await store.insertMember({
      ...invitation,
      organizationId,
      userId: user.id,
      email,
      role,
      now,
    })
  }
  const secret = `${slug}-${email}-${nextId()}`
  await store.insertToken({
    organizationId,
    userId: user.id,
    name: 'test',
    hash: hashSecret(secret),
    tail: '',
    scopes,
    now,
    expiresAt: null,
  })
  return secret
}

/** Stores events as the digest does; answers the issue of each. */
const storeEvents = async (
  { accounts, issueStore, telemetryStore }: Stores,
  number: number,
  place: ProjectPlace,
  events: readonly NormalisedEvent[],
  outcomes: readonly OutcomeRow[],
  /** Between the ledger and telemetry. */
  applied: () => Promise<void>,
): Promise<number[]> => {
  const rules = (await accounts.lookup.byProjectId(place.projectId))?.settings ?? DEFAULT_PROJECT_SETTINGS
  const own = events.map((event) => ({
    ...place,
    receivedAt: Math.round(event.received * 1000),
    grouped: group(event, rules),
  }))
  const { events: verdicts } = await issueStore.apply({
    spool: 'test',
    number,
    end: { segment: 0, offset: number },
    events: own.map((event) => ({ ...event, grouped: summaryOf(event.grouped) })),
    blobs: [],
  })
  const stored = own.flatMap((event, index) => {
    const verdict = verdicts[index]
    return verdict?.kind === 'stored' ? [{ ...event, issueId: verdict.issueId }] : []
  })
  await applied()
  await telemetryStore.write({
    token: `test:${number}`,
    outcomes: () => outcomes,
    keptItems: [],
    events: stored.map(({ organizationId, projectId, issueId, receivedAt, grouped }) => ({
      organizationId,
      projectId,
      issueId,
      row: telemetryStore.encode({
        receivedAt,
        grouped,
        traceId: grouped.event.event_id,
        spanId: null,
        replayId: null,
      }),
    })),
  })
  await issueStore.settle('test', number)
  return stored.map((event) => event.issueId)
}

/** Stores what a visitor said, as the inbox has it. */
const storeReport = async ({ ledger }: Stores, report: TestReport): Promise<void> => {
  await ledger.db
    .insertInto('feedback')
    .values({
      organization_id: report.organizationId,
      project_id: report.projectId,
      issue_id: report.issueId,
      associated_event_id: report.about,
      message: report.message,
      status: report.status ?? 'open',
      event_id: nextId(),
      batch: 0,
      key_id: 0,
      source: 'widget',
      is_read: 0,
      name: '',
      email: report.email ?? '',
      user_key: report.userKey ?? '',
      writer: report.email === undefined ? (report.userKey ?? `report:${nextId()}`) : `email:${report.email}`,
      url: '',
      browser: '',
      os: '',
      environment: '',
      release: '',
      words: report.message,
      details: '{}',
      trace_id: null,
      replay_id: null,
      assigned_user_id: null,
      assigned_team_id: null,
      spam_score: 0,
      spam_reasons: '[]',
      spam_decided_by: 'automatic',
      attachments: 0,
      address_hash: '',
      message_hash: '',
      merged_into_id: null,
      awaits_reply: 0,
      created_at: NOW - (report.ago ?? 0),
      last_activity_at: NOW,
      thread_token: null,
      told_resolved_at: null,
    })
    .execute()
}

/** Keeps items as the digest does; those with `bytes` have their payload in the blob store. */
const keepItems = async (
  { blobs, telemetryStore }: Stores,
  token: string,
  items: readonly TestItem[],
): Promise<void> => {
  const keptItems: KeptItem[] = []
  for (const item of items) {
    const { bytes } = item
    if (typeof bytes === 'number') keptItems.push({ ...item, bytes, blobKey: null })
    else {
      const [blobKey = null] = await blobs.put([{ organizationId: item.organizationId, bytes }])
      keptItems.push({ ...item, bytes: bytes.byteLength, payload: null, blobKey })
    }
  }
  await telemetryStore.write({ token, outcomes: () => [], events: [], keptItems })
}

export type IssueApp = Awaited<ReturnType<typeof createIssueApp>>
export type TestOrganization = Awaited<ReturnType<IssueApp['organization']>>
