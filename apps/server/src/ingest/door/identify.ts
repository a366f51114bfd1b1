import type { IncomingMessage } from 'node:http'
import { parseDsn } from '@firsthand/protocol'
import type { EnvelopeHeader } from '@firsthand/protocol'
import { busy } from './body.ts'
import { readCredentials } from './credentials.ts'
import type { DoorParts } from './door.ts'
import { isEnvelopeRoute, readHeaderLine } from './interpret.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { DISABLED_KEY, DISAGREEMENT, FOREIGN_PROJECT, NO_KEY, UNKNOWN_KEY } from './refusals.ts'
import { checkBytes } from './room.ts'
import { MALFORMED_PROJECT } from './route.ts'
import type { RouteKind } from './route.ts'
import type { DoorContext, RequestState } from './request-state.ts'

/** Finds the key that the request names outside its body. One without a key there goes on only where the body can name it. */
export const identify = async (state: RequestState, { parts }: DoorContext): Promise<Refusal | null> => {
  const { request, route } = state
  if (route.projectId === MALFORMED_PROJECT) {
    return refuse(400, 'invalid_project', 'bad project id in path; it is the number at the end of the DSN')
  }
  const credentials = readCredentials(request.headers, route)
  if (!credentials.ok) return credentials.error
  if (credentials.value === null) return mayNameKeyInBody(route.kind) ? null : NO_KEY
  state.sdk = credentials.value.client ?? ''
  const refusal = await findKey(state, credentials.value.key, route.projectId, parts)
  if (refusal !== null) return route.form?.unknownKey ?? refusal
  if (route.form === null || route.subject === null || state.key === null) return null
  const { projectId, projectSlug } = state.key
  return route.subject === projectSlug || route.subject === String(projectId) ? null : FOREIGN_PROJECT
}

/** The same from the beginning of a body, before more of it is read or inflated. */
export const identifyByHead = async (
  state: RequestState,
  head: Uint8Array,
  context: DoorContext,
): Promise<Refusal | null> => {
  if (!isEnvelopeRoute(state.request, state.route)) return NO_KEY
  const header = readHeaderLine(head, context.parts.limits)
  if (!header.ok) return header.error
  return (await checkDsn(state, header.value, context)) ?? checkBytes(state, context.parts)
}

const findKey = async (
  state: RequestState,
  publicKey: string,
  projectId: number | null,
  { limits, lookup }: DoorParts,
): Promise<Refusal | null> => {
  const key = await lookup.byPublicKey(publicKey)
  if (key === null) return UNKNOWN_KEY
  state.key = key
  if (!key.active) return DISABLED_KEY
  if (projectId !== null && projectId !== key.projectId) return FOREIGN_PROJECT
  return state.reservation.belongTo(key) ? null : busy(limits)
}

/** The DSN in an envelope's header is the key when there is no other, and must agree with another (protocol.md 1.2). */
export const checkDsn = async (
  state: RequestState,
  header: EnvelopeHeader,
  { ownHosts, parts }: DoorContext,
): Promise<Refusal | null> => {
  const { key, request, route } = state
  if (header.dsn === null) return key === null ? NO_KEY : null
  const dsn = parseDsn(header.dsn)
  if (dsn === null) return refuse(401, 'invalid_auth', 'bad envelope authentication header')
  if (route.kind === 'tunnel' && !isOwnHost(dsn.host, request, ownHosts)) {
    return refuse(403, 'foreign_dsn', 'the DSN in the envelope belongs to another server', {
      causes: ['The tunnel takes only DSNs of its own host name. Set FIRSTHAND_PUBLIC_URL to the address in your DSN.'],
    })
  }
  if (key === null) {
    if (route.projectId !== null && route.projectId !== dsn.projectId) return DISAGREEMENT
    return findKey(state, dsn.publicKey, dsn.projectId, parts)
  }
  return key.publicKey === dsn.publicKey && key.projectId === dsn.projectId ? null : DISAGREEMENT
}

const isOwnHost = (host: string, request: IncomingMessage, ownHosts: ReadonlySet<string>): boolean =>
  ownHosts.has(host) || hostName(request.headers.host ?? '') === host

const mayNameKeyInBody = (kind: RouteKind): boolean => kind === 'envelope' || kind === 'tunnel' || kind === 'store'

/** Of the request's `Host`, lower case, without port. */
const hostName = (host: string): string => {
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':', 1)[0] ?? '')
  return name.toLowerCase()
}
