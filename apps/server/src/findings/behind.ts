import { finding, type Finding } from '../lib/findings.ts'
import type { LeftOut } from './left-out.ts'
import { LIMITS } from './limits.ts'

/** What an organisation reads when its traces come faster than they are looked at: for the others, all is well. */
export const behindFinding = ({ organizationId, projectIds, traces }: LeftOut): Omit<Finding, 'since'> => {
  // In steps of ten, so that the sentence does not change at every look.
  const least = 10 ** Math.floor(Math.log10(traces))
  const others = projectIds.length - LIMITS.FINDING_PROJECTS_NAMED
  const named = projectIds.slice(0, LIMITS.FINDING_PROJECTS_NAMED).join(', ')
  const projects = others > 0 ? `${named} and ${others} more` : named
  const found = finding(
    'findings_behind',
    `Traces come faster than Firsthand looks through them for problems: ${least.toLocaleString('en-GB')} or more were not looked at, of project ${projects} (the number at the end of a DSN; the one with most comes first). All of them are stored, and a problem that matters is found in later ones. If this stays, let its SDKs send fewer traces (tracesSampleRate).`,
  )
  return { ...found, organizationId }
}
