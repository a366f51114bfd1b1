import { finding, type Finding } from '../lib/findings.ts'
import type { LeftOut } from './waiting-traces.ts'

/** What the people who run the server read when traces come faster than they are looked at; null while all are. */
export const behindFinding = ({ traces, projectId }: LeftOut): Omit<Finding, 'since'> | null => {
  if (projectId === null) return null
  // In steps of ten, so that the sentence does not change at every look.
  const least = 10 ** Math.floor(Math.log10(traces))
  return finding(
    'findings_behind',
    `Traces come faster than Firsthand looks through them for problems: ${least.toLocaleString('en-GB')} or more were not looked at, most of them of project ${projectId} (the number at the end of its DSN). All of them are stored, and a problem that matters is found in later ones. If this stays, let its SDKs send fewer traces (tracesSampleRate).`,
  )
}
