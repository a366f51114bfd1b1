import type { Answer, compareBox } from '@firsthand/contract'
import { formatCount } from '../../../lib/format.ts'

export type BoxComparison = Answer<typeof compareBox>

type Compared = Pick<BoxComparison, 'attributes' | 'inside' | 'outside'> & {
  readonly differences: { readonly length: number }
}

/** How many there are, how many of them were looked at, and what came of it. */
export function comparedText({ attributes, differences, inside, outside }: Compared, things: string): string {
  const counts = `${formatCount(inside.things)} ${things} in it, ${formatCount(outside.things)} outside`
  if (inside.rows === 0) return `No ${things} in it.`
  if (outside.rows === 0) return `${counts}: there is nothing to compare with.`
  const isSample = inside.looked < inside.rows || outside.looked < outside.rows
  const sample = isSample
    ? ` Looked at a sample: ${formatCount(inside.looked)} in it, ${formatCount(outside.looked)} outside.`
    : ''
  const found =
    differences.length === 0
      ? `None of ${formatCount(attributes)} attributes tells one from the other.`
      : `The most telling of ${formatCount(attributes)} attributes first.`
  return `${counts}. ${found}${sample}`
}
