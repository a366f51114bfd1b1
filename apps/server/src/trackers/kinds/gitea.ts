import { isSignedHex, makeHexSecret } from '../hooks/signatures.ts'
import { LIMITS } from '../limits.ts'
import { isNumber, isSame, listOf, readJson, textOf, trimmed } from './answers.ts'
import type { TrackerKind } from './kind.ts'
import { issuesOf, repositoryPath } from './repositories.ts'

const { remote, ...issues } = issuesOf('Gitea')

const PER_PAGE = 20

/** Gitea and Forgejo, by version 1 of their API. */
export const gitea: TrackerKind<'gitea'> = {
  base: ({ settings }) => `${trimmed(settings.url)}/api/v1`,
  headers: ({ secrets }) => ({ authorization: `token ${secrets.token}`, accept: 'application/json' }),
  ...issues,

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
      const listed = listOf(json)
      const found = listed.find((issue) => textOf(issue, 'body').includes(marker))
      if (found !== undefined) return remote(target.settings, found)
      if (listed.length < PER_PAGE) return null
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
