import { createHmac, randomUUID } from 'node:crypto'
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

/** GitHub and Gitea: issues of a repository, nearly alike in both. */

const TOKEN = 'secret-token-of-the-tracker'
const REPOSITORY = 'acme/shop'

interface Flavour {
  readonly kind: 'github' | 'gitea'
  readonly api: string
  readonly authorization: string
  /** Null when a call has all that this kind wants. */
  readonly problem: (call: DoubleCall) => Answer | null
  readonly titleChars: number
  readonly bodyChars: number
  readonly stateReasons: boolean
  readonly hookHeaders: (signature: string, deliveryId: string) => Readonly<Record<string, string>>
}

const GITHUB: Flavour = {
  kind: 'github',
  api: '/api/v3',
  authorization: `Bearer ${TOKEN}`,
  problem: ({ headers }) =>
    headers['user-agent'] === undefined || headers['user-agent'] === ''
      ? refuse(403, 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.')
      : headers['x-github-api-version'] === '2022-11-28' && headers.accept === 'application/vnd.github+json'
        ? null
        : refuse(400, 'Name a version of the API.'),
  titleChars: 256,
  bodyChars: 65_536,
  stateReasons: true,
  hookHeaders: (signature, deliveryId) => ({
    'x-github-event': 'issues',
    'x-github-delivery': deliveryId,
    'x-hub-signature-256': `sha256=${signature}`,
  }),
}

const GITEA: Flavour = {
  kind: 'gitea',
  api: '/api/v1',
  authorization: `token ${TOKEN}`,
  problem: () => null,
  titleChars: 255,
  bodyChars: 1_000_000,
  stateReasons: false,
  hookHeaders: (signature, deliveryId) => ({
    'x-gitea-event': 'issues',
    'x-gitea-delivery': deliveryId,
    'x-gitea-signature': signature,
  }),
}

const REASONS: Readonly<Record<string, readonly string[]>> = {
  closed: ['completed', 'not_planned', 'duplicate'],
  open: ['reopened'],
}

const createAnswer = (flavour: Flavour, tickets: DoubleTicket[]) => {
  const shown = ({ id, title, body, state }: DoubleTicket) => ({
    number: Number(id),
    title,
    body,
    state,
    html_url: `https://tracker.example/${REPOSITORY}/issues/${id}`,
  })

  const create = ({ json }: DoubleCall): Answer => {
    const title = textIn(json['title'])
    const body = textIn(json['body'])
    if (title === '' || title.length > flavour.titleChars) return refuse(422, 'Validation Failed: title')
    if (body.length > flavour.bodyChars) return refuse(422, 'Validation Failed: body is too long')
    const id = String(tickets.length + 1)
    const made: DoubleTicket = { id, key: `#${id}`, title, body, state: 'open' }
    tickets.push(made)
    return { status: 201, json: shown(made) }
  }

  const change = (ticket: DoubleTicket, { json }: DoubleCall): Answer => {
    const state = textIn(json['state'])
    if (state !== 'open' && state !== 'closed') return refuse(422, 'Validation Failed: state')
    const reason = json['state_reason']
    const isKnown = reason === undefined || (flavour.stateReasons && REASONS[state]?.includes(textIn(reason)) === true)
    if (!isKnown) return refuse(422, 'Validation Failed: state_reason')
    ticket.state = state
    return { status: flavour.kind === 'gitea' ? 201 : 200, json: shown(ticket) }
  }

  return (call: DoubleCall): Answer => {
    if (call.headers.authorization !== flavour.authorization) return refuse(401, 'Bad credentials')
    const problem = flavour.problem(call)
    if (problem !== null) return problem
    const below = `${flavour.api}/repos/${REPOSITORY}`
    const [, rest = null] = call.path === below ? [null, ''] : call.path.split(`${below}/`)
    const moved = tickets.find(({ id, isMoved }) => isMoved === true && call.path.endsWith(`/issues/${id}`))
    if (moved !== undefined) {
      const url = `http://${call.headers.host}`
      return rest === null
        ? { status: 200, json: { ...shown(moved), html_url: `${url}/acme/plans/issues/${moved.id}` } }
        : { status: 301, json: { url: `${url}${flavour.api}/repositories/2/issues/${moved.id}` } }
    }
    if (rest === null) return refuse(404, 'Not Found')
    if (rest === '' && call.method === 'GET') return { status: 200, json: { full_name: REPOSITORY, has_issues: true } }
    if (rest === 'issues' && call.method === 'POST') return create(call)
    if (rest === 'issues' && call.method === 'GET') {
      // Those that were closed meanwhile are listed where somebody asks for all.
      const listed = tickets.filter(({ state }) => call.query.get('state') === 'all' || state === 'open')
      return { status: 200, json: listed.toReversed().map(shown) }
    }
    const ticket = tickets.find(({ id }) => rest === `issues/${id}`)
    if (ticket === undefined) return refuse(404, 'Not Found')
    if (call.method === 'GET') return { status: 200, json: shown(ticket) }
    return call.method === 'PATCH' ? change(ticket, call) : refuse(405, 'Method Not Allowed')
  }
}

const start = async (flavour: Flavour): Promise<Double> => {
  const tickets: DoubleTicket[] = []
  const server = await startServer(createAnswer(flavour, tickets))
  return Object.assign(server, {
    kind: flavour.kind,
    settings: { url: server.url, repository: REPOSITORY },
    secrets: { token: TOKEN },
    tickets,
    set: (id: string, state: 'open' | 'closed') => {
      for (const ticket of tickets) if (ticket.id === id) ticket.state = state
    },
    hook: (...[id, secret, change = {}]: Parameters<Double['hook']>) => {
      const state = tickets.find((ticket) => ticket.id === id)?.state ?? 'open'
      const body = JSON.stringify({
        action: state === 'closed' ? 'closed' : 'reopened',
        issue: { number: Number(id), state },
        repository: { full_name: REPOSITORY },
      })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = flavour.hookHeaders(signature, change.deliveryId ?? randomUUID())
      return hookRequest(change.body ?? body, { ...headers, ...change.headers })
    },
  })
}

export const startGithub = (): Promise<Double> => start(GITHUB)
export const startGitea = (): Promise<Double> => start(GITEA)
