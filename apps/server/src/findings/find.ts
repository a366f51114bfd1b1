import { hash } from 'node:crypto'
import { DETECTORS } from './detectors/index.ts'
import { unionMs, type Candidate, type Detector } from './finding.ts'
import type { Steps } from '../lib/sliced-work.ts'
import { LIMITS } from './limits.ts'
import type { Segment } from './segment.ts'
import { isMuted, type FindingSettings } from './settings.ts'

/** A problem, as one segment shows it. */
export interface Finding extends Candidate {
  readonly detector: Detector
  readonly segment: Segment
  /** 32 hex characters: the same for the same problem, whatever ids and values it had this time. */
  readonly fingerprint: string
  /** 32 hex characters: the same whenever the segment is looked at. */
  readonly eventId: string
  /** How often it must be seen. */
  readonly seen: number
}

/** Parts of a name that are numbers or ids: a transaction that nobody parameterised is still one. */
const withoutIds = (name: string): string =>
  name.replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|\d+/gi, '*')

const fingerprintOf = (detector: Detector, { key }: Candidate, transaction: string): string =>
  hash('md5', [detector.type, ...key, ...(detector.perTransaction ? [withoutIds(transaction)] : [])].join('\0'))

/** What the rules that a project has find in a segment; it pauses after each rule. */
export const findSteps = function* (segment: Segment, settings: FindingSettings): Steps<readonly Finding[]> {
  const found = new Map<string, Finding>()
  const taken = new Set<number>()
  for (const detector of DETECTORS) {
    const own = settings.detectors.get(detector.id)
    if (own === undefined || !own.enabled || isMuted(settings, detector.id, segment.transaction)) continue
    for (const candidate of detector.find(segment, own.thresholds)) {
      if (detector.needsShare && !isWorthIt(segment, candidate)) continue
      if (candidate.offenders.some((place) => taken.has(place))) continue
      const fingerprint = fingerprintOf(detector, candidate, segment.transaction)
      const before = found.get(fingerprint)
      if (before !== undefined && before.saved >= candidate.saved) continue
      const eventId = hash('md5', `${segment.traceId} ${segment.id} ${fingerprint}`)
      found.set(fingerprint, { ...candidate, detector, segment, fingerprint, eventId, seen: own.seen })
    }
    for (const finding of found.values()) for (const place of finding.offenders) taken.add(place)
    yield
  }
  return [...found.values()].toSorted((one, other) => other.saved - one.saved).slice(0, LIMITS.FINDINGS_PER_SEGMENT)
}

const isWorthIt = ({ duration, spans }: Segment, { offenders }: Candidate): boolean => {
  const took = unionMs(offenders.flatMap((place) => spans[place] ?? []))
  return took >= (duration / 1000) * (LIMITS.FINDING_SHARE_PERCENT / 100)
}
