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

const TOKEN = 'secret-token-of-jira'
const EMAIL = 'firsthand@acme.example'
const PROJECT = 'SHOP'
const SUMMARY_CHARS = 255
const DESCRIPTION_CHARS = 32_767

interface Flavour {
  readonly version: '3' | '2'
  readonly email: string
  readonly authorization: string
  readonly search: string
  /** Below which its calls are; '' for the site itself. */
  readonly gateway: string
}

const CLOUD_ID = '11223344-a1b2-3b33-c444-def123456789'

const CLOUD: Flavour = {
  version: '3',
  email: EMAIL,
  authorization: `Basic ${Buffer.from(`${EMAIL}:${TOKEN}`).toString('base64')}`,
  search: '/search/jql',
  gateway: '',
}

/** A token with scopes is taken by the gateway alone. */
const SCOPED: Flavour = { ...CLOUD, gateway: `/ex/jira/${CLOUD_ID}` }

const DATA_CENTER: Flavour = {
  version: '2',
  email: '',
  authorization: `Bearer ${TOKEN}`,
  search: '/search',
  gateway: '',
}

const problem = (status: number, message: string, errors: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  json: { errorMessages: message === '' ? [] : [message], errors },
})

/** Statuses with the words of their category, which no workflow changes. */
const STATUSES = {
  open: { name: 'To Do', statusCategory: { key: 'new' } },
  closed: { name: 'Done', statusCategory: { key: 'done' } },
} as const

const TRANSITIONS = { open: { id: '11', to: STATUSES.open }, closed: { id: '31', to: STATUSES.closed } } as const

/** Nodes of a document, as its schema has them; what is not among them is refused. */
const NODES: Readonly<Record<string, readonly string[]>> = {
  doc: ['paragraph', 'codeBlock', 'bulletList', 'blockquote'],
  paragraph: ['text', 'hardBreak'],
  codeBlock: ['text'],
  bulletList: ['listItem'],
  listItem: ['paragraph'],
  blockquote: ['paragraph'],
}

interface Node {
  readonly type?: unknown
  readonly text?: unknown
  readonly content?: unknown
}

/** The text of a document; null when it is none by its schema. */
const readDocument = (node: Node): string | null => {
  if (node.type === 'hardBreak') return '\n'
  if (node.type === 'text') return typeof node.text === 'string' && node.text !== '' ? node.text : null
  const allowed = NODES[String(node.type)]
  if (allowed === undefined || !Array.isArray(node.content)) return null
  const parts = (node.content as Node[]).map((one) => (allowed.includes(String(one.type)) ? readDocument(one) : null))
  return parts.includes(null) ? null : parts.join('')
}

