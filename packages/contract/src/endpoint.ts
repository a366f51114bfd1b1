import type { z } from 'zod'
import type { Scope } from './scopes.ts'

/** Every path of the contract stands under this prefix. */
export const API_PREFIX = '/api/0'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: `public` everybody, `signed-in` any session or token, otherwise whoever holds the scope (in the
 * organisation that the path's `{org}` names).
 */
export type Access = 'public' | 'signed-in' | Scope

/** The names between braces of a path: `'/a/{org}/b/{id}/'` → `'org' | 'id'`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

export type Params<Path extends string> = { readonly [Name in ParamNames<Path>]: string }

/**
 * One call of the HTTP API as a value: what the server binds, what the client calls, what OpenAPI describes.
 *
 * `path` begins after `API_PREFIX` and ends with a slash. Parameters are strings, not yet decoded into anything else.
 * A query's arrays are repeated keys (`project=1&project=2`). `ok` is the JSON of a successful answer; `z.null()` stands
 * for an empty one (204). With `stream`, the answer is `text/event-stream` whose `data` is `ok`.
 */
export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Ok extends z.ZodType = z.ZodType,
> {
  readonly method: Method
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly ok: Ok
  readonly summary: string
  readonly scope: Access
  /** A build needs it: it may be called by `org:ci` as well. */
  readonly forBuilds: boolean
  readonly stream: boolean
  /** Its body is a form with files (`multipart/form-data`), which is read piece by piece. */
  readonly upload: boolean
}

export type QueryInput<E extends Endpoint> = E['query'] extends z.ZodType ? z.input<E['query']> : undefined
export type QueryOutput<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined
export type BodyInput<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined
export type BodyOutput<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined
export type Answer<E extends Endpoint> = z.output<E['ok']>

export const endpoint = <
  const Path extends string,
  Ok extends z.ZodType,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: {
  method: Method
  path: Path
  query?: Query
  body?: Body
  ok: Ok
  summary: string
  scope: Access
  forBuilds?: boolean
  stream?: boolean
  upload?: boolean
}): Endpoint<Path, Query, Body, Ok> => ({
  method: definition.method,
  path: definition.path,
  query: definition.query as Query,
  body: definition.body as Body,
  ok: definition.ok,
  summary: definition.summary,
  scope: definition.scope,
  forBuilds: definition.forBuilds ?? false,
  stream: definition.stream ?? false,
  upload: definition.upload ?? false,
})

/** The names between braces, in order. */
export const paramNames = (path: string): string[] => [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '')

/** True when a query key is given as a repeated key. Looks through `optional`, `default` and the like. */
export const isListSchema = (schema: unknown): boolean => {
  let current = schema
  for (let depth = 0; depth < 8; depth += 1) {
    if (typeof current !== 'object' || current === null || !('def' in current)) return false
    const def = current.def as { type?: string; innerType?: unknown; in?: unknown }
    if (def.type === 'array') return true
    current = def.innerType ?? def.in
  }
  return false
}
