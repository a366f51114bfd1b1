import { useState } from 'react'

import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Link } from '../../../ui/Link.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import type { EventView, StackView } from '../model/event-view.ts'
import { exceptionRows } from '../model/exceptions.ts'
import { type StackMode, rawStack } from '../model/frames.ts'
import type { Said } from '../model/long-text.ts'
import { retracedBy, unmappedOf } from '../model/unmapped.ts'
import { ExceptionBlock } from './ExceptionBlock.tsx'
import { Frames } from './Frames.tsx'
import { UnmappedNotice } from './UnmappedNotice.tsx'
import { plainVisible } from '../../../lib/visible-text.ts'
import styles from './StackTracePanel.module.css'

/** What was thrown and where: every exception of the chain with its stack; or a stack that belongs to none. */
export function StackTracePanel({
  event,
  said,
  org,
}: {
  readonly event: EventView
  readonly said: Said
  /** Null where there is no room for advice. */
  readonly org: string | null
}) {
  const rows = exceptionRows(event.exceptions)
  const stacks = [...rows.map((row) => row.exception.stack), event.stack].filter((stack) => stack !== null)
  const frames = stacks.reduce((sum, stack) => sum + stack.frames.length, 0)
  const hasOwn = stacks.some((stack) => stack.frames.some((frame) => frame.inApp))
  const [mode, setMode] = useState<StackMode>('app')
  if (rows.length === 0 && event.stack === null) return null
  const raw = mode === 'raw' ? rawText(event) : ''
  const unmapped = org === null ? null : unmappedOf(event, { server: window.location.origin, organization: org })
  return (
    <Panel
      title="Stack trace"
      subtitle={subtitle(event, hasOwn, frames)}
      content="rows"
      actions={
        <>
          {mode === 'raw' ? <CopyButton text={raw} label="stack trace" /> : null}
          {frames === 0 ? null : (
            <SegmentedControl
              aria-label="Frames"
              value={mode === 'app' && !hasOwn ? 'all' : mode}
              onValueChange={setMode}
              options={[
                ...(hasOwn ? [{ value: 'app' as const, label: 'In app' }] : []),
                { value: 'all', label: `All ${frames}` },
                { value: 'raw', label: 'Raw' },
              ]}
            />
          )}
        </>
      }
    >
      {unmapped === null ? null : <UnmappedNotice unmapped={unmapped} />}
      <Retraced event={event} org={org} />
      {mode === 'raw' ? (
        <pre className={styles.raw} tabIndex={0}>
          <VisibleText text={raw} />
        </pre>
      ) : (
        <>
          {rows.map((row, index) => (
            <ExceptionBlock
              key={`${event.id}-${row.key}`}
              row={row}
              mode={mode}
              platform={event.platform}
              startsOpen={index === 0 || (index === rows.length - 1 && !rows.some((other) => other.isGroup))}
              said={said}
              collapsible={rows.length > 1}
            />
          ))}
          {event.stack === null ? null : (
            <Frames key={event.id} stack={event.stack} mode={mode} platform={event.platform} />
          )}
        </>
      )}
    </Panel>
  )
}

/** That the names of a stack are not those that the app sent, and whose they are. */
function Retraced({ event, org }: { readonly event: EventView; readonly org: string | null }) {
  const ids = retracedBy(event)
  if (ids.length === 0) return null
  const words = ids.length === 1 ? 'the mapping' : 'the mappings'
  return (
    <p className={styles.retraced}>
      Retraced by{' '}
      {org === null ? (
        words
      ) : (
        <Link
          to="/organizations/$org/settings/projects/$project"
          params={{ org, project: event.projectSlug }}
          search={{ tab: 'source-maps' }}
        >
          {words}
        </Link>
      )}{' '}
      <code>
        <VisibleText text={ids.join(', ')} />
      </code>
      . Under Raw it stands as it came.
    </p>
  )
}

function subtitle(event: EventView, hasOwn: boolean, frames: number): string {
  if (frames > 0 && !hasOwn) return 'no frame of your own code'
  const chained = event.exceptions.length
  return chained > 1 ? `${chained} linked errors` : ''
}

function rawText(event: EventView): string {
  const chain = exceptionRows(event.exceptions).map(({ exception, link }) => {
    const text = rawStack(
      exception.type,
      exception.value,
      framesOf(exception.rawStack ?? exception.stack),
      event.platform,
    )
    return link === '' ? text : `[${link}] ${text}`
  })
  const own = event.stack === null ? [] : [rawStack('', event.message, event.stack.frames, event.platform)]
  return plainVisible([...chain, ...own].join('\n\n'))
}

function framesOf(stack: StackView | null) {
  return stack?.frames ?? []
}
