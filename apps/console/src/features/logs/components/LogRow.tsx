import type { Attribute, LogLine } from '@firsthand/contract'
import { Fragment, memo } from 'react'

import { cx } from '../../../lib/cx.ts'
import { levelWord } from '../../../lib/level-word.ts'
import { Link, VisibleText } from '../../../ui/index.ts'
import { oneLine } from '../model/body.ts'
import type { LogsSearch } from '../model/logs-search.ts'
import { dayOfLine, timeOfLine } from '../model/moment.ts'
import { LevelGlyph } from './LevelGlyph.tsx'
import { LogDetails } from './LogDetails.tsx'
import type { ChangeLogs } from './LogsScreen.tsx'
import styles from './LogRow.module.css'

interface RowProps {
  readonly org: string
  readonly line: LogLine
  readonly search: LogsSearch
  readonly project: string
  /** Lines of several days say which. */
  readonly withDay: boolean
  readonly isOpen: boolean
  readonly isCurrent: boolean
  readonly index: number
  /** Of an open line, whose height is its own. */
  readonly measure: ((element: Element | null) => void) | undefined
  readonly top: number
  readonly onToggle: () => void
  readonly onChange: ChangeLogs
}

const SHORT_TRACE = 8

/** One line; open, with all that is stored of it. */
export const LogRow = memo(function LogRow(props: RowProps) {
  const { org, line, search, project, withDay, isOpen, isCurrent, index, measure, top, onToggle, onChange } = props
  const at = Date.parse(line.timestamp)
  const service = line.service === '' ? project : line.service
  return (
    <li
      ref={measure}
      data-index={index}
      className={styles.item}
      data-level={line.level}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className={cx(styles.row, isCurrent && styles.current)} data-day={withDay ? '' : undefined}>
        <button
          type="button"
          className={styles.open}
          aria-expanded={isOpen}
          data-current={isCurrent ? '' : undefined}
          tabIndex={isCurrent ? 0 : -1}
          onClick={onToggle}
        >
          <span className={styles.time}>
            {withDay ? `${dayOfLine(at)} ` : ''}
            {timeOfLine(at)}
          </span>
          <span className={styles.level}>
            <LevelGlyph level={line.level} />
            {levelWord(line.level)}
          </span>
          <span className={styles.service}>
            <VisibleText text={service} />
          </span>
          <span className={styles.message}>
            <VisibleText text={oneLine(line.body)} />
            <span className={styles.attributes}>
              {line.attributes.map((one) => (
                <Fragment key={one.name}>
                  {' '}
                  <VisibleText text={`${one.name}=${shortText(one)}`} />
                </Fragment>
              ))}
            </span>
          </span>
        </button>
        {line.traceId === '' ? (
          <span className={styles.none}>–</span>
        ) : (
          <Link
            look="plain"
            className={styles.trace}
            tabIndex={-1}
            aria-label={`Trace ${line.traceId.slice(0, SHORT_TRACE)}`}
            to="/organizations/$org/traces/$trace"
            params={{ org, trace: line.traceId }}
            search={line.spanId === '' ? {} : { span: line.spanId }}
          >
            {line.traceId.slice(0, SHORT_TRACE)}
          </Link>
        )}
      </div>
      {isOpen ? <LogDetails org={org} line={line} search={search} onChange={onChange} /> : null}
    </li>
  )
})

function shortText({ value }: Attribute): string {
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[\s"]/.test(value) ? JSON.stringify(value) : value
}
