import { isSignedHex, makeHexSecret } from '../hooks/signatures.ts'
import { LIMITS } from '../limits.ts'
import { titleOf } from '../writing/draft.ts'
import { markdownOf } from '../writing/markdown.ts'
import { fieldOf, isNoAnswer, isNumber, isSame, listOf, pathBelow, readJson, textOf, trimmed } from './answers.ts'
import { TrackerFailure } from './failure.ts'
import type { RemoteTicket, Target, TrackerKind } from './kind.ts'

type Settings = Target<'gitea'>['settings']

const repositoryPath = ({ settings }: Target<'gitea'>): string => `/repos/${settings.repository}`

const remote = ({ url, repository }: Settings, json: unknown): RemoteTicket => {
  const number = textOf(json, 'number')
  if (!isNumber(number)) throw new TrackerFailure('Gitea answered with something that is no issue.')
  return {
    id: number,
    key: `#${number}`,
    url: `${trimmed(url)}/${repository}/issues/${number}`,
    title: textOf(json, 'title'),
    state: textOf(json, 'state') === 'closed' ? 'closed' : 'open',
  }
}

const PER_PAGE = 20

/** Gitea and Forgejo, by version 1 of their API. */
export const gitea: TrackerKind<'gitea'> = {
  base: ({ settings }) => `${trimmed(settings.url)}/api/v1`,
  headers: ({ secrets }) => ({ authorization: `token ${secrets.token}`, accept: 'application/json' }),
  name: ({ repository }) => repository,

  test: async (target, ask) => {
    const answered = await ask({ method: 'GET', path: repositoryPath(target) })
    const { repository } = target.settings
    const name = textOf(answered.json, 'full_name')
    const hasIssues = fieldOf(answered.json, 'has_issues')
    if (!isSame(name, repository) || typeof hasIssues !== 'boolean') {
      throw isNoAnswer('Gitea', `the repository ${repository}`, answered)
    }
    if (!hasIssues) throw new TrackerFailure(`${repository} has issues switched off. Switch them on in its settings.`)
    return `The token reads ${name}. Whether it may write shows with the first ticket.`
  },

  create: async (target, ask, draft) => {
    const body = { title: titleOf(draft), body: markdownOf(draft) }
    const { json } = await ask({ method: 'POST', path: `${repositoryPath(target)}/issues`, body })
    return remote(target.settings, json)
  },

  find: async (target, ask, { marker, since }) => {
    for (let page = 1; page <= LIMITS.TICKET_SEARCH_PAGES; page++) {
      const query = new URLSearchParams({
        state: 'all',
        type: 'issues',
        since: new Date(since).toISOString(),
        limit: String(PER_PAGE),
        page: String(page),
      })
      const { json } = await ask({ method: 'GET', path: `${repositoryPath(target)}/issues?${query.toString()}` })
      const issues = listOf(json)
      const found = issues.find((issue) => textOf(issue, 'body').includes(marker))
      if (found !== undefined) return remote(target.settings, found)
      if (issues.length < PER_PAGE) return null
    }
    return null
  },

  read: async (target, ask, id) => {
    const { status, json } = await ask({ method: 'GET', path: `${repositoryPath(target)}/issues/${id}`, takes: [404] })
    return status === 404 ? null : remote(target.settings, json)
  },

  setState: async (target, ask, id, state) => {
    await ask({ method: 'PATCH', path: `${repositoryPath(target)}/issues/${id}`, body: { state } })
  },

  idOf: ({ url, repository }, address) => {
    const [owner = '', name = '', kind, id = ''] = pathBelow(url, address) ?? []
    return isSame(`${owner}/${name}`, repository) && kind === 'issues' && isNumber(id) ? id : null
  },

  isSigned: ({ headers, bytes }, { ours }) =>
    isSignedHex(headers['x-gitea-signature'] ?? headers['x-forgejo-signature'], '', ours, bytes),

  makeSecret: makeHexSecret,

  readHook: ({ repository }, { headers, bytes }) => {
    const json = readJson(bytes)
    const id = textOf(json, 'issue', 'number')
    const event = headers['x-gitea-event'] ?? headers['x-forgejo-event'] ?? ''
    const isOwn = event === 'issues' && isSame(textOf(json, 'repository', 'full_name'), repository)
    return {
      deliveryId: headers['x-gitea-delivery'] ?? headers['x-forgejo-delivery'] ?? null,
      sentAt: null,
      ticketIds: isOwn && isNumber(id) ? [id] : [],
    }
  },
}
