import type { AlertDraft } from '@firsthand/contract'

/**
 * What was changed and not saved, while the console is open: who looks something up on another screen and comes back goes
 * on where they were. The last few only.
 */
const MOST_KEPT = 10

const kept = new Map<string, AlertDraft>()

export const keptDraft = (key: string): AlertDraft | undefined => kept.get(key)

/** @param draft null when nothing is left to save */
export function keepDraft(key: string, draft: AlertDraft | null): void {
  kept.delete(key)
  if (draft === null) return
  kept.set(key, draft)
  const oldest = kept.keys().next().value
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}
