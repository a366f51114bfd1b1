import { isEqual, isSignedStandard, makeStandardSecret, sentAtStandard } from '../hooks/signatures.ts'
import { LIMITS } from '../limits.ts'
import { titleOf } from '../writing/draft.ts'
import { markdownOf } from '../writing/markdown.ts'
import { fieldOf, isNoAnswer, isNumber, isSame, listOf, pathBelow, readJson, textOf, trimmed } from './answers.ts'
import { TicketMoved, TrackerFailure } from './failure.ts'
import type { RemoteTicket, Target, TrackerKind } from './kind.ts'

type Settings = Target<'gitlab'>['settings']

const projectPath = ({ settings }: Target<'gitlab'>): string => `/projects/${encodeURIComponent(settings.project)}`

const remote = ({ url, project }: Settings, json: unknown): RemoteTicket => {
  const number = textOf(json, 'iid')
  if (!isNumber(number)) throw new TrackerFailure('GitLab answered with something that is no issue.')
  return {
    id: number,
    key: `#${number}`,
    url: `${trimmed(url)}/${project}/-/issues/${number}`,
    title: textOf(json, 'title'),
    state: textOf(json, 'state') === 'closed' ? 'closed' : 'open',
  }
}

const PER_PAGE = 20

/** GitLab, by version 4 of its REST API. */
export const gitlab: TrackerKind<'gitlab'> = {
  base: ({ settings }) => `${trimmed(settings.url)}/api/v4`,
  headers: ({ secrets }) => ({ 'private-token': secrets.token, accept: 'application/json' }),
  name: ({ project }) => project,

  test: async (target, ask) => {
    const answered = await ask({ method: 'GET', path: projectPath(target) })
    const { project } = target.settings
    const name = textOf(answered.json, 'path_with_namespace')
    if (!isSame(name, project)) throw isNoAnswer('GitLab', `the project ${project}`, answered)
    // It is not told to those who see little of the project.
    if (fieldOf(answered.json, 'issues_enabled') === false) {
      throw new TrackerFailure(`${project} has issues switched off. Switch them on in its settings.`)
    }
    return `The token reads ${name}. Whether it may write shows with the first ticket.`
  },

  create: async (target, ask, draft) => {
    const body = { title: titleOf(draft), description: markdownOf(draft) }
    const { json } = await ask({ method: 'POST', path: `${projectPath(target)}/issues`, body })
    return remote(target.settings, json)
  },

  find: async (target, ask, { marker, since }) => {
    for (let page = 1; page <= LIMITS.TICKET_SEARCH_PAGES; page++) {
      const query = new URLSearchParams({
        created_after: new Date(since).toISOString(),
        order_by: 'created_at',
        sort: 'desc',
        scope: 'all',
        per_page: String(PER_PAGE),
        page: String(page),
      })
      const { json } = await ask({ method: 'GET', path: `${projectPath(target)}/issues?${query.toString()}` })
      const issues = listOf(json)
      const found = issues.find((issue) => textOf(issue, 'description').includes(marker))
      if (found !== undefined) return remote(target.settings, found)
      if (issues.length < PER_PAGE) return null
    }
    return null
  },

  read: async (target, ask, id) => {
    const { status, json } = await ask({ method: 'GET', path: `${projectPath(target)}/issues/${id}`, takes: [404] })
    if (status === 404) return null
    // It is closed where it was, by which nothing is done. Of the other one nothing is told but a number of the whole server.
    if (textOf(json, 'moved_to_id') !== '') throw new TicketMoved('')
    return remote(target.settings, json)
  },

  setState: async (target, ask, id, state) => {
    const body = { state_event: state === 'closed' ? 'close' : 'reopen' }
    await ask({ method: 'PUT', path: `${projectPath(target)}/issues/${id}`, body })
  },

  idOf: ({ url, project }, address) => {
    const path = pathBelow(url, address) ?? []
    const [kind, id = ''] = path.slice(-2)
    const before = path.slice(0, -2).filter((part) => part !== '-')
    const isTicket = kind === 'issues' || kind === 'work_items'
    return isTicket && isNumber(id) && isSame(before.join('/'), project) ? id : null
  },

  // A GitLab that signs is held to it. One that does not sends the secret itself, and has it in no other place.
  isSigned: ({ headers, bytes }, { ours, theirs }) =>
    theirs === ''
      ? isSignedStandard(headers, ours, bytes) || (ours !== '' && isEqual(headers['x-gitlab-token'] ?? '', ours))
      : isSignedStandard(headers, theirs, bytes),

  // By its form it is one to sign by as well, of which GitLab asks that.
  makeSecret: makeStandardSecret,

  readHook: ({ project }, { headers, bytes }) => {
    const json = readJson(bytes)
    const id = textOf(json, 'object_attributes', 'iid')
    const kind = textOf(json, 'object_kind')
    const isOwn =
      (kind === 'issue' || kind === 'work_item') && isSame(textOf(json, 'project', 'path_with_namespace'), project)
    return {
      deliveryId: headers['webhook-id'] ?? headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'] ?? null,
      sentAt: headers['webhook-signature'] === undefined ? null : sentAtStandard(headers),
      ticketIds: isOwn && isNumber(id) ? [id] : [],
    }
  },
}
