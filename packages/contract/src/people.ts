import { z } from './zod.ts'
import { date, empty, flag, id, number, projectFilter, paging, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'
import { feedbackAttachment, feedbackIssue, feedbackMessage } from './feedback.ts'
import { person, telling } from './issues.ts'

/** What people said about an issue, who of them is told when it is resolved, and all that one person ran into and said. */

/**
 * So many people who ran into an issue without a word, one who wrote counts for, when issues are sorted by whom they harmed:
 * few write, and whoever does was stopped by it.
 */
export const SILENT_PER_WRITER = 10

/** By what a report came to its issue: the event or the trace that it names, or somebody's hand. */
export const LINKED_BY = ['event', 'trace', 'person'] as const

const project = z.object({ id, name: z.string(), slug: z.string() })

/** What somebody said about an issue. */
export const issueReport = z.object({
  id,
  eventId: z.string(),
  name: z.string(),
  email: z.string(),
  /** Cut; whole at the report's own address. */
  message: z.string(),
  /** As the browser said: `pt-BR`; '' when it did not. */
  language: z.string(),
  url: z.string(),
  release: z.string(),
  status: z.string(),
  dateCreated: date,
  linkedBy: z.object({ by: z.enum(LINKED_BY), user: person.nullable() }),
  /** The report of the same words under which it stands: it goes with that one. */
  under: id.nullable(),
  /** Whom the page knew: the `user` of `getPerson`; null when nobody. */
  user: z.string().nullable(),
  /** The first picture that came with it. */
  picture: feedbackAttachment.nullable(),
  replay: z.object({ replayId: z.string(), offsetMs: z.number().nullable() }).nullable(),
  /** The newest messages, oldest first. */
  thread: z.array(feedbackMessage),
  replyCount: z.number(),
  awaitsReply: z.boolean(),
  reply: z.object({ canReply: z.boolean(), by: z.enum(['email', 'page', 'none']), reason: z.string().nullable() }),
})
export type IssueReport = z.output<typeof issueReport>

export const listIssueReports = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/people/',
  query: z.object({ ...paging }),
  ok: z.array(issueReport),
  summary: 'What people said about an issue and what was merged into it, newest first (Link header, X-Hits)',
  scope: 'event:read',
})

/** Why somebody who wrote is not told. */
export const NOT_TOLD = ['spam', 'unsubscribed', 'told', 'unreachable', 'left_out'] as const

export const toldPerson = z.object({
  /** Of the report to which the message goes. */
  id,
  name: z.string(),
  email: z.string(),
  /** Beginning of what they wrote. */
  quote: z.string(),
  /** How the message reaches them. */
  by: z.enum(['email', 'page']),
  /** Language of the message: `pt`. */
  language: z.string(),
})
export type ToldPerson = z.output<typeof toldPerson>

export const notTold = z.object({ id, name: z.string(), email: z.string(), why: z.enum(NOT_TOLD) })

/** Who is told that an issue is resolved, and what. */
export const issueTelling = z.object({
  /** The first of `total`. */
  people: z.array(toldPerson),
  total: z.number(),
  /** The first of `notToldTotal`. */
  notTold: z.array(notTold),
  notToldTotal: z.number(),
  /** `{name}`, `{quote}` and `{release}` stand for what differs from person to person. */
  texts: z.array(
    z.object({
      language: z.string(),
      text: z.string(),
      isEdited: z.boolean(),
      /** Of the people told, how many read it. */
      people: z.number(),
    }),
  ),
  /** What happens when nobody says anything else. */
  when: z.enum(['now', 'release', 'never']),
  /** The newest release of the project. */
  newestRelease: z.string().nullable(),
  /** Waits to be sent; null when nothing does. */
  planned: z
    .object({
      /** `person`: they are more than a project tells by itself, so that it waits until somebody says so. */
      when: z.enum(['now', 'release', 'person']),
      /** Whose first sight it waits for; null when it waits for none, '' for whichever comes next. */
      release: z.string().nullable(),
      /** Until then nothing is sent; null while it waits for the release, or for a person. */
      dueAt: date.nullable(),
      /** Null when the project does so by itself. */
      user: person.nullable(),
    })
    .nullable(),
  /** People who were told so far, and when the last was. */
  told: z.number(),
  lastTold: date.nullable(),
})
export type IssueTelling = z.output<typeof issueTelling>

