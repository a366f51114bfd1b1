import type { TrackerKindName } from '@firsthand/contract'
import { kindOf } from './kinds/index.ts'
import type { Target } from './kinds/kind.ts'

/** What is sealed of a connection. */
export interface SealedTracker {
  readonly secrets: Readonly<Record<string, string | undefined>>
  /** By which webhooks are checked, where we made it; null where the tracker makes it. */
  readonly hook: string | null
}

export interface TrackerRecord {
  readonly id: number
  readonly organizationId: number
  readonly kind: TrackerKindName
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly sealed: SealedTracker
  readonly hookKey: string
  readonly lastHeardAt: number | null
  readonly lastError: string | null
  readonly tickets: number
  readonly createdAt: number
  readonly createdBy: { readonly id: number; readonly name: string; readonly email: string } | null
}

export const targetOf = ({ settings, sealed }: Pick<TrackerRecord, 'settings' | 'sealed'>): Target =>
  ({ settings, secrets: sealed.secrets }) as unknown as Target

/** '' where nobody entered it yet: then no webhook is taken. */
export const hookSecretOf = ({ kind, sealed }: Pick<TrackerRecord, 'kind' | 'sealed'>): string =>
  (kindOf(kind).makesSecret === true ? sealed.secrets['webhookSecret'] : sealed.hook) ?? ''

/** Below the server's address; the key after it is the connection's own. */
export const HOOK_PATH = '/hooks/trackers/'
