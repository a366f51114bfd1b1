import type { TrackerKindName } from '@firsthand/contract'
import type { HookSecrets, Target } from './kinds/kind.ts'

/** What is sealed of a connection. */
export interface SealedTracker {
  readonly secrets: Readonly<Record<string, string | undefined>>
  /** By which webhooks are checked, where we made it; null where only the tracker makes one. */
  readonly hook: string | null
}

export interface TrackerRecord {
  readonly id: number
  readonly organizationId: number
  readonly kind: TrackerKindName
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly sealed: SealedTracker
  readonly version: number
  readonly hookKey: string
  readonly lastHeardAt: number | null
  readonly lastError: string | null
  /** Nobody calls it until then. */
  readonly quietUntil: number | null
  /** Calls in a row that it did not answer. */
  readonly failures: number
  readonly tickets: number
  readonly createdAt: number
  readonly createdBy: { readonly id: number; readonly name: string; readonly email: string } | null
}

export const targetOf = ({ settings, sealed }: Pick<TrackerRecord, 'settings' | 'sealed'>): Target =>
  ({ settings, secrets: sealed.secrets }) as unknown as Target

/** Where there is none yet, no webhook is taken. */
export const hookSecretsOf = ({ sealed }: Pick<TrackerRecord, 'sealed'>): HookSecrets => ({
  ours: sealed.hook ?? '',
  theirs: sealed.secrets['webhookSecret'] ?? '',
})

/** Below the server's address; the key after it is the connection's own. */
export const HOOK_PATH = '/hooks/trackers/'
