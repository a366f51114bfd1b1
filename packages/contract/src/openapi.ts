import { z } from './zod.ts'
import { API_PREFIX, isListSchema, paramNames } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'

type JsonObject = { [key: string]: unknown }

/** Recursive schemas have an id of their own; they move to the document's components, where all references point. */
const toSchema = (schema: z.ZodType, io: 'input' | 'output', components: JsonObject): JsonObject => {
  const {
    $schema: _,
    $defs,
    ...rest
  } = JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    ),
  ) as JsonObject
  Object.assign(components, $defs)
  return rest
}

const errorSchema: JsonObject = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { type: 'string' },
    digest: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
  },
}

const parametersOf = (endpoint: Endpoint, components: JsonObject): JsonObject[] => {
  const inPath = paramNames(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  if (endpoint.query === undefined) return inPath
  const inQuery = Object.entries(endpoint.query.shape).map(([name, schema]) => {
    const field = schema as z.ZodType
    const optional = field.safeParse(undefined).success
    return {
      name,
      in: 'query',
      ...(optional ? {} : { required: true }),
      ...(isListSchema(field) ? { style: 'form', explode: true } : {}),
      schema: toSchema(field, 'input', components),
    }
  })
  return [...inPath, ...inQuery]
}

const operationOf = (name: string, endpoint: Endpoint, components: JsonObject): JsonObject => {
  const isEmpty = endpoint.ok.def.type === 'null'
  const media = endpoint.stream ? 'text/event-stream' : 'application/json'
  const success = isEmpty
    ? { description: 'Done' }
    : { description: 'Success', content: { [media]: { schema: toSchema(endpoint.ok, 'output', components) } } }
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.scope === 'public' ? { security: [] } : { 'x-scope': endpoint.scope }),
    parameters: parametersOf(endpoint, components),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toSchema(endpoint.body, 'input', components) } },
          },
        }),
    responses: {
      [isEmpty ? '204' : '200']: success,
      default: {
        description: 'Failure',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/**
 * OpenAPI 3.1 of these endpoints.
 *
 * @param endpoints by name; the name becomes the `operationId`
 */
export const openapi = (
  endpoints: Readonly<Record<string, Endpoint>>,
  info: { version: string; serverUrl?: string },
): JsonObject => {
  const schemas: JsonObject = { Error: errorSchema }
  const paths: Record<string, JsonObject> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = (paths[`${API_PREFIX}${endpoint.path}`] ??= {})
    path[endpoint.method.toLowerCase()] = operationOf(name, endpoint, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Firsthand', version: info.version, license: { name: 'MIT', identifier: 'MIT' } },
    ...(info.serverUrl === undefined ? {} : { servers: [{ url: info.serverUrl }] }),
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        // Under https its name is __Host-firsthand_session.
        session: { type: 'apiKey', in: 'cookie', name: 'firsthand_session' },
      },
    },
  }
}
