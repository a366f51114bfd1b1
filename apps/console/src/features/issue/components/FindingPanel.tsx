import type { CSSProperties, ReactNode } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { ButtonLink, CopyButton, Panel, Table, Tbody, Td, Th, Thead, Tr, VisibleText } from '../../../ui/index.ts'
import type { EventView } from '../model/event-view.ts'
import { type FindingSpan, type FindingView, placeOf, ROLES } from '../model/finding.ts'
import { traceOf } from '../model/trace-of.ts'
import styles from './FindingPanel.module.css'

/** A problem that spans show: in a sentence, with what could be saved, and the spans that it is seen by. */
export function FindingPanel({ org, event }: { readonly org: string; readonly event: EventView }) {
  const { finding } = event
  if (finding === null) return null
  const place = traceOf(event)
  const offenders = finding.spans.filter(({ role }) => role === 'offender').length
  return (
    <Panel
      title={finding.title}
      content="rows"
      actions={
        place === null ? undefined : (
          <ButtonLink
            size="small"
            to="/organizations/$org/traces/$trace"
            params={{ org, trace: place.trace }}
            search={place.search}
          >
            Show in the trace
          </ButtonLink>
        )
      }
    >
      <p className={styles.sentence}>{finding.sentence}</p>
      <dl className={styles.facts}>
        <Fact name="What is wrong">
          <code className={styles.code}>
            <VisibleText text={finding.text} />
          </code>
          <CopyButton text={finding.text} label="what is wrong" />
        </Fact>
        <Fact name="Could save">
          <strong>{formatSpent(finding.saved)}</strong>
          <span className={styles.formula}>{finding.formula}</span>
        </Fact>
        <Fact name="In">
          <VisibleText text={finding.transaction} />
          <span className={styles.formula}>{formatSpent(finding.transactionMs)} in all</span>
        </Fact>
      </dl>
      <Table caption="Spans that show it" minWidth={560}>
        <Thead>
          <Th>Span</Th>
          <Th numeric>Began after</Th>
          <Th numeric>Took</Th>
          <Th>In its transaction</Th>
        </Thead>
        <Tbody>
          {finding.spans.map((span) => (
            <SpanRow key={`${span.role} ${span.id}`} span={span} finding={finding} />
          ))}
        </Tbody>
      </Table>
      {finding.count > offenders ? (
        <p className={styles.more}>
          {formatCount(offenders)} of {formatCount(finding.count)} are shown; the trace marks more of them.
        </p>
      ) : null}
      <p className={styles.rule}>{finding.rule}</p>
    </Panel>
  )
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function SpanRow({ span, finding }: { readonly span: FindingSpan; readonly finding: FindingView }) {
  const { left, width } = placeOf(span, finding)
  const role = ROLES[span.role]
  return (
    <Tr>
      <Td className={styles.name}>
        <span className={styles.span}>
          <span className={styles.op}>{[role, span.op].filter((word) => word !== '').join(' ')}</span>
          <span className={styles.text} title={span.text}>
            <VisibleText text={span.text} />
          </span>
        </span>
      </Td>
      <Td numeric>{formatSpent(span.start)}</Td>
      <Td numeric>{formatSpent(span.duration)}</Td>
      <Td className={styles.place}>
        <span className={styles.track} aria-hidden="true">
          <span
            className={cx(styles.bar, span.role === 'offender' && styles.offender)}
            style={{ '--left': `${left * 100}%`, '--width': `${width * 100}%` } as CSSProperties}
          />
        </span>
      </Td>
    </Tr>
  )
}
