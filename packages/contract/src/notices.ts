import { z } from './zod.ts'
import { date, empty, id, number, paging } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What a person is told: their inbox, and how they want to hear of what. */

export const noticeKind = z.enum([
  'assigned',
  'mentioned',
  'reply',
  'owner',
  'alert',
  'regression',
  'escalation',
  'subscribed',
  'feedback',
  'new',
  'check-in',
  'weekly',
  'system',
])
export type NoticeKind = z.output<typeof noticeKind>

const level = z.enum(['fatal', 'error', 'warning', 'info', 'ok'])

/** Of a colleague; null for the machine, and for whoever is gone. */
const actor = z.object({ id, name: z.string(), email: z.string() }).nullable()

/** What a line sleeps until: an instant, a release (null: the next one), twice as much of it, or somebody's answer. */
export const snooze = z.discriminatedUnion('until', [
  z.object({ until: z.literal('time'), at: date }),
  z.object({ until: z.literal('release'), release: z.string().min(1).max(200).nullable() }),
  z.object({ until: z.literal('worse') }),
  z.object({ until: z.literal('answer') }),
])
export type Snooze = z.output<typeof snooze>

/** One thing that happened. `path` leads into the console, `''` nowhere. */
export const inboxItem = z.object({
  id,
  kind: noticeKind,
  actor,
  level,
  title: z.string(),
  detail: z.string(),
  path: z.string(),
  dateCreated: date,
})
export type InboxItem = z.output<typeof inboxItem>

export const inboxEntry = z.object({
  id,
  kind: noticeKind,
  level,
  title: z.string(),
  /** Why this person is told, in one sentence. */
  reason: z.string(),
  actor,
  project: z.object({ id, slug: z.string(), name: z.string() }).nullable(),
  issueId: id.nullable(),
  reportId: id.nullable(),
  /** It waits for this person; the rest is good to know. */
  waits: z.boolean(),
  /** How much this line is about. */
  told: z.number(),
  firstAt: date,
  lastAt: date,
  isRead: z.boolean(),
  isDone: z.boolean(),
  snooze: snooze.nullable(),
  /** Why it is back, `''` where it was not away. */
  woken: z.string(),
  /** Of what it is about, the newest. */
  items: z.array(inboxItem),
})
export type InboxEntry = z.output<typeof inboxEntry>

/** What the newest message of a line says besides its title. */
const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('code'), text: z.string() }),
  z.object({ kind: z.literal('quote'), text: z.string(), by: z.string() }),
  z.object({ kind: z.literal('facts'), rows: z.array(z.object({ name: z.string(), value: z.string() })) }),
  z.object({ kind: z.literal('list'), items: z.array(z.object({ text: z.string(), path: z.string().optional() })) }),
])
export type MessageBlock = z.output<typeof block>

export const inboxDetail = inboxEntry.extend({
  blocks: z.array(block),
  actions: z.array(z.object({ label: z.string(), path: z.string() })),
})
export type InboxDetail = z.output<typeof inboxDetail>

const inboxView = z.enum(['unread', 'all', 'snoozed', 'done'])

export const listInbox = endpoint({
  method: 'GET',
  path: '/organizations/{org}/inbox/',
  query: z.object({ ...paging, show: inboxView.default('unread'), query: z.string().trim().max(200).optional() }),
  ok: z.array(inboxEntry),
  summary: 'What one was told, a line for each cause: what waits for one first, then the newest',
  scope: 'event:read',
})

export const countInbox = endpoint({
  method: 'GET',
  path: '/organizations/{org}/inbox/count/',
  ok: z.object({ unread: z.number(), waiting: z.number(), snoozed: z.number() }),
  summary: 'How many lines of one’s inbox are unread, wait for one, and sleep',
  scope: 'event:read',
})

export const getInboxEntry = endpoint({
  method: 'GET',
  path: '/organizations/{org}/inbox/{entry}/',
  ok: inboxDetail,
  summary: 'A line of one’s inbox, with what it is about one by one',
  scope: 'event:read',
})

const ENTRIES = 1000

/** As a line was before it was changed. What came to it later stays as it came. */
const entryState = z.object({ id, isRead: z.boolean(), isDone: z.boolean(), snooze: snooze.nullable(), lastAt: date })
export type InboxState = z.output<typeof entryState>

export const updateInbox = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/inbox/',
  body: z
    .object({
      ids: z.array(z.string().max(20)).max(ENTRIES).optional(),
      /** In place of ids: every unread line with nothing later than this. */
      unreadUpTo: z.iso.datetime({ offset: true }).optional(),
      query: z.string().trim().max(200).optional(),
      isRead: z.boolean().optional(),
      isDone: z.boolean().optional(),
      snooze: snooze.nullable().optional(),
    })
    .refine((body) => (body.ids === undefined) !== (body.unreadUpTo === undefined), {
      message: 'Name lines by their ids, or all that are unread up to an instant.',
      path: ['ids'],
    }),
  ok: z.object({ before: z.array(entryState) }),
  summary: 'Change lines of one’s inbox; the answer says how they were, to undo it',
  scope: 'event:read',
})

