import type { LogLine } from '@firsthand/contract'

/** Lines as the list holds them: newest first, each once. */

/** So many lines are held at most: beyond it the oldest go while new ones come. */
export const HELD_LINES = 10_000

export const keyOf = (line: Pick<LogLine, 'place' | 'projectId'>): string => `${line.place}${line.projectId}`

/** Both lists newest first; what stands in both stands once. */
export function mergeLines(one: readonly LogLine[], other: readonly LogLine[]): readonly LogLine[] {
  if (one.length === 0) return other
  if (other.length === 0) return one
  const merged: LogLine[] = []
  let at = 0
  for (const line of one) {
    const key = keyOf(line)
    for (let next = other[at]; next !== undefined && keyOf(next) > key; next = other[at]) {
      merged.push(next)
      at += 1
    }
    const same = other[at]
    if (same !== undefined && keyOf(same) === key) at += 1
    merged.push(line)
  }
  for (; at < other.length; at += 1) merged.push(other[at] as LogLine)
  return merged
}

/** Those that are not among the known. */
export function newLines(came: readonly LogLine[], known: readonly LogLine[]): readonly LogLine[] {
  const keys = new Set(known.map(keyOf))
  return came.filter((line) => !keys.has(keyOf(line)))
}

/** The place just before all lines that were written after a line: where a list begins that shows it. */
export function placeBehind(lineId: string): string {
  const at = parseInt(lineId.slice(0, 16), 16) + 1
  return `${at.toString(16).padStart(12, '0')}${'0'.repeat(29)}`
}
