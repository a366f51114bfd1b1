import { formatCount } from '../../../lib/format.ts'
import type { TraceFinding } from './trace.ts'

/** What is wrong, without what it is wrong with: titles of issues name both, with a colon. */
export const problemOf = ({ title }: Pick<TraceFinding, 'title'>): string => title.split(':', 1)[0] ?? ''

/** What is said of folded spans: `N+1: 24 alike` where they are a problem. */
export function alikeWords(count: number, finding: Pick<TraceFinding, 'title'> | undefined): string {
  const alike = `${formatCount(count)} alike`
  if (finding === undefined) return alike
  const problem = problemOf(finding)
  return `${problem.startsWith('N+1') ? 'N+1' : problem}: ${alike}`
}