export const restoreInbox = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/inbox/states/',
  body: z.object({ states: z.array(entryState).max(ENTRIES) }),
  ok: z.object({ restored: z.number() }),
  summary: 'Undo: put lines of one’s inbox back, but for those to which something came since',
  scope: 'event:read',
})

const pace = z.enum(['now', 'digest', 'never'])
export type Pace = z.output<typeof pace>

const paces = z.object({ inbox: pace.optional(), mail: pace.optional() })
const changedPaces = z.partialRecord(noticeKind, paces)

const quietHours = z.object({
  /** Minutes since midnight. */
  from: z.int().min(0).max(1439),
  to: z.int().min(0).max(1439),
  weekends: z.boolean(),
  highMayPass: z.boolean(),
})

export const noticeSettings = z.object({
  /** What one changed; `defaults` has the rest. */
  kinds: changedPaces,
  /** By the ids of projects, before those of the kinds. */
  projects: z.record(z.string().regex(/^\d{1,15}$/), changedPaces),
  /** IANA name; `''` for the account's. */
  timezone: z.string().max(64),
  digestMinutes: z.union([z.literal(15), z.literal(60), z.literal(1440)]),
  quiet: quietHours.nullable(),
})
export type NoticeSettings = z.output<typeof noticeSettings>

export const getNoticeSettings = endpoint({
  method: 'GET',
  path: '/users/me/notifications/',
  ok: z.object({
    settings: noticeSettings,
    defaults: z.record(noticeKind, z.object({ inbox: pace, mail: pace })),
    /** That counts, whoever said so. */
    timezone: z.string(),
    mail: z.object({
      address: z.string(),
      /** False: this server has nothing to send by. */
      canSend: z.boolean(),
      /** Why nothing is sent to the address; null while it is. */
      paused: z.object({ since: date, reason: z.string() }).nullable(),
    }),
  }),
  summary: 'What reaches one, where and when',
  scope: 'signed-in',
})

export const updateNoticeSettings = endpoint({
  method: 'PUT',
  path: '/users/me/notifications/',
  body: noticeSettings,
  ok: noticeSettings,
  summary: 'Change what reaches one, where and when',
  scope: 'signed-in',
})

export const resumeOwnMail = endpoint({
  method: 'DELETE',
  path: '/users/me/notifications/pause/',
  ok: empty,
  summary: 'Send mail to one’s address again, after it was refused',
  scope: 'signed-in',
})

export const listPausedAddresses = endpoint({
  method: 'GET',
  path: '/organizations/{org}/paused-addresses/',
  ok: z.array(z.object({ memberId: id, name: z.string(), email: z.string(), since: date, reason: z.string() })),
  summary: 'Members to whom no mail is sent because it was refused',
  scope: 'member:read',
})

export const allowMailToMember = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/paused-addresses/{member}/',
  ok: empty,
  summary: 'Send mail to a member again',
  scope: 'member:write',
})

/** Who can be named in a note, by `@handle` or `#handle`. */
export const listHandles = endpoint({
  method: 'GET',
  path: '/organizations/{org}/handles/',
  query: z.object({
    query: z.string().trim().max(100).optional(),
    limit: number().pipe(z.int().min(1).max(50)).optional(),
  }),
  ok: z.array(
    z.object({ handle: z.string(), type: z.enum(['user', 'team']), id, name: z.string(), email: z.string() }),
  ),
  summary: 'Members and teams by the words that name them in notes, with their sign: @ann, #checkout',
  scope: 'event:read',
})
export type Handle = z.output<typeof listHandles.ok>[number]

const quoted = z.object({ text: z.string(), by: z.string(), path: z.string() })
const reportedIssue = z.object({ id, shortId: z.string(), title: z.string(), detail: z.string(), path: z.string() })

export const weeklyReport = z.object({
  from: date,
  to: date,
  /** Nothing to say: no mail is sent. */
  isEmpty: z.boolean(),
  new: z.array(reportedIssue),
  worse: z.array(reportedIssue),
  fixed: z.array(reportedIssue),
  back: z.array(reportedIssue),
  quotes: z.array(quoted),
  waiting: z.array(z.object({ text: z.string(), path: z.string() })),
  /** The mail as it is sent. */
  mail: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
})
export type WeeklyReport = z.output<typeof weeklyReport>

export const getWeeklyReport = endpoint({
  method: 'GET',
  path: '/organizations/{org}/weekly-report/',
  ok: weeklyReport,
  summary: 'The weekly report of the last seven days, as the mail on Monday would say it now',
  scope: 'event:read',
})
