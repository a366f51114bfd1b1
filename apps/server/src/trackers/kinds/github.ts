import { isSignedHex, makeHexSecret } from '../hooks/signatures.ts'
import { LIMITS } from '../limits.ts'
import { isNumber, isSame, listOf, pathBelow, readJson, textOf, trimmed } from './answers.ts'
import { TicketMoved } from './failure.ts'
import type { Ask, Target, TrackerKind } from './kind.ts'
import { issuesOf, repositoryPath } from './repositories.ts'

const { remote, ...issues } = issuesOf('GitHub')

const PER_PAGE = 20

/**
 * Where a transferred issue is, by what its old address leads to. A renamed repository leads elsewhere as well: that is a
 * matter of the connection, and so says the call for the repository.
 *
 * @returns '' where the token does not see it
 */
const newAddressOf = async (target: Target<'github'>, ask: Ask, leadsTo: string): Promise<string> => {
  await ask({ method: 'GET', path: repositoryPath(target) })
  const base = github.base(target)
  const below = URL.canParse(leadsTo) ? pathBelow(base, new URL(leadsTo)) : null
  if (below === null) return ''
  const { json } = await ask({ method: 'GET', path: `/${below.join('/')}`, takes: [301, 403, 404, 410] })
  const address = URL.parse(textOf(json, 'html_url'))
  return address !== null && pathBelow(target.settings.url, address) !== null ? address.href.slice(0, 500) : ''
}

/** GitHub and GitHub Enterprise Server, by version 2022-11-28 of its REST API. */
export const github: TrackerKind<'github'> = {
  base: ({ settings: { url } }) =>
    isSame(URL.parse(url)?.host ?? '', 'github.com') ? 'https://api.github.com' : `${trimmed(url)}/api/v3`,
  headers: ({ secrets }) => ({
    authorization: `Bearer ${secrets.token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  ...issues,

  find: async (target, ask, { marker, since }) => {
    for (let page = 1; page <= LIMITS.TICKET_SEARCH_PAGES; page++) {
      const query = new URLSearchParams({
        state: 'all',
        sort: 'created',
        direction: 'desc',
        since: new Date(since).toISOString(),
        per_page: String(PER_PAGE),
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
    const path = `${repositoryPath(target)}/issues/${id}`
    const { status, json } = await ask({ method: 'GET', path, takes: [301, 404, 410] })
    if (status === 301) throw new TicketMoved(await newAddressOf(target, ask, textOf(json, 'url')))
    return status >= 400 ? null : remote(target.settings, json)
  },

  setState: async (target, ask, id, state) => {
    const body = state === 'closed' ? { state, state_reason: 'completed' } : { state, state_reason: 'reopened' }
    await ask({ method: 'PATCH', path: `${repositoryPath(target)}/issues/${id}`, body })
  },

  isSigned: ({ headers, bytes }, { ours }) => isSignedHex(headers['x-hub-signature-256'], 'sha256=', ours, bytes),

  makeSecret: makeHexSecret,

  readHook: ({ repository }, { headers, bytes }) => {
    // Its form offers two ways, this one first.
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
    const said = isForm ? (new URLSearchParams(Buffer.from(bytes).toString('utf8')).get('payload') ?? '') : null
    const json = readJson(said === null ? bytes : Buffer.from(said))
    const id = textOf(json, 'issue', 'number')
    const isOwn = headers['x-github-event'] === 'issues' && isSame(textOf(json, 'repository', 'full_name'), repository)
    return {
      deliveryId: headers['x-github-delivery'] ?? null,
      sentAt: null,
      ticketIds: isOwn && isNumber(id) ? [id] : [],
    }
  },
}
