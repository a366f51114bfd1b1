import { LIMITS } from '../limits.ts'

/**
 * Parts of a ticket's body, and at its end the way back, as far as there is room. A part that does not fit is left out whole:
 * half of one would be mark-up that nobody wrote.
 */
export const fitting = (written: readonly string[], back: string): string => {
  const parts: string[] = []
  let left = LIMITS.TICKET_BODY_CHARS - back.length
  for (const part of written) {
    if (part === '' || part.length + 2 > left) continue
    parts.push(part)
    left -= part.length + 2
  }
  return [...parts, back].join('\n\n')
}
