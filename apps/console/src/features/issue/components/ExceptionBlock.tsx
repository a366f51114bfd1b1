import { useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { ChevronDownIcon, ChevronRightIcon } from '../../../ui/icons.tsx'
import { ExternalLink } from '../../../ui/Link.tsx'
import { VisibleText } from '../../../ui/VisibleText.tsx'
import { type ExceptionRow, handledLabel } from '../model/exceptions.ts'
import type { StackMode } from '../model/frames.ts'
import { type Said, isSaid } from '../model/long-text.ts'
import { ClampedText } from './ClampedText.tsx'
import { Frames } from './Frames.tsx'
import { KeyValues } from './KeyValues.tsx'
import { Remarks } from './Remarks.tsx'
import { safeLink } from '../../../lib/visible-text.ts'
import styles from './ExceptionBlock.module.css'

export interface ExceptionBlockProps {
  readonly row: ExceptionRow
  readonly mode: Exclude<StackMode, 'raw'>
  readonly platform: string
  readonly startsOpen: boolean
  /** What stands above the event: it is not said again. */
  readonly said: Said
  /** False when it is the only one: then it simply stands there. */
  readonly collapsible: boolean
}

/** One exception: type, value, how it was caught, its stack. Linked ones name their link and fold. */
export function ExceptionBlock({ row, mode, platform, startsOpen, said, collapsible }: ExceptionBlockProps) {
  const { exception } = row
  const [open, setOpen] = useState(startsOpen)
  const isOpen = open || !collapsible
  const mechanism = exception.mechanism
  const facts = [mechanism === null ? '' : `mechanism ${mechanism.type}`, handledLabel(exception)].filter(
    (fact) => fact !== '',
  )
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon
  const help = mechanism === null ? null : safeLink(mechanism.helpLink)
  // SDKs send messages as errors without a type: the text then says it all.
  const name = exception.type || (exception.value === '' ? 'Unknown error' : '')
  const head = (
    <>
      {row.link === '' ? null : (
        <span className={styles.link}>
          <VisibleText text={row.link} />
        </span>
      )}
      {name === '' ? null : (
        <strong className={styles.type}>
          <VisibleText text={name} />
        </strong>
      )}
      {row.isGroup && row.childCount > 0 ? <span className={styles.group}>group of {row.childCount}</span> : null}
    </>
  )
  return (
    <section className={cx(styles.block, styles[`depth${row.depth}`])} aria-label={exception.type || 'Error'}>
      <div className={styles.head}>
        <div className={styles.title}>
          {collapsible ? (
            <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <Chevron size={14} />
              {head}
            </button>
          ) : (
            head
          )}
          {isSaid(said, exception.type, exception.value) ? null : (
            <span className={styles.value}>
              <ClampedText text={exception.value} />
            </span>
          )}
          <Remarks meta={exception.valueMeta} value={exception.value} />
        </div>
        {isOpen && facts.length > 0 ? (
          <p className={styles.facts}>
            {facts.join(' · ')}
            {mechanism?.synthetic === true ? ' · made by the SDK' : ''}
            {mechanism === null || mechanism.description === '' ? null : (
              <>
                {' · '}
                <VisibleText text={mechanism.description} />
              </>
            )}
            {help === null ? null : (
              <>
                {' · '}
                <ExternalLink href={help}>help</ExternalLink>
              </>
            )}
          </p>
        ) : null}
        {isOpen && mechanism !== null && mechanism.data.length > 0 ? <KeyValues values={mechanism.data} inset /> : null}
      </div>
      {isOpen && exception.stack !== null ? <Frames stack={exception.stack} mode={mode} platform={platform} /> : null}
      {isOpen && exception.stack === null ? <p className={styles.none}>This error has no stack trace.</p> : null}
    </section>
  )
}
