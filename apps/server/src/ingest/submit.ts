import { serializeEnvelope } from '@firsthand/protocol'
import type { Clock } from '../lib/clock.ts'
import type { Spool } from './spool/spool.ts'

/** What the server itself says, e.g. for a person who turns what somebody wrote into an event. */
export interface Submission {
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters. */
  readonly eventId: string
  /** One that a capability takes. */
  readonly itemType: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Puts something at the start of the road that came by no ingest route. Resolves when it is on disk. */
export const createSubmit =
  ({ spool, clock }: { readonly spool: Pick<Spool, 'append'>; readonly clock: Clock }) =>
  ({ organizationId, projectId, eventId, itemType, payload }: Submission): Promise<void> =>
    spool.append({
      kind: 'envelope',
      receivedAt: clock.now(),
      sender: {
        organizationId,
        projectId,
        // No key: nobody's quota is used.
        keyId: 0,
        clientAddress: null,
        userAgent: null,
        origin: null,
        sdk: 'firsthand.server',
      },
      body: serializeEnvelope({ event_id: eventId }, [
        { header: { type: itemType, content_type: 'application/json' }, payload: Buffer.from(JSON.stringify(payload)) },
      ]),
    })
