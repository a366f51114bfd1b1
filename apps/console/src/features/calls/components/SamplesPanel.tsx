import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatSpent } from '../../../lib/spent-time.ts'
import {
  Loaded,
  Panel,
  RelativeTime,
  SegmentedControl,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { TraceLink } from '../../traces/links/index.ts'
import { type Row, textOf } from '../model/answers.ts'
import type { CallSearch } from '../model/calls-url.ts'
import { type CallKind, formatCell } from '../model/kinds.ts'
import type { SampleChoice } from '../model/questions.ts'
import { samplesFile, samplesQuery } from '../queries.ts'
import styles from './Panels.module.css'

interface Props {
  readonly org: string
  readonly kind: CallKind
  readonly search: CallSearch
  /** Milliseconds. */
  readonly median: number
}

/** The slowest of them, or some as long as half of all; each opens its trace. */
export function SamplesPanel({ org, kind, search, median }: Props) {
  const navigate = useNavigate()
  const [choice, setChoice] = useState<SampleChoice>('slowest')
  const query = useQuery(samplesQuery(org, kind, search, { choice, median }))
  const first = query.data?.[0]
  useShortcut(
    't',
    () => {
      if (first === undefined) return
      void navigate({
        to: '/organizations/$org/traces/$trace',
        params: { org, trace: textOf(first['trace']) },
        search: { span: textOf(first['id']) },
      })
    },
    { label: 'Trace of the first sample', group: kind.label },
  )
  return (
    <Panel
      title="Samples"
      subtitle="each opens its trace"
      content="rows"
      className={query.isPlaceholderData ? styles.outdated : undefined}
      actions={
        <>
          <SegmentedControl
            aria-label="Which samples"
            value={choice}
            onValueChange={setChoice}
            options={[
              { value: 'slowest', label: 'Slowest' },
              { value: 'typical', label: 'Typical' },
            ]}
          />
          <ExportMenu things="samples" addressOf={samplesFile(org, kind, search, { choice, median })} />
        </>
      }
    >
      <Loaded
        query={query}
        compact
        failed="The samples could not be loaded"
        outline={<SkeletonRows rows={4} label="Loading the samples" />}
      >
        {(rows) => <Samples org={org} kind={kind} rows={rows} />}
      </Loaded>
    </Panel>
  )
}

const STACKS_BELOW = 760

function Samples({
  org,
  kind,
  rows,
}: {
  readonly org: string
  readonly kind: CallKind
  readonly rows: readonly Row[]
}) {
  return (
    <Table caption="Samples" stacksBelow={STACKS_BELOW} minWidth={STACKS_BELOW}>
      <Thead>
        <Th>Trace</Th>
        <Th numeric>Took</Th>
        <Th>What it did</Th>
        {kind.sample.map(({ label, form }) => (
          <Th key={label} numeric={form !== 'text' && form !== 'flag'}>
            {label}
          </Th>
        ))}
        <Th>Status</Th>
        <Th>Transaction</Th>
        <Th numeric>When</Th>
      </Thead>
      <Tbody>
        {rows.map((row) => (
          <Tr key={`${textOf(row['trace'])} ${textOf(row['id'])}`} className={styles.row}>
            <Td mono>
              <TraceLink org={org} trace={textOf(row['trace'])} span={textOf(row['id'])} />
            </Td>
            <Td numeric>
              <strong className={styles.took}>{formatSpent(Number(row['span.duration'] ?? 0))}</strong>
            </Td>
            <Td mono className={styles.name} title={textOf(row['span.description'])}>
              <VisibleText text={textOf(row['span.description'])} />
            </Td>
            {kind.sample.map(({ label, field, form }) => (
              <Td key={label} numeric={form !== 'text' && form !== 'flag'}>
                <span className={styles.unit}>{label} </span>
                <VisibleText text={formatCell(form, row[field])} />
              </Td>
            ))}
            <Td quiet>
              <VisibleText text={textOf(row['span.status']).replaceAll('_', ' ') || '–'} />
            </Td>
            <Td className={styles.cut} title={textOf(row['transaction'])}>
              <VisibleText text={textOf(row['transaction']) || '–'} />
            </Td>
            <Td numeric quiet>
              <RelativeTime time={textOf(row['timestamp'])} form="age" />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}
