import type { Notice } from './notice.ts'

/** What a line of the inbox can sleep until. */
export type Snooze =
  | { readonly until: 'time'; readonly at: number }
  /** Null: whichever release comes next. */
  | { readonly until: 'release'; readonly release: string | null }
  | { readonly until: 'worse' }
  | { readonly until: 'answer' }

/** Kinds by which something says that it got worse. */
const WORSE: ReadonlySet<string> = new Set(['escalation', 'regression', 'spike'])

/**
 * Why a line that sleeps wakes up by what came: in words; null when it sleeps on. Whoever is mentioned is always woken:
 * somebody asks for them by name.
 *
 * @param snooze as the line has it: `time`, `release`, `worse`, `answer`
 */
export const wakesNow = (snooze: string, { kind, actorId, message }: Notice): string | null => {
  if (kind === 'mentioned') return 'You were mentioned.'
  if (snooze === 'answer' && (kind === 'reply' || (kind === 'subscribed' && actorId !== null)))
    return 'Somebody answered.'
  if (snooze === 'worse' && (WORSE.has(kind) || WORSE.has(message.kind))) return 'It got worse.'
  return null
}
