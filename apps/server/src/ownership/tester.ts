import type { OwnershipTest } from '@firsthand/contract'
import { assigneeJson, type AssigneeRecord } from '../issues/index.ts'
import type { Decision } from './decide.ts'
import type { OwnershipLine } from './line.ts'
import type { MatchedEvent } from './matched-event.ts'

/** Something made up, as somebody types it. */
export interface Example {
  readonly path?: string | undefined
  readonly module?: string | undefined
  readonly url?: string | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
}

export const exampleEvent = ({ path = '', module = '', tags = {}, url = '' }: Example): MatchedEvent => ({
  frames:
    path === '' && module === ''
      ? []
      : [{ filename: path, absPath: '', module, function: '', line: null, isInApp: true }],
  url,
  tags: new Map(Object.entries(tags).map(([key, value]) => [key, [value]])),
})

const lineJson = ({ number, source, text }: OwnershipLine) => ({ line: number, source, text })

export const testJson = (
  event: MatchedEvent,
  { decision, owners }: { readonly decision: Decision; readonly owners: readonly AssigneeRecord[] },
): Omit<OwnershipTest, 'event' | 'problems'> => {
  const asked = new Set(decision.frames)
  return {
    frames: event.frames.map(({ absPath, filename, function: name, line, module }, number) => ({
      absPath,
      filename,
      function: name,
      line,
      module,
      isAsked: asked.has(number),
    })),
    decides: decision.line === null ? null : lineJson(decision.line),
    frame: decision.frame,
    owners: owners.flatMap((owner) => assigneeJson(owner) ?? []),
    losers: decision.losers.map(({ frame, line, why }) => ({ ...lineJson(line), frame, why })),
    isCutShort: decision.isCutShort,
  }
}
