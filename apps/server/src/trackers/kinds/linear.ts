import { isSignedHex } from '../hooks/signatures.ts'
import { titleOf } from '../writing/draft.ts'
import { markdownOf } from '../writing/markdown.ts'
import { fieldOf, isKeyOf, isNoAnswer, listOf, readJson, textOf, trimmed } from './answers.ts'
import { LIMITS } from '../limits.ts'
import { TrackerFailure } from './failure.ts'
import type { Ask, RemoteTicket, Target, TicketState, TrackerKind } from './kind.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const IDENTIFIER = /^[A-Z0-9]{1,10}-[1-9]\d{0,9}$/

/** Types of states in which a ticket is closed; `completed` is the one that we choose. */
const CLOSED = new Set(['completed', 'canceled', 'duplicate'])
/** Types in which somebody who reopens a ticket wants it, the best first. */
const OPEN = ['unstarted', 'backlog', 'triage', 'started']

const TICKET = 'id identifier url title state { type }'

const TEAM = `query ($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id name states { nodes { id type position } } } } }`
const READ = `query ($id: String!) { issue(id: $id) { ${TICKET} } }`
const STATES = `query ($id: String!) { issue(id: $id) { team { states { nodes { id type position } } } } }`
const CREATE = `mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${TICKET} } } }`
const UPDATE = `mutation ($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }`

/** Links are shown: they lead to Linear, or to what plays Linear. */
const linkOf = (text: string): string => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href.slice(0, 1000) : ''
}

const remote = (json: unknown): RemoteTicket => {
  const id = textOf(json, 'id')
  const key = textOf(json, 'identifier')
  if (!UUID.test(id) || !IDENTIFIER.test(key))
    throw new TrackerFailure('Linear answered with something that is no issue.')
  return {
    id,
    key,
    url: linkOf(textOf(json, 'url')),
    title: textOf(json, 'title'),
    state: CLOSED.has(textOf(json, 'state', 'type')) ? 'closed' : 'open',
  }
}

/** GraphQL says in its answer what is wrong, mostly with status 200. */
const isMissing = (json: unknown): boolean =>
  listOf(json, 'errors').some((error) => {
    const code = textOf(error, 'extensions', 'code')
    return code === 'ENTITY_NOT_FOUND' || /entity not found/i.test(textOf(error, 'message'))
  })

const query = async (ask: Ask, text: string, variables: unknown): Promise<unknown> => {
  const answered = await ask({ method: 'POST', path: '/graphql', body: { query: text, variables }, takes: [400] })
  const { json } = answered
  if (isMissing(json)) return null
  const [error] = listOf(json, 'errors')
  if (error === undefined) {
    const data = fieldOf(json, 'data')
    if (typeof data !== 'object' || data === null) throw isNoAnswer('Linear', 'data', answered)
    return data
  }
  const said = textOf(error, 'extensions', 'userPresentableMessage') || textOf(error, 'message')
  const isPassing = textOf(error, 'extensions', 'code') === 'RATELIMITED'
  throw new TrackerFailure(
    `Linear says: ${said}`,
    isPassing ? { afterMs: LIMITS.TRACKER_FEWER_CALLS_MS } : { isFinal: true },
  )
}

const stateFor = (states: readonly unknown[], state: TicketState): string => {
  const types = state === 'closed' ? ['completed'] : OPEN
  const ordered = states.toSorted((one, other) => Number(textOf(one, 'position')) - Number(textOf(other, 'position')))
  const found = types
    .map((type) => ordered.find((one) => textOf(one, 'type') === type))
    .find((one) => one !== undefined)
  if (found === undefined)
    throw new TrackerFailure(`The team has no state in which a ticket is ${state}.`, { isFinal: true })
  return textOf(found, 'id')
}

const teamOf = async ({ settings }: Target<'linear'>, ask: Ask): Promise<unknown> => {
  const data = await query(ask, TEAM, { key: settings.team })
  if (!Array.isArray(fieldOf(data, 'teams', 'nodes'))) {
    throw new TrackerFailure('This is no answer of Linear: it has no list of teams. Check the address.')
  }
  const [team] = listOf(data, 'teams', 'nodes')
  if (team === undefined) {
    throw new TrackerFailure(`The token sees no team "${settings.team}". Check the key of the team and the token.`, {
      isFinal: true,
    })
  }
  return team
}

/** Linear, by its GraphQL API. */
export const linear: TrackerKind<'linear'> = {
  base: ({ settings }) => trimmed(settings.url),
  headers: ({ secrets }) => ({ authorization: secrets.token, accept: 'application/json' }),
  name: ({ team }) => team,

  test: async (target, ask) => {
    const team = await teamOf(target, ask)
    if (textOf(team, 'id') === '' || textOf(team, 'name') === '') {
      throw new TrackerFailure('This is no answer of Linear: its team has no id or no name. Check the address.')
    }
    stateFor(listOf(team, 'states', 'nodes'), 'closed')
    return `The token reads ${textOf(team, 'name')}. Whether it may write shows with the first ticket.`
  },

  create: async (target, ask, draft, marker) => {
    const teamId = textOf(await teamOf(target, ask), 'id')
    // The id is ours: made a second time it would be refused.
    const input = { id: marker, teamId, title: titleOf(draft), description: markdownOf(draft) }
    const data = await query(ask, CREATE, { input })
    return remote(fieldOf(data, 'issueCreate', 'issue'))
  },

  find: (target, ask, { marker }) => linear.read(target, ask, marker),

  read: async (_, ask, id) => {
    const data = await query(ask, READ, { id })
    const issue = fieldOf(data, 'issue') ?? null
    return issue === null ? null : remote(issue)
  },

  setState: async (_, ask, id, state) => {
    const states = listOf(await query(ask, STATES, { id }), 'issue', 'team', 'states', 'nodes')
    const data = await query(ask, UPDATE, { id, input: { stateId: stateFor(states, state) } })
    if (fieldOf(data, 'issueUpdate', 'success') !== true) throw new TrackerFailure('Linear did not change the ticket.')
  },

  idOf: ({ team }, address) => {
    const [, kind, id = ''] = address.pathname.split('/').filter((part) => part !== '')
    const isTicket = address.hostname === 'linear.app' && kind === 'issue' && IDENTIFIER.test(id)
    return isTicket && isKeyOf(team, id) ? id : null
  },

  isSigned: ({ headers, bytes }, { theirs }) => isSignedHex(headers['linear-signature'], '', theirs, bytes),

  readHook: (_, { headers, bytes }) => {
    const json = readJson(bytes)
    const id = textOf(json, 'data', 'id')
    return {
      deliveryId: headers['linear-delivery'] ?? null,
      // A body without its time is older than any.
      sentAt: Number(textOf(json, 'webhookTimestamp')) || 0,
      ticketIds: textOf(json, 'type') === 'Issue' && UUID.test(id) ? [id] : [],
    }
  },
}
