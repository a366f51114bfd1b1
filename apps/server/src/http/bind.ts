import type { z } from 'zod'
import type { BodyOutput, Endpoint, PageLinks, ParamNames, Params, QueryOutput } from '@firsthand/contract'
import type { Caller, CallerOrganization } from './caller.ts'
import { asAnswer } from './errors.ts'
import type { FileContent } from './files-under-way.ts'
import type { Upload } from './upload.ts'

/**
 * How to bind an endpoint of the contract to a function, in a slice's `*.routes.ts`:
 *
 *     export const createIssueRoutes = ({ view, issues }: { … }): Route[] => [
 *       bind(listIssues, async ({ query, request }) => {
 *         const page = await view.list(request.organization.id, query)
 *         return { body: page.rows.map(toJson), page: { next: page.next, previous: page.previous }, hits: page.total }
 *       }),
 *       bind(deleteIssue, async ({ params, request }) => {
 *         if (!(await issues.remove(request.organization.id, params.issue))) throw notFound()
 *         return { body: null, status: 202 }
 *       }),
 *     ]
 *
 * Before the function runs, the application has
 * - recognised the caller (session cookie or Bearer token; 401) and checked the CSRF token of cookies (403);
 * - resolved `{org}` (slug or numeric id) to an organisation of the caller's (404) and checked the endpoint's scope (403);
 * - validated parameters, query and body against the endpoint's schemas (400 with `fields`). Lists in a query are arrays.
 *   The body of an endpoint with `upload` is left to the function, bounded in size and time (`request.upload`).
 *
 * The function returns
 * - `body`: the JSON, in the type of the endpoint's `ok` (`null` answers 204 unless `status` says otherwise);
 * - `status` (default 200), `headers`, `hits` (becomes `X-Hits`);
 * - `page`: cursors of the neighbours, becomes the `Link` header;
 * - or `stream`: bytes of a `text/event-stream`, for endpoints with `stream: true`;
 * - or `bytes`: a file that somebody saves or plays, with the headers that say what it is.
 *
 * To refuse, throw `HttpError` or one of `notFound()`, `badRequest(detail, fields)`, `forbidden()` from
 * `./errors.ts`. What knows no HTTP throws `Unanswerable`, which is answered 400. Whatever else is thrown is logged with its
 * stack and answered 500 with a digest.
 *
 * Scoping by organisation is the function's own duty: every query takes `request.organization.id`. `{project}` is a slug
 * or a numeric id and has to be looked up inside the organisation.
 */

/** True of paths with `{org}`: their callers are known and have a part in the organisation. */
type InOrganization<Path extends string> = 'org' extends ParamNames<Path> ? true : false

export interface RequestContext<Path extends string = string> {
  /** Null only on public endpoints. */
  readonly caller: InOrganization<Path> extends true ? Caller : Caller | null
  /** What `{org}` names; null on paths without it. */
  readonly organization: InOrganization<Path> extends true ? CallerOrganization : null
  /** Of the client, after trusted proxies; null when unknown. */
  readonly clientAddress: string | null
  readonly userAgent: string
  /** Value of the session cookie by which the caller was recognised; null without a session. */
  readonly sessionCookie: string | null
  /** Address under which the caller reached this server, without a final slash: for links and DSNs. */
  readonly publicUrl: string
  /** Of the request, with `publicUrl` as its origin. */
  readonly url: URL
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  /** Of an endpoint with `upload`: the body, which nobody has read yet. */
  readonly upload: Upload | null
}

export interface HandlerInput<E extends Endpoint> {
  readonly params: Params<E['path']>
  readonly query: QueryOutput<E>
  readonly body: BodyOutput<E>
  readonly request: RequestContext<E['path']>
}

export interface JsonReply<Body> {
  readonly body: Body
  readonly status?: number
  /** `set-cookie` may be a list. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly page?: PageLinks
  readonly hits?: number
}

export interface StreamReply {
  readonly stream: ReadableStream<Uint8Array>
}

/** Never JSON: a file, for those who asked for it. A `content-security-policy` of its own replaces the console's. */
export interface BytesReply {
  readonly bytes: FileContent
  /** They are sent compressed to whoever takes them so. */
  readonly compress?: true
  /** A part of them is sent to whoever asks for one (`Range`), as players of videos do. Not together with `compress`. */
  readonly inParts?: true
  readonly headers: Readonly<Record<string, string>>
  /** Whose share of the files under way it takes, e.g. `link:7` for all who have a link; the caller's when left out. */
  readonly owner?: string
}

export type Reply<Body> = JsonReply<Body> | StreamReply | BytesReply

export type Handler<E extends Endpoint> = (
  input: HandlerInput<E>,
) => Promise<Reply<z.input<E['ok']>>> | Reply<z.input<E['ok']>>

/** An endpoint with its function, types forgotten: what `createHttpApp` takes. */
export interface Route {
  readonly endpoint: Endpoint
  readonly handle: (input: {
    params: Readonly<Record<string, string>>
    query: unknown
    body: unknown
    request: RequestContextOfApp
  }) => Promise<Reply<unknown>>
  /**
   * For a second route of an endpoint, of another capability: the requests (query and parameters in the endpoint's own
   * shape) that it answers. The route that has no such condition answers all others.
   */
  readonly takes?: (query: unknown, params: Readonly<Record<string, string>>) => boolean
}

/** The context as the application makes it, before a path's type narrows it. */
export interface RequestContextOfApp extends Omit<RequestContext, 'caller' | 'organization'> {
  readonly caller: Caller | null
  readonly organization: CallerOrganization | null
}

export const bind = <E extends Endpoint>(endpoint: E, handler: Handler<E>): Route => ({
  endpoint,
  // The application checked all of it against this endpoint's schemas and path; the types are only forgotten in between.
  handle: async (input) => {
    try {
      return await handler(input as unknown as HandlerInput<E>)
    } catch (error) {
      throw asAnswer(error)
    }
  },
})

/** As `bind`, for those requests alone that `takes` says: see `Route`. */
export const bindFor = <E extends Endpoint>(
  endpoint: E,
  takes: (query: QueryOutput<E>, params: Params<E['path']>) => boolean,
  handler: Handler<E>,
): Route => ({
  ...bind(endpoint, handler),
  takes: (query, params) => takes(query as QueryOutput<E>, params as Params<E['path']>),
})
