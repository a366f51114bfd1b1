import { useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { ChevronDownIcon, ChevronRightIcon } from '../../../ui/icons.tsx'
import { ExternalLink } from '../../../ui/Link.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import type { FrameView, StackView } from '../model/event-view.ts'
import {
  type StackMode,
  firstFrameToOpen,
  foldFrames,
  frameLocation,
  functionLabel,
  packageOf,
} from '../model/frames.ts'
import { useFrameLink } from '../../repositories/links/index.ts'
import { KeyValues } from './KeyValues.tsx'
import { SourceContext } from './SourceContext.tsx'
import { plainVisible, safeLink } from '../../../lib/visible-text.ts'
import styles from './Frames.module.css'

/** A stack, newest frame first. The most telling frame is open; runs of foreign frames fold. */
export function Frames({
  stack,
  mode,
  platform,
}: {
  readonly stack: StackView
  readonly mode: Exclude<StackMode, 'raw'>
  readonly platform: string
}) {
  const [openFrames, setOpenFrames] = useState<ReadonlySet<number>>(() => {
    const first = firstFrameToOpen(stack.frames)
    return new Set(first === null ? [] : [first.index])
  })
  const [openFolds, setOpenFolds] = useState<ReadonlySet<string>>(new Set())
  const rows = foldFrames(stack.frames, mode, openFolds)
  return (
    <ol className={styles.frames}>
      {rows.map((row) =>
        row.kind === 'fold' ? (
          <li key={row.key}>
            <button
              type="button"
              className={styles.fold}
              aria-expanded={row.open}
              onClick={() => setOpenFolds(toggled(openFolds, row.key))}
            >
              <span aria-hidden="true">⋯</span> {row.label}
            </button>
          </li>
        ) : (
          <li key={row.key}>
            <Frame
              frame={row.frame}
              platform={platform}
              open={openFrames.has(row.frame.index)}
              onToggle={() => setOpenFrames(toggled(openFrames, row.frame.index))}
            />
          </li>
        ),
      )}
      {stack.omitted === 0 ? null : (
        <li className={styles.omitted}>
          {stack.omitted} frames in the middle were left out: the stack trace was too long.
        </li>
      )}
    </ol>
  )
}

function toggled<T>(set: ReadonlySet<T>, entry: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(entry)) next.add(entry)
  return next
}

function Frame({
  frame,
  platform,
  open,
  onToggle,
}: {
  readonly frame: FrameView
  readonly platform: string
  readonly open: boolean
  readonly onToggle: () => void
}) {
  const hasMore = frame.source.length > 0 || frame.variables.length > 0
  const told = safeLink(frame.sourceLink)
  const mapped = useFrameLink(frame)
  const packageName = packageOf(frame)
  const words = (
    <>
      <span className={styles.function}>
        {packageName === '' ? null : (
          <span className={styles.package}>
            <VisibleText text={packageName} />
          </span>
        )}
        <VisibleText text={functionLabel(frame).slice(packageName.length)} />
      </span>
      <span className={styles.location} title={plainVisible(frame.path)}>
        <VisibleText text={frameLocation(frame)} />
      </span>
    </>
  )
  const Chevron = open ? ChevronDownIcon : ChevronRightIcon
  return (
    <div className={cx(styles.frame, frame.inApp ? styles.own : styles.foreign)}>
      <div className={styles.line}>
        {hasMore ? (
          <button type="button" className={cx(styles.head, styles.toggle)} aria-expanded={open} onClick={onToggle}>
            {words}
            <Chevron size={14} className={styles.chevron} />
          </button>
        ) : (
          <div className={styles.head}>{words}</div>
        )}
        {mapped !== null ? (
          <ExternalLink
            href={mapped.href}
            look="quiet"
            className={styles.source}
            title={mapped.title}
            aria-label={`Open in repository: ${plainVisible(frameLocation(frame))}`}
          >
            Open in repository
          </ExternalLink>
        ) : told === null ? null : (
          <ExternalLink href={told} look="quiet" className={styles.source}>
            source
          </ExternalLink>
        )}
      </div>
      {open && frame.source.length > 0 ? <SourceContext frame={frame} platform={platform} /> : null}
      {open && frame.variables.length > 0 ? (
        <div className={styles.variables}>
          <h3 className={styles.heading}>Variables</h3>
          <KeyValues values={frame.variables} meta={frame.variablesMeta} />
        </div>
      ) : null}
    </div>
  )
}
