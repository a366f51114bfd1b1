import { createHmac, randomUUID } from 'node:crypto'
import {
  hookRequest,
  startServer,
  textIn,
  type Answer,
  type Double,
  type DoubleCall,
  type DoubleTicket,
} from './double.ts'

const TOKEN = 'lin_api_secret_token_of_linear'
const TEAM = 'ENG'
const TEAM_ID = '11111111-2222-4333-8444-555555555555'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const STATES = [
  { id: 'state-canceled', type: 'canceled', position: 5 },
  { id: 'state-done', type: 'completed', position: 4 },
  { id: 'state-duplicate', type: 'duplicate', position: 6 },
  { id: 'state-progress', type: 'started', position: 3 },
  { id: 'state-todo', type: 'unstarted', position: 2 },
  { id: 'state-backlog', type: 'backlog', position: 1 },
] as const

const states = { states: { nodes: STATES } }

type Variables = Readonly<Record<string, unknown>>

const data = (json: unknown): Answer => ({ status: 200, json: { data: json } })
const error = (message: string, code: string, status = 200): Answer => ({
  status,
  json: { errors: [{ message, extensions: { code } }] },
})

const createAnswer = (tickets: DoubleTicket[]) => {
  const shown = ({ id, key, title, state }: DoubleTicket) => ({
    id,
    identifier: key,
    url: `https://linear.app/acme/issue/${key}`,
    title,
    state: { type: state === 'open' ? 'unstarted' : 'completed' },
  })

  const find = ({ id }: Variables): DoubleTicket | undefined => tickets.find((one) => one.id === id || one.key === id)

  const create = ({ input }: Variables): Answer => {
    const { id, teamId, title, description } = (input ?? {}) as Variables
    if (teamId !== TEAM_ID || textIn(title) === '') return error('Argument Validation Error', 'INVALID_INPUT', 400)
    if (!UUID.test(textIn(id))) return error('id must be a UUID', 'INVALID_INPUT', 400)
    // Somebody has it: nothing is made a second time.
    if (find({ id }) !== undefined) return error('Entity already exists', 'INVALID_INPUT')
    const key = `${TEAM}-${tickets.length + 1}`
    const made: DoubleTicket = { id: textIn(id), key, title: textIn(title), body: textIn(description), state: 'open' }
    tickets.push(made)
    return data({ issueCreate: { success: true, issue: shown(made) } })
  }

  const update = (variables: Variables): Answer => {
    const ticket = find(variables)
    const { stateId } = (variables['input'] ?? {}) as Variables
    const state = STATES.find(({ id }) => id === stateId)
    if (ticket === undefined) return error('Entity not found: Issue', 'ENTITY_NOT_FOUND')
    if (state === undefined) return error('Argument Validation Error', 'INVALID_INPUT', 400)
    ticket.state = state.type === 'completed' ? 'closed' : 'open'
    return data({ issueUpdate: { success: true } })
  }

  return ({ headers, json, method, path }: DoubleCall): Answer => {
    if (method !== 'POST' || path !== '/graphql') return error('Not found', 'NOT_FOUND', 404)
    if (headers.authorization !== TOKEN) return error('Authentication required', 'AUTHENTICATION_ERROR', 401)
    const query = textIn(json['query'])
    const variables = (json['variables'] ?? {}) as Variables
    if (query.includes('issueCreate(input: $input)')) return create(variables)
    if (query.includes('issueUpdate(id: $id, input: $input)')) return update(variables)
    if (query.includes('teams(filter: { key: { eq: $key } })')) {
      const nodes = variables['key'] === TEAM ? [{ id: TEAM_ID, name: 'Engineering', ...states }] : []
      return data({ teams: { nodes } })
    }
    if (!query.includes('issue(id: $id)')) return error('Cannot query this', 'GRAPHQL_VALIDATION_FAILED', 400)
    const ticket = find(variables)
    if (ticket === undefined) return error('Entity not found: Issue', 'ENTITY_NOT_FOUND')
    return data({ issue: { ...shown(ticket), team: states } })
  }
}

/** Issues of a team of Linear, by its GraphQL API. */
export const startLinear = async (): Promise<Double> => {
  const tickets: DoubleTicket[] = []
  const server = await startServer(createAnswer(tickets))
  return Object.assign(server, {
    kind: 'linear' as const,
    settings: { url: server.url, team: TEAM },
    secrets: { token: TOKEN },
    tickets,
    set: (id: string, state: 'open' | 'closed') => {
      for (const ticket of tickets) if (ticket.id === id) ticket.state = state
    },
    hook: (...[id, secret, change = {}]: Parameters<Double['hook']>) => {
      const body = JSON.stringify({
        action: 'update',
        type: 'Issue',
        data: { id },
        webhookTimestamp: change.sentAt ?? 0,
      })
      return hookRequest(change.body ?? body, {
        'linear-delivery': change.deliveryId ?? randomUUID(),
        'linear-event': 'Issue',
        'linear-signature': createHmac('sha256', secret).update(body).digest('hex'),
        ...change.headers,
      })
    },
  })
}