const createAnswer = (flavour: Flavour, tickets: DoubleTicket[]) => {
  const shown = ({ id, key, title, state }: DoubleTicket) => ({
    id,
    key,
    fields: { summary: title, status: STATUSES[state] },
  })

  const readDescription = (given: unknown): string | null => {
    if (flavour.version === '2') return typeof given === 'string' ? given : null
    const isDocument = typeof given === 'object' && given !== null && 'version' in given && given.version === 1
    const text = isDocument ? readDocument(given as Node) : null
    return text === null ? null : `${text} ${JSON.stringify(given)}`
  }

  const create = ({ json }: DoubleCall): Answer => {
    const fields = (json['fields'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | string>>
    const summary = textIn(fields['summary'])
    const description = readDescription(fields['description'])
    if (JSON.stringify(fields['project']) !== JSON.stringify({ key: PROJECT })) {
      return problem(400, '', { project: 'valid project is required' })
    }
    if (JSON.stringify(fields['issuetype']) !== JSON.stringify({ name: 'Bug' })) {
      return problem(400, '', { issuetype: 'Specify a valid issue type' })
    }
    if (summary === '' || summary.includes('\n')) return problem(400, '', { summary: 'You must specify a summary' })
    if (summary.length > SUMMARY_CHARS)
      return problem(400, '', { summary: 'Summary must be less than 255 characters.' })
    if (description === null) return problem(400, '', { description: 'Operation value must be an Atlassian Document' })
    if (flavour.version === '2' && description.length > DESCRIPTION_CHARS) {
      return problem(400, '', { description: 'The entered text is too long.' })
    }
    const number = tickets.length + 1
    const id = String(10_000 + number)
    const made: DoubleTicket = { id, key: `${PROJECT}-${number}`, title: summary, body: description, state: 'open' }
    tickets.push(made)
    return { status: 201, json: { id, key: made.key, self: `https://jira.example/rest/api/3/issue/${id}` } }
  }

  const search = ({ json }: DoubleCall): Answer => {
    const fields = json['fields']
    const isOwn = textIn(json['jql']).startsWith(`project = "${PROJECT}" AND created >= "-`)
    if (!isOwn || !Array.isArray(fields) || !fields.includes('description'))
      return problem(400, 'Error in the JQL Query')
    const issues = tickets.toReversed().map((ticket) => {
      const { fields: known, ...rest } = shown(ticket)
      return { ...rest, fields: { ...known, description: ticket.body } }
    })
    return { status: 200, json: { issues, isLast: true } }
  }

  const transition = (ticket: DoubleTicket, { json }: DoubleCall): Answer => {
    const { id } = (json['transition'] ?? {}) as { readonly id?: string }
    const state = (['open', 'closed'] as const).find((one) => TRANSITIONS[one].id === id)
    if (state === undefined) return problem(400, 'Transition id is invalid')
    ticket.state = state
    return { status: 204, json: undefined }
  }

  return (call: DoubleCall): Answer => {
    if (call.path === '/_edge/tenant_info') {
      // Everybody is told: whoever sends a token gives it away.
      return call.headers.authorization === undefined
        ? { status: 200, json: { cloudId: CLOUD_ID } }
        : problem(400, 'No token is wanted here')
    }
    if (call.headers.authorization !== flavour.authorization) return problem(401, 'Client must be authenticated')
    const below = `${flavour.gateway}/rest/api/${flavour.version}`
    if (!call.path.startsWith(`${below}/`)) {
      return flavour.gateway === '' ? problem(404, 'No such version') : problem(401, 'Client must be authenticated')
    }
    const rest = call.path.slice(below.length)
    if (rest === `/project/${PROJECT}`) return { status: 200, json: { key: PROJECT, issueTypes: [{ name: 'Bug' }] } }
    if (rest === '/issue' && call.method === 'POST') return create(call)
    if (rest === flavour.search && call.method === 'POST') return search(call)
    // The search before this one is gone.
    if (rest === '/search') return problem(410, 'The requested API has been removed.')
    const ticket = tickets.find(({ id, key }) => [id, key].some((one) => rest.startsWith(`/issue/${one}`)))
    if (ticket === undefined) return problem(404, 'Issue does not exist or you do not have permission to see it.')
    if (!rest.endsWith('/transitions')) return { status: 200, json: shown(ticket) }
    // A workflow offers what leads away from where it is.
    const offered = ticket.state === 'open' ? [TRANSITIONS.closed] : [TRANSITIONS.open]
    return call.method === 'POST' ? transition(ticket, call) : { status: 200, json: { transitions: offered } }
  }
}

const start = async (flavour: Flavour): Promise<Double> => {
  const tickets: DoubleTicket[] = []
  const server = await startServer(createAnswer(flavour, tickets))
  return Object.assign(server, {
    kind: 'jira' as const,
    settings: {
      url: server.url,
      version: flavour.version,
      project: PROJECT,
      issueType: 'Bug',
      email: flavour.email,
      apiUrl: flavour.gateway === '' ? '' : `${server.url}${flavour.gateway}`,
    },
    secrets: { token: TOKEN },
    tickets,
    set: (id: string, state: 'open' | 'closed') => {
      for (const ticket of tickets) if (ticket.id === id) ticket.state = state
    },
    hook: (...[id, secret, change = {}]: Parameters<Double['hook']>) => {
      const key = tickets.find((ticket) => ticket.id === id)?.key ?? ''
      const body = JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: { id, key } })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      return hookRequest(change.body ?? body, {
        'x-atlassian-webhook-identifier': change.deliveryId ?? randomUUID(),
        'x-hub-signature': `sha256=${signature}`,
        ...change.headers,
      })
    },
  })
}

export const startJiraScoped = (): Promise<Double> => start(SCOPED)
export const startJiraCloud = (): Promise<Double> => start(CLOUD)
export const startJiraDataCenter = (): Promise<Double> => start(DATA_CENTER)
