import { countInbox, getInboxEntry, listInbox, restoreInbox, updateInbox } from '@firsthand/contract'
import type {
  BodyOutput,
  InboxEntry as EntryJson,
  InboxItem as ItemJson,
  Snooze as SnoozeJson,
} from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import { badRequest, bind, notFound, readMomentPage, toMomentPage, type Caller, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import type { EntryState, InboxEntry, InboxItem } from './inbox.ts'
import { placeInInbox, type Inbox, type InboxOwner } from './ledger/inbox.ts'
import { LIMITS } from './limits.ts'
import type { Snooze } from './snooze.ts'

/** Of what a line is about, what a list shows. */
const ITEMS_IN_LISTS = 4

const ownerOf = ({
  caller,
  organization,
}: {
  readonly caller: Caller
  readonly organization: { readonly id: number }
}): InboxOwner => ({ organizationId: organization.id, userId: caller.user.id })

/** One's inbox. */
export const createInboxRoutes = ({
  inbox,
  accounts,
  clock,
  changed,
}: {
  readonly inbox: Inbox
  readonly accounts: Pick<Accounts, 'store'>
  readonly clock: Clock
  /** Told when somebody changed their inbox, for their other pages. */
  readonly changed: (organizationId: number) => void
}): Route[] => {
  const projectsOf = async (organizationId: number, entries: readonly InboxEntry[]) => {
    const ids = new Set(entries.map(({ projectId }) => projectId).filter((id) => id !== null))
    const projects = new Map<number, NonNullable<EntryJson['project']>>()
    for (const projectId of ids) {
      const project = await accounts.store.project(organizationId, String(projectId))
      if (project !== null) projects.set(projectId, { id: String(projectId), slug: project.slug, name: project.name })
    }
    return projects
  }

  return [
    bind(listInbox, async ({ query, request }) => {
      const owner = ownerOf(request)
      const asked = readMomentPage(query)
      const found = await inbox.list(owner, { view: query.show, query: query.query ?? '', page: asked })
      const { rows, page } = toMomentPage(found, asked, (entry) => placeInInbox(query.show, entry))
      const items = await inbox.items(rows, ITEMS_IN_LISTS)
      const projects = await projectsOf(owner.organizationId, rows)
      return { body: rows.map((entry) => entryJson(entry, items.get(entry.id) ?? [], projects)), page }
    }),

    bind(countInbox, async ({ request }) => ({ body: await inbox.count(ownerOf(request)) })),

    bind(getInboxEntry, async ({ params, request }) => {
      const owner = ownerOf(request)
      const entry = await inbox.find(owner, readId(params.entry))
      if (entry === null) throw notFound()
      const items = await inbox.items([entry], LIMITS.NOTICE_ITEMS_SHOWN)
      const projects = await projectsOf(owner.organizationId, [entry])
      const { blocks, actions } = entry.message
      return {
        body: {
          ...entryJson(entry, items.get(entry.id) ?? [], projects),
          blocks: blocks.map((block) => structuredClone(block) as never),
          actions: actions.map(({ label, path }) => ({ label, path })),
        },
      }
    }),

    bind(updateInbox, async ({ body, request }) => {
      const owner = ownerOf(request)
      const before = await inbox.change(owner, whichOf(body), changeOf(body, clock.now()), clock.now())
      changed(owner.organizationId)
      return { body: { before: before.map(stateJson) } }
    }),

    bind(restoreInbox, async ({ body, request }) => {
      const owner = ownerOf(request)
      const states = body.states.map((state) => ({
        ...state,
        id: readId(state.id),
        snooze: state.snooze === null ? null : readSnooze(state.snooze),
        lastAt: readInstant(state.lastAt),
      }))
      const restored = await inbox.restore(owner, states, clock.now())
      changed(owner.organizationId)
      return { body: { restored } }
    }),
  ]
}

type Change = BodyOutput<typeof updateInbox>

const whichOf = ({ ids, unreadUpTo, query }: Change) =>
  ids === undefined ? { unreadUpTo: readInstant(unreadUpTo ?? ''), query: query ?? '' } : { ids: ids.map(readId) }

const changeOf = ({ isRead, isDone, snooze: wanted }: Change, now: number) => {
  if (isRead === undefined && isDone === undefined && wanted === undefined) {
    throw badRequest('Say what changes: isRead, isDone or snooze.')
  }
  const snooze = wanted === undefined || wanted === null ? wanted : readSnooze(wanted)
  if (snooze?.until === 'time' && (snooze.at <= now || snooze.at > now + LIMITS.NOTICE_SNOOZE_MS)) {
    throw badRequest('A line sleeps until an instant that is to come, within a year.', {
      snooze: 'Choose a time that is to come, within a year.',
    })
  }
  return { isRead, isDone, snooze }
}

const readId = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}

const readInstant = (text: string): number => {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw badRequest('This is no instant: write it like 2026-11-27T09:00:00Z.')
  return at
}

const readSnooze = (wanted: SnoozeJson): Snooze =>
  wanted.until === 'time' ? { until: 'time', at: readInstant(wanted.at) } : wanted

const snoozeJson = (snooze: Snooze | null): SnoozeJson | null =>
  snooze?.until === 'time' ? { until: 'time', at: toDate(snooze.at) } : snooze

const stateJson = ({ id, isRead, isDone, snooze, lastAt }: EntryState) => ({
  id: String(id),
  isRead,
  isDone,
  snooze: snoozeJson(snooze),
  lastAt: toDate(lastAt),
})

const actorJson = (actor: InboxEntry['actor']) => (actor === null ? null : { ...actor, id: String(actor.id) })

const itemJson = ({ id, kind, actor, level, title, detail, path, at }: InboxItem): ItemJson => ({
  id: String(id),
  kind,
  actor: actorJson(actor),
  level,
  title,
  detail,
  path,
  dateCreated: toDate(at),
})

const idOrNull = (id: number | null): string | null => (id === null ? null : String(id))

const entryJson = (
  entry: InboxEntry,
  items: readonly InboxItem[],
  projects: ReadonlyMap<number, NonNullable<EntryJson['project']>>,
): EntryJson => ({
  ...stateJson(entry),
  kind: entry.kind,
  level: entry.level,
  title: entry.title,
  reason: entry.reason,
  actor: actorJson(entry.actor),
  project: entry.projectId === null ? null : (projects.get(entry.projectId) ?? null),
  issueId: idOrNull(entry.issueId),
  reportId: idOrNull(entry.reportId),
  waits: entry.waits,
  told: entry.told,
  firstAt: toDate(entry.firstAt),
  woken: entry.woken,
  items: items.map(itemJson),
})
