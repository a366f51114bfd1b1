import { isEqual, isSignedHex, makeHexSecret } from '../hooks/signatures.ts'
import { err, ok } from '../../lib/result.ts'
import { adfOf } from '../writing/adf.ts'
import { titleOf } from '../writing/draft.ts'
import { wikiOf } from '../writing/wiki.ts'
import { fieldOf, isKeyOf, isNoAnswer, isNumber, listOf, pathBelow, readJson, textOf, trimmed } from './answers.ts'
import { TrackerFailure } from './failure.ts'
import type { RemoteTicket, Target, TrackerKind } from './kind.ts'

type Settings = Target<'jira'>['settings']

const KEY = /^[A-Z][A-Z0-9_]{1,30}-[1-9]\d{0,9}$/
const DONE = 'done'
/** Categories of statuses in which somebody who reopens a ticket wants it, the best first. */
const NOT_DONE = ['new', 'indeterminate']

const remote = ({ url }: Settings, json: unknown, more: Partial<RemoteTicket> = {}): RemoteTicket => {
  const id = textOf(json, 'id')
  const key = textOf(json, 'key')
  if (!isNumber(id) || !KEY.test(key)) throw new TrackerFailure('Jira answered with something that is no issue.')
  return {
    id,
    key,
    url: `${trimmed(url)}/browse/${key}`,
    title: textOf(json, 'fields', 'summary'),
    state: textOf(json, 'fields', 'status', 'statusCategory', 'key') === DONE ? 'closed' : 'open',
    ...more,
  }
}

const categoryOf = (transition: unknown): string => textOf(transition, 'to', 'statusCategory', 'key')

const PER_PAGE = 50

/** JQL knows no finer time than minutes. */
const MINUTE_MS = 60_000

/** An address of the gateway, and the id of a site in it. */
const GATEWAY = /^(.*\/ex\/jira)(?:\/([\w-]{1,100}))?$/

/** A token with scopes is taken at an address that names the site by its id, which the site tells everybody. */
const completeGateway: NonNullable<TrackerKind<'jira'>['complete']> = async (settings, look) => {
  const [, gateway, given] = GATEWAY.exec(settings.apiUrl ?? '') ?? []
  if (gateway === undefined) return ok(settings)
  const id = textOf(await look(`${trimmed(settings.url)}/_edge/tenant_info`), 'cloudId')
  // Tickets of another site have the same numbers.
  if (given !== undefined && id !== '' && given !== id) {
    return err({ apiUrl: 'This is the API address of another site. Leave the id at its end out: it is found.' })
  }
  if (given !== undefined) return ok(settings)
  if (!SITE_ID.test(id)) {
    return err({ apiUrl: 'The site does not tell its id. Check its address, or write the id behind: /ex/jira/….' })
  }
  return ok({ ...settings, apiUrl: `${gateway}/${id}` })
}

const SITE_ID = /^[\w-]{1,100}$/

