import { hostOf, readCsp, readReportText } from '../../../event/index.ts'
import type { NormalisedEvent } from '../../../event/event.ts'
import type { Recorder } from './recorder.ts'

/** CSP, HPKP, Expect-CT, Expect-Staple and NEL reports (protocol.md 5.3). */
export const isSecurityReport = (event: NormalisedEvent): boolean =>
  event.csp !== undefined ||
  event.hpkp !== undefined ||
  event.expectct !== undefined ||
  event.expectstaple !== undefined ||
  event.nel !== undefined

export const hashSecurityReport = (event: NormalisedEvent, parts: string[], recorder: Recorder): boolean => {
  if (event.csp !== undefined) {
    const { directive, source } = readCsp(event.csp)
    recorder.leaf('salt', 'report', 'csp', true)
    recorder.leaf('violation', 'directive', directive, directive !== '')
    recorder.leaf('uri', 'blocked source', source, source !== '')
    parts.push('csp', directive, source)
    return true
  }
  const report = event.hpkp ?? event.expectct ?? event.expectstaple ?? event.nel
  if (report === undefined) return false
  const host = readReportText(report, 'hostname') || hostOf(readReportText(report, 'url'))
  const kind = readReportText(report, 'type')
  recorder.leaf('salt', 'report', event.type, true)
  recorder.leaf('hostname', 'host', host, host !== '')
  if (kind !== '') recorder.leaf('type', 'type', kind, true)
  parts.push(event.type, host, kind)
  return true
}
