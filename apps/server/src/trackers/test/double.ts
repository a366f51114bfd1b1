import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TrackerKindName } from '@firsthand/contract'

/**
 * A tracker on loopback that checks what the real one checks, by its public documentation: authentication, paths, content
 * types, required fields, lengths. What it does not know it refuses, so that a wrong call is a failed test.
 */
export interface Double {
  readonly kind: TrackerKindName
  readonly url: string
  /** What a connection to it has. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  readonly tickets: DoubleTicket[]
  /** Calls that came, in order. */
  readonly calls: DoubleCall[]
  /** Answers the next call as told, after it was carried out or in its place. */
  next: Interruption | null
  /** The token sees nothing any more: all is answered by 404. */
  hidden: boolean
  /** Answers nothing, as a server that hangs, until it is closed. */
  hangs: boolean
  /** As somebody at the tracker does it. */
  set(id: string, state: 'open' | 'closed'): void
  /** A webhook as the tracker sends it about a ticket. */
  hook(id: string, secret: string, change?: HookChange): Request
  close(): Promise<void>
}

export interface HookChange {
  readonly deliveryId?: string
  readonly sentAt?: number
  /** Another body than what is signed. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface DoubleTicket {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly body: string
  state: 'open' | 'closed'
  /** It was moved out of the repository or project. */
  isMoved?: boolean
}

export interface DoubleCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly json: Readonly<Record<string, unknown>>
}

export type Interruption =
  /** The answer to the next change is lost, though it was done. */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'refuse'
      readonly status: number
      /** Calls of other paths before it are answered as ever. */
      readonly path?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly json?: unknown
      /** Its body as it is, in the place of JSON. */
      readonly text?: string
    }

export interface Answer {
  readonly status: number
  readonly json: unknown
}

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

export type Answering = (call: DoubleCall) => Answer

export const refuse = (status: number, message: string): Answer => ({ status, json: { message } })

/** Whether it changes something there: GraphQL and JQL ask by POST. */
export const isChange = ({ method, json }: DoubleCall): boolean =>
  method !== 'GET' && typeof json['jql'] !== 'string' && !textIn(json['query']).startsWith('query')

export const startServer = async (answer: Answering) => {
  const calls: DoubleCall[] = []
  const state: { next: Interruption | null; hidden: boolean; hangs: boolean } = {
    next: null,
    hidden: false,
    hangs: false,
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://double')
      const text = Buffer.concat(pieces).toString('utf8')
      const isJson = request.headers['content-type']?.startsWith('application/json') ?? false
      const call: DoubleCall = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      }
      calls.push(call)
      if (state.hangs) return
      // What is only asked is not what gets lost.
      const isMeant = state.next?.kind === 'lost' ? isChange(call) : (state.next?.path ?? call.path) === call.path
      const next = isMeant ? state.next : null
      if (next !== null) state.next = null
      if (next?.kind === 'refuse') {
        response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers })
        return void response.end(next.text ?? JSON.stringify(next.json ?? {}))
      }
      const { status, json } = state.hidden
        ? refuse(404, 'Not Found')
        : text !== '' && !isJson
          ? refuse(415, 'Send JSON.')
          : answer(call)
      if (next?.kind === 'lost') return void request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(json === undefined ? '' : JSON.stringify(json))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  })
}

/** A request to the page of webhooks; the server puts its own address before it. */
export const hookRequest = (body: string, headers: Readonly<Record<string, string>>): Request =>
  new Request('http://firsthand/hooks/trackers/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
