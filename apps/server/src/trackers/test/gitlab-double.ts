import { randomUUID } from 'node:crypto'
import {
  hookRequest,
  refuse,
  startServer,
  textIn,
  type Answer,
  type Double,
  type DoubleCall,
  type DoubleTicket,
} from './double.ts'

const TOKEN = 'glpat-secret-token-of-gitlab'
const PROJECT = 'acme/web/shop'
const TITLE_CHARS = 255
const DESCRIPTION_CHARS = 1_048_576
const BELOW = `/api/v4/projects/${encodeURIComponent(PROJECT)}`

const shown = ({ id, title, body, state, isMoved = false }: DoubleTicket) => ({
  id: 1000 + Number(id),
  iid: Number(id),
  title,
  description: body,
  // One that was moved is closed in its old place.
  state: state === 'open' && !isMoved ? 'opened' : 'closed',
  moved_to_id: isMoved ? 2000 + Number(id) : null,
})

const createAnswer = (tickets: DoubleTicket[]) => {
  const create = ({ json }: DoubleCall): Answer => {
    const title = textIn(json['title'])
    const body = textIn(json['description'])
    if (title === '') return { status: 400, json: { error: 'title is missing' } }
    if (title.length > TITLE_CHARS) return { status: 400, json: { message: { title: ['is too long'] } } }
    if (body.length > DESCRIPTION_CHARS) return { status: 400, json: { message: { description: ['is too long'] } } }
    const id = String(tickets.length + 1)
    const made: DoubleTicket = { id, key: `#${id}`, title, body, state: 'open' }
    tickets.push(made)
    return { status: 201, json: shown(made) }
  }

  const change = (ticket: DoubleTicket, { json }: DoubleCall): Answer => {
    const event = json['state_event']
    if (event !== 'close' && event !== 'reopen') {
      return { status: 400, json: { error: 'state_event does not have a valid value' } }
    }
    ticket.state = event === 'close' ? 'closed' : 'open'
    return { status: 200, json: shown(ticket) }
  }

  return (call: DoubleCall): Answer => {
    if (call.headers['private-token'] !== TOKEN) return refuse(401, '401 Unauthorized')
    // The path of the project is one part of the address, its slashes encoded.
    if (call.path !== BELOW && !call.path.startsWith(`${BELOW}/`)) return refuse(404, '404 Project Not Found')
    const rest = call.path.slice(BELOW.length)
    if (rest === '') return { status: 200, json: { path_with_namespace: PROJECT, issues_enabled: true } }
    if (rest === '/issues' && call.method === 'POST') return create(call)
    if (rest === '/issues' && call.method === 'GET') {
      const ordered = call.query.get('order_by') === 'created_at' && call.query.get('sort') === 'desc'
      return { status: 200, json: (ordered ? tickets.toReversed() : tickets).map(shown) }
    }
    const ticket = tickets.find(({ id }) => rest === `/issues/${id}`)
    if (ticket === undefined) return refuse(404, '404 Not found')
    if (call.method === 'GET') return { status: 200, json: shown(ticket) }
    return call.method === 'PUT' ? change(ticket, call) : refuse(405, '405 Method Not Allowed')
  }
}

/** Issues of a project of GitLab, by version 4 of its API. */
export const startGitlab = async (): Promise<Double> => {
  const tickets: DoubleTicket[] = []
  const server = await startServer(createAnswer(tickets))
  return Object.assign(server, {
    kind: 'gitlab' as const,
    settings: { url: server.url, project: PROJECT },
    secrets: { token: TOKEN },
    tickets,
    set: (id: string, state: 'open' | 'closed') => {
      for (const ticket of tickets) if (ticket.id === id) ticket.state = state
    },
    hook: (...[id, secret, change = {}]: Parameters<Double['hook']>) => {
      const state = tickets.find((ticket) => ticket.id === id)?.state ?? 'open'
      const body = JSON.stringify({
        object_kind: 'issue',
        project: { path_with_namespace: PROJECT },
        object_attributes: { iid: Number(id), state: state === 'open' ? 'opened' : 'closed', action: 'update' },
      })
      return hookRequest(change.body ?? body, {
        'x-gitlab-event': 'Issue Hook',
        'x-gitlab-token': secret,
        'x-gitlab-event-uuid': change.deliveryId ?? randomUUID(),
        ...change.headers,
      })
    },
  })
}