export const getIssueTelling = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/telling/',
  /** The usual texts as they are when a release is named. */
  query: z.object({ namesRelease: flag().optional() }),
  ok: issueTelling,
  summary: 'Who is told when an issue is resolved, in which way and language, and what',
  scope: 'event:read',
})

export const updateIssueTelling = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/issues/{issue}/telling/',
  body: telling,
  ok: issueTelling,
  summary: 'Change who is told that an issue is resolved, when and what, until it is sent',
  scope: 'event:write',
})

export const deleteIssueTelling = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/issues/{issue}/telling/',
  ok: empty,
  summary: 'Tell nobody: nothing of what waits is sent',
  scope: 'event:write',
})

/** A person as telemetry calls its users: `id:7`, `username:ada`, `email:ada@x.example`, `ip:192.0.2.7`. */
const personKey = z
  .string()
  .max(262)
  .regex(/^(id|username|email|ip):./s, 'A person is written id:7, username:ada, email:ada@x.example or ip:192.0.2.7.')

export const foundPerson = z.object({
  user: z.string(),
  name: z.string(),
  email: z.string(),
  lastSeen: date,
})
export type FoundPerson = z.output<typeof foundPerson>

/** So many are found, those seen last. */
export const PEOPLE_FOUND = 20

export const findPeople = endpoint({
  method: 'GET',
  path: '/organizations/{org}/people/',
  query: z.object({ query: z.string().trim().min(1).max(200), ...projectFilter }),
  ok: z.array(foundPerson),
  summary: 'People of the last 30 days, by a part of their id, name or e-mail address: the 20 seen last',
  scope: 'event:read',
})

const aboutPerson = { user: personKey, ...projectFilter, ...timeRange }

export const personDetail = z.object({
  user: z.string(),
  name: z.string(),
  email: z.string(),
  /** Other names under which the same person was seen. */
  alsoKnownAs: z.array(z.string()),
  /** Null where nothing is known of them. */
  firstSeen: date.nullable(),
  lastSeen: date.nullable(),
  counts: z.object({
    errors: z.number(),
    reports: z.number(),
    replays: z.number(),
    transactions: z.number(),
    logs: z.number(),
    /** Messages of ours to them. */
    told: z.number(),
  }),
  /** By day of UTC: seconds since the epoch, errors, reports, all that is known. */
  days: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  /** What they ran into, most often first. */
  issues: z.array(feedbackIssue.extend({ count: z.number() })),
  /** With which browser, system, device, release, language: the values seen last. */
  uses: z.array(z.object({ key: z.string(), values: z.array(z.string()) })),
  projects: z.array(project),
})
export type PersonDetail = z.output<typeof personDetail>

export const getPerson = endpoint({
  method: 'GET',
  path: '/organizations/{org}/person/',
  query: z.object(aboutPerson),
  ok: personDetail,
  summary: 'One person in a time (30 days without one): what they ran into and said, with what',
  scope: 'event:read',
})

export const PERSON_ENTRIES = ['error', 'report', 'message', 'told', 'replay', 'transaction', 'log'] as const

const at = { at: date, id, project }

/** Something that happened to a person, that they said, or that was said to them. */
export const personEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('error'),
    ...at,
    title: z.string(),
    level: z.string(),
    issue: feedbackIssue.nullable(),
    release: z.string(),
    transaction: z.string(),
    traceId: z.string().nullable(),
    replayId: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('report'),
    ...at,
    message: z.string(),
    status: z.string(),
    url: z.string(),
    release: z.string(),
    awaitsReply: z.boolean(),
    pictures: z.number(),
    issue: feedbackIssue.nullable(),
    replayId: z.string().nullable(),
  }),
  /** What they wrote after the report; `report`: of whose thread it is. */
  z.object({ kind: z.literal('message'), ...at, text: z.string(), report: id }),
  /** What we told them: an answer, or that what they reported is resolved. */
  z.object({
    kind: z.literal('told'),
    ...at,
    text: z.string(),
    report: id,
    /** Who wrote it; null for what goes out by itself. */
    user: person.nullable(),
    /** Of its mail; `page`: it stands on the private page of their report, and nothing was sent. */
    state: z.enum(['queued', 'sent', 'failed', 'page']),
    /** When the mail server took it. */
    sentAt: date.nullable(),
    /** Why the last attempt failed. */
    error: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('replay'),
    ...at,
    until: date,
    urls: z.array(z.string()),
    clicks: z.number(),
    deadClicks: z.number(),
    rageClicks: z.number(),
    errors: z.number(),
    browser: z.string(),
    os: z.string(),
    release: z.string(),
  }),
  z.object({
    kind: z.literal('transaction'),
    ...at,
    traceId: z.string(),
    name: z.string(),
    op: z.string(),
    durationMs: z.number(),
    status: z.string(),
    httpStatus: z.number().nullable(),
    release: z.string(),
  }),
  z.object({ kind: z.literal('log'), ...at, level: z.string(), body: z.string(), traceId: z.string().nullable() }),
])
export type PersonEntry = z.output<typeof personEntry>

