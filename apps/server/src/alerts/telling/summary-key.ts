/** Keys of messages that told several things together, and the topics of what answers them. */

const TOGETHER = 'alert:together:'

/** A message of a group; it is the thread of all that answers it. */
export const summaryKey = (
  { id, openedAt, told }: { readonly id: number; readonly openedAt: number; readonly told: number },
  part: number,
): string => `${TOGETHER}${id}:${openedAt}:${told}:${part}`

export const isSummaryKey = (key: string): boolean => key.startsWith(TOGETHER)

/** When the group was opened of which a message is. */
export const openedAtOf = (key: string): number => Number(key.slice(TOGETHER.length).split(':')[1] ?? 0)

/** What is told only to those who were told before. */
export type FollowUp = 'over' | 'again'

/** What answers one summary belongs together, and nothing else does. */
export const topicOfAnswers = (word: FollowUp, summary: string): string => `${word}:${summary}`

/** The summary that a group answers; null for one that stands by itself. */
export const answeredBy = (topic: string): { readonly word: FollowUp; readonly summary: string } | null => {
  const [, word, summary] = /^(over|again):(.+)$/.exec(topic) ?? []
  return summary !== undefined && isSummaryKey(summary) ? { word: word as FollowUp, summary } : null
}