/** Jira Cloud by version 3 of its REST API, Jira Data Center by version 2. */
export const jira: TrackerKind<'jira'> = {
  // Connections from before there was another address have none.
  base: ({ settings: { apiUrl = '', url, version } }) => `${trimmed(apiUrl === '' ? url : apiUrl)}/rest/api/${version}`,
  headers: ({ settings, secrets }) => ({
    authorization:
      settings.email === ''
        ? `Bearer ${secrets.token}`
        : `Basic ${Buffer.from(`${settings.email}:${secrets.token}`).toString('base64')}`,
    accept: 'application/json',
  }),
  complete: completeGateway,
  name: ({ project }) => project,

  test: async ({ settings }, ask) => {
    const answered = await ask({ method: 'GET', path: `/project/${settings.project}` })
    const { json } = answered
    if (textOf(json, 'key') !== settings.project || !Array.isArray(fieldOf(json, 'issueTypes'))) {
      throw isNoAnswer('Jira', `the project ${settings.project}`, answered)
    }
    const types = listOf(json, 'issueTypes').map((type) => textOf(type, 'name'))
    if (types.length > 0 && !types.includes(settings.issueType)) {
      const known = types.slice(0, 10).join(', ')
      throw new TrackerFailure(`${settings.project} has no issue type "${settings.issueType}". It has: ${known}.`)
    }
    return `The token reads ${settings.project}. Whether it may write shows with the first ticket.`
  },

  create: async ({ settings }, ask, draft) => {
    const fields = {
      project: { key: settings.project },
      issuetype: { name: settings.issueType },
      summary: titleOf(draft),
      description: settings.version === '3' ? adfOf(draft) : wikiOf(draft),
    }
    const { json } = await ask({ method: 'POST', path: '/issue', body: { fields } })
    return remote(settings, json, { title: fields.summary, state: 'open' })
  },

  find: async ({ settings }, ask, { marker, now, since }) => {
    // Times of JQL are those of whoever's token it is: minutes back from now are not.
    const minutes = Math.max(1, Math.ceil((now - since) / MINUTE_MS))
    const body = {
      jql: `project = "${settings.project}" AND created >= "-${minutes}m" ORDER BY created DESC`,
      fields: ['summary', 'status', 'description'],
      maxResults: PER_PAGE,
    }
    const path = settings.version === '3' ? '/search/jql' : '/search'
    const { json } = await ask({ method: 'POST', path, body })
    const found = listOf(json, 'issues').find((issue) =>
      JSON.stringify(fieldOf(issue, 'fields', 'description') ?? '').includes(marker),
    )
    return found === undefined ? null : remote(settings, found)
  },

  read: async ({ settings }, ask, id) => {
    const { status, json } = await ask({ method: 'GET', path: `/issue/${id}?fields=summary,status`, takes: [404] })
    return status === 404 ? null : remote(settings, json)
  },

  setState: async (_, ask, id, state) => {
    const { json } = await ask({ method: 'GET', path: `/issue/${id}/transitions` })
    const transitions = listOf(json, 'transitions')
    const wanted = state === 'closed' ? [DONE] : NOT_DONE
    const transition = wanted
      .map((category) => transitions.find((one) => categoryOf(one) === category))
      .find((one) => one !== undefined)
    const transitionId = textOf(transition, 'id')
    if (transitionId === '') {
      const way = state === 'closed' ? 'to a status that is done' : 'back to a status that is not done'
      throw new TrackerFailure(`The workflow leads nowhere ${way} from where the ticket is. Move it in Jira.`, {
        isFinal: true,
      })
    }
    await ask({ method: 'POST', path: `/issue/${id}/transitions`, body: { transition: { id: transitionId } } })
  },

  idOf: ({ url, project }, address) => {
    const path = pathBelow(url, address) ?? []
    const key = (path[0] === 'browse' ? path[1] : undefined) ?? address.searchParams.get('selectedIssue') ?? ''
    return KEY.test(key) && isKeyOf(project, key) ? key : null
  },

  // Webhooks of automation rules and of older servers are not signed: their address has the secret.
  isSigned: ({ headers, bytes, query }, { ours }) => {
    const signature = headers['x-hub-signature']
    return signature === undefined
      ? ours !== '' && isEqual(query.get('secret') ?? '', ours)
      : isSignedHex(signature, 'sha256=', ours, bytes)
  },

  makeSecret: makeHexSecret,

  readHook: (_, { headers, bytes }) => {
    const json = readJson(bytes)
    // Automation rules send the issue itself, without anything around it.
    const id = textOf(json, 'issue', 'id') || (KEY.test(textOf(json, 'key')) ? textOf(json, 'id') : '')
    return {
      deliveryId: headers['x-atlassian-webhook-identifier'] ?? null,
      sentAt: null,
      ticketIds: isNumber(id) ? [id] : [],
    }
  },
}