export const listPersonEntries = endpoint({
  method: 'GET',
  path: '/organizations/{org}/person/timeline/',
  query: z.object({
    ...aboutPerson,
    kind: z.array(z.enum(PERSON_ENTRIES)).max(PERSON_ENTRIES.length).optional(),
    /** Milliseconds since the epoch, and how many entries of that moment were given already; from the Link header. */
    cursor: z.string().max(200).optional(),
    limit: number().pipe(z.int().min(1).max(100)).optional(),
  }),
  ok: z.array(personEntry),
  summary: 'All that one person ran into and said, newest first (Link header)',
  scope: 'event:read',
})

/** That all that is kept of a person is erased. */
export const erasure = z.object({
  id,
  /** Until `dateDue` it can be taken back. `running`: also while what was received before is on its way to the stores. */
  state: z.enum(['planned', 'running', 'done', 'withdrawn']),
  /** Under which the person is known; empty once it is over. */
  names: z.array(z.string()),
  /** Who asked for it; null once they have no account. */
  user: person.nullable(),
  /** What was received later stays. */
  dateAsked: date,
  dateDue: date,
  dateEnded: date.nullable(),
  /** What was erased so far: `errors`, `reports`, … */
  counts: z.array(z.object({ what: z.string(), count: z.number() })),
  /** How often it failed, one time after the other, why the last time, and when it is tried again; null when it did not. */
  failure: z.object({ attempts: z.int(), error: z.string(), dateRetry: date }).nullable(),
})
export type Erasure = z.output<typeof erasure>

const ERASED_NAMES_MAX = 50

export const erasurePreview = z.object({
  /** Under which the person is known: ids, addresses and names that stand beside each other in what is kept. */
  names: z.array(z.string()),
  /** Whether these are all; more are not followed. */
  isWhole: z.boolean(),
  /** Names of others that may be theirs as well: they were called the same. They are not meant unless somebody chooses them. */
  beside: z.array(z.string()),
  /** Null where counting takes too long. */
  counts: z.array(z.object({ what: z.string(), count: z.number().nullable() })),
})
export type ErasurePreview = z.output<typeof erasurePreview>

export const previewErasure = endpoint({
  method: 'GET',
  path: '/organizations/{org}/person/erasures/preview/',
  query: z.object({
    user: personKey,
    /** Of these names alone, instead of all that stand beside `user`. */
    name: z.array(personKey).min(1).max(ERASED_NAMES_MAX).optional(),
  }),
  ok: erasurePreview,
  summary: 'What would be deleted of a person, of any time and in every project, and under which names',
  scope: 'event:read',
})

export const listErasures = endpoint({
  method: 'GET',
  path: '/organizations/{org}/person/erasures/',
  ok: z.array(erasure),
  summary: 'The last 50 deletions of people: who asked, when, how much went',
  scope: 'event:read',
})

export const createErasure = endpoint({
  method: 'POST',
  path: '/organizations/{org}/person/erasures/',
  body: z.object({ names: z.array(personKey).min(1).max(ERASED_NAMES_MAX) }),
  ok: erasure,
  summary: 'Delete all that is kept under these names, ten minutes from now',
  scope: 'project:admin',
})

export const deleteErasure = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/person/erasures/{erasure}/',
  ok: empty,
  summary: 'Take a deletion of a person back, as long as it has not begun',
  scope: 'project:admin',
})
